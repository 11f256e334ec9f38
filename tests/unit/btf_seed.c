// SPDX-License-Identifier: GPL-2.0-only
/* btf_seed: writes the BTF of a small kernel to the standard output. */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>

#include "btf_small.h"

int main(void)
{
	size_t size;
	void *blob = btf_small(&size);

	if (fwrite(blob, size, 1, stdout) != 1 || fflush(stdout))
		err(1, "standard output");
	free(blob);
	return 0;
}
