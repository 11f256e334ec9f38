/* SPDX-License-Identifier: GPL-2.0-only */
/* The members of a layout, as the parameter layout= takes them. */
#ifndef LAYOUT_TEXT_H
#define LAYOUT_TEXT_H

#include <stdio.h>

#include "layout.h"

static const char * const layout_names[] = {
#define VMP_X(name)	#name,
	VMP_FIELDS(VMP_X)
#undef VMP_X
};

/* Return: the end of what was written to @text, which has room for it. */
static inline char *layout_text(char *text, const struct vmp_layout *layout)
{
	char *end = text;
	u32 i;

	*end = '\0';
	for (i = 0; i < VMP_NR_FIELDS; i++) {
		const struct vmp_field *f = &layout->field[i];

		if (!f->size)
			continue;
		end += sprintf(end, "%s%s@%u", end == text ? "" : ",", layout_names[i], f->byte);
		if (f->bits)
			end += sprintf(end, ".%u:%u", f->bit, f->bits);
		else
			end += sprintf(end, ":%c%u", f->is_signed ? 's' : 'u', 8 * f->size);
	}
	return end;
}

#endif
