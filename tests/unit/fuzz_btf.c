// SPDX-License-Identifier: GPL-2.0-only
/* The kernel's BTF is anything: the input. */
#include "fuzz_layout.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	void *copy = fuzz_copy(data, size, 0);
	const char *wrong;
	int err;

	err = walk_btf(copy, size, &wrong);
	if (wrong)
		fprintf(stderr, "%s\n", wrong);
	FUZZ_WANT(!wrong);
	free(copy);

	fuzz_btf = data;
	fuzz_btf_size = size;
	FUZZ_WANT(!vmp_layout_init(NULL, fuzz_wanted));
	FUZZ_WANT(!err || !vmp_layout.btf);
	FUZZ_WANT(!vmp_layout.by_hand);
	fuzz_check_layout();
	fuzz_accepted += vmp_layout.btf;
	vmp_layout_exit();
	return 0;
}

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned int seed);

/*
 * Most inputs of which any byte is changed, put in, or taken out have a header
 * that is wrong, so three in four have one section changed, and a right header.
 */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned int seed)
{
	struct btf_header hdr;
	uint8_t *types, *strings;
	size_t left;

	if (size < sizeof(hdr) || size > max || seed % 4 == 0)
		return LLVMFuzzerMutate(data, size, max);
	memcpy(&hdr, data, sizeof(hdr));
	/* One that does not have its parts where pahole puts them. */
	if (hdr.hdr_len != sizeof(hdr) || hdr.type_off || hdr.str_off != hdr.type_len ||
	    sizeof(hdr) + (u64)hdr.type_len + hdr.str_len != size || !hdr.str_len)
		return LLVMFuzzerMutate(data, size, max);
	left = max - size;
	types = fuzz_copy(data + sizeof(hdr), hdr.type_len, left);
	strings = fuzz_copy(data + sizeof(hdr) + hdr.type_len, hdr.str_len, left);
	if (seed % 4 == 1)
		hdr.str_len = LLVMFuzzerMutate(strings, hdr.str_len, hdr.str_len + left);
	else
		hdr.type_len = LLVMFuzzerMutate(types, hdr.type_len, hdr.type_len + left);
	/* Or else they would hardly ever end as they must. */
	if (seed / 4 % 16)
		strings[hdr.str_len - 1] = '\0';
	hdr.str_off = hdr.type_len;
	memcpy(data, &hdr, sizeof(hdr));
	memcpy(data + sizeof(hdr), types, hdr.type_len);
	memcpy(data + sizeof(hdr) + hdr.type_len, strings, hdr.str_len);
	free(types);
	free(strings);
	return sizeof(hdr) + hdr.type_len + hdr.str_len;
}
