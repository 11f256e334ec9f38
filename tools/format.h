/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers for people: units, three digits, and "-" for what is not known. */
#ifndef VMR_FORMAT_H
#define VMR_FORMAT_H

#include "table.h"

#define VMR_FORMAT_SIZE	48

const char *vmr_format_count(struct vmr_num num, bool raw, char *out);
const char *vmr_format_time(struct vmr_num ns, bool raw, char *out);
const char *vmr_format_ratio(struct vmr_num part, struct vmr_num whole, bool raw, char *out);
const char *vmr_format_share(struct vmr_num part, struct vmr_num whole, char *out);
const char *vmr_format_span(unsigned long long ns, char *out);

#endif
