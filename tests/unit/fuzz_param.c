// SPDX-License-Identifier: GPL-2.0-only
/* The parameter layout= is anything: the input. */
#include "fuzz_layout.h"

#include "btf_small.h"
#include "layout_text.h"

/* What was understood, said again, means the same. */
static void check_again(void)
{
	static char again[1 << 16];
	struct vmp_layout before = vmp_layout;
	char *end = layout_text(again, &before);
	u32 i;

	for (i = 0; i < before.nr_functions; i++)
		end += sprintf(end, "%s%s#%d", end == again ? "" : ",", before.functions[i].name,
			       before.functions[i].args.sc);

	memset(&vmp_layout, 0, sizeof(vmp_layout));
	FUZZ_WANT(!vmp_layout_init(again, fuzz_wanted));
	FUZZ_WANT(vmp_layout.nr_functions == before.nr_functions);
	for (i = 0; i < before.nr_functions; i++)
		FUZZ_WANT(!strcmp(vmp_layout.functions[i].name, before.functions[i].name) &&
			  vmp_layout.functions[i].args.sc == before.functions[i].args.sc);
	FUZZ_WANT(!memcmp(vmp_layout.fetch, before.fetch, sizeof(before.fetch)));
	for (i = 0; i < VMP_NR_FIELDS; i++)
		FUZZ_WANT(vmp_layout.field[i].size == before.field[i].size &&
			  vmp_layout.field[i].is_signed == before.field[i].is_signed);
	vmp_layout_exit();
	vmp_layout = before;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const void *btf;	/* of a kernel that the parameter is added to */
	static size_t btf_size;
	char *text = fuzz_copy(data, size, 1);
	u32 nr_functions = 0, round;
	bool by_hand = false;
	int err[2];

	if (!btf)
		btf = btf_small(&btf_size);
	for (round = 0; round < 2; round++) {
		/* Without and with BTF to add to. */
		fuzz_btf = round ? btf : NULL;
		fuzz_btf_size = btf_size;
		err[round] = vmp_layout_init(text, fuzz_wanted);
		if (err[round]) {
			FUZZ_WANT(err[round] == -EINVAL);
			continue;
		}
		fuzz_check_layout();
		FUZZ_WANT(vmp_layout.btf == round);
		if (!round) {
			nr_functions = vmp_layout.nr_functions;
			by_hand = vmp_layout.by_hand;
			FUZZ_WANT(by_hand == !!vmp_layout.extent);
			check_again();
			fuzz_accepted += nr_functions || by_hand;
		} else {
			FUZZ_WANT(vmp_layout.nr_functions >= nr_functions &&
				  vmp_layout.nr_functions <= nr_functions + 2);
			FUZZ_WANT(vmp_layout.by_hand == by_hand);
			FUZZ_WANT(by_hand || vmp_layout.field[VMP_F_nr_reclaimed].byte == 8);
		}
		vmp_layout_exit();
	}
	FUZZ_WANT(err[0] == err[1]);
	free(text);
	return 0;
}
