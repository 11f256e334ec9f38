/* SPDX-License-Identifier: GPL-2.0-only */
/* Names: escaped as in /proc/mounts in the tables, harmless on a terminal. */
#ifndef VMR_TEXT_H
#define VMR_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Room that the escaped form of a text of this length needs. */
#define VMR_TEXT_ESCAPED(length)	((length) * 4 + 1)

void vmr_text_unescape(char *text);
void vmr_text_escape(const char *text, bool spaces, char *out, size_t size);
void vmr_text_safe(const char *text, char *out, size_t size);
const char *vmr_text_nearest(const char *word, const char *const *words, size_t nr);

#endif
