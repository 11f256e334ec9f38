# SPDX-License-Identifier: GPL-2.0-only
#
# What a person types; "make help" lists it.  The module's own makefile, which
# the kernel's build reads, is Kbuild.

KDIR	?= /lib/modules/$(shell uname -r)/build
PREFIX	?= /usr/local
version	:= $(shell sed -n 's/^.define VMP_VERSION[^"]*"\(.*\)".*/\1/p' include/vmprobe/abi.h)

tools-install = O="$(CURDIR)/build/tools" DESTDIR="$(DESTDIR)" PREFIX="$(PREFIX)" install
dkms-dir = /usr/src/vmprobe-$(version)

all: module reader		## build the module for KDIR (the running kernel) and the reader

module:				## build vmprobe.ko
	@test -e "$(KDIR)/Makefile" || { \
		echo "no kernel headers in $(KDIR); on Debian: sudo apt install linux-headers-$$(uname -r)" >&2; \
		echo "(or name a header tree: make KDIR=...; or try it in a virtual machine: make demo)" >&2; \
		exit 1; }
	$(MAKE) -C "$(KDIR)" M="$(CURDIR)" modules

reader:				## build build/tools/vmprobe-read
	$(MAKE) -C tools O="$(CURDIR)/build/tools"

install: all			## install both, the reader below PREFIX (/usr/local), all below DESTDIR
	$(MAKE) -C "$(KDIR)" M="$(CURDIR)" INSTALL_MOD_PATH="$(DESTDIR)" \
		$(if $(DESTDIR),DEPMOD=true) modules_install
	test -n "$(DESTDIR)" || depmod -a
	$(MAKE) -C tools $(tools-install)

install-reader: reader		## install all but the module
	$(MAKE) -C tools $(tools-install)

# What the module is made of, for DKMS to build it again with each new kernel.
install-dkms:			## hand the module's sources to DKMS, and build it with that
	install -d "$(DESTDIR)$(dkms-dir)"
	cp -r -t "$(DESTDIR)$(dkms-dir)" Kbuild LICENSE tools/dkms.conf include
	find vmprobe -name '*.[ch]' -exec cp --parents -t "$(DESTDIR)$(dkms-dir)" {} +
	test -n "$(DESTDIR)" || dkms install vmprobe/$(version)

load: module			## insert the module into the running kernel (PARAMS="name=value ...")
	insmod vmprobe.ko $(PARAMS)

unload:				## remove it
	rmmod vmprobe

demo:				## see it at work in a virtual machine; installs what it needs through apt
	@tests/vm/demo

check:				## all tests; KERNELS="6.1" runs those in guests on both flavours
	@tests/vm/check host guest

check-host:			## only the tests that need no guest (TESTS="pattern ..." picks some)
	@tests/vm/check host

check-guest:			## only the tests in guests
	@tests/vm/check guest

fuzz:				## feed the parsers what a fuzzer invents, each for FUZZ_SECONDS=600
	@tests/vm/install-deps fuzz
	@FUZZ_SECONDS=$${FUZZ_SECONDS:-600} tests/unit/fuzz.t

check-debug:			## the guest tests on a kernel that finds mistakes, which it builds first
	@KERNELS="$${KERNELS:-debug-full}" tests/vm/check guest

soak:				## tests that take hours: LOADS=1000 loads and unloads, large crowds
	@LOADS=$${LOADS:-1000} VMPROBE_TIMEOUT_SCALE=$${VMPROBE_TIMEOUT_SCALE:-20} tests/vm/check soak

table:				## put what the guest tests gave into the README
	@tests/vm/table

lint:				## static checks: sparse, checkpatch, kernel-doc, cppcheck, shellcheck
	@tests/vm/lint

clean:				## remove what was built (not the cache of kernels)
	$(RM) -r build
	@test ! -e "$(KDIR)/Makefile" || $(MAKE) -s -C "$(KDIR)" M="$(CURDIR)" clean

help:				## this list
	@echo "make TARGET, where TARGET is one of"
	@sed -n 's/^\([a-z][a-z-]*\):[^#]*## \(.*\)/  \1\t\2/p' Makefile | expand -t 16

export KERNELS TESTS JOBS MINUTES PROVE_FLAGS

.PHONY: all module reader install install-reader install-dkms load unload demo check \
	check-host check-guest fuzz check-debug soak table lint clean help
