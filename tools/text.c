// SPDX-License-Identifier: GPL-2.0-only
/* Escapes of names, and the nearest word to a misspelt one. */
#include <string.h>

#include "text.h"

static bool octal(char c)
{
	return c >= '0' && c <= '7';
}

/**
 * vmr_text_unescape() - undo \ooo in place
 * @text: changed; anything that is not a complete escape of a byte from \001
 *	to \377 stays as it is, so no input can end a text early
 */
void vmr_text_unescape(char *text)
{
	char *out = text;
	unsigned int byte;

	while (*text) {
		if (text[0] == '\\' && octal(text[1]) && octal(text[2]) && octal(text[3])) {
			byte = (text[1] - '0') * 64 + (text[2] - '0') * 8 + (text[3] - '0');
			if (byte >= 1 && byte <= 0xff) {
				*out++ = (char)byte;
				text += 4;
				continue;
			}
		}
		*out++ = *text++;
	}
	*out = '\0';
}

static void escape(const char *text, const char *also, char *out, size_t size)
{
	unsigned char c;

	for (; (c = *text); text++) {
		if (c < 0x20 || c >= 0x7f || strchr(also, c)) {
			if (size < 5)
				break;
			*out++ = '\\';
			*out++ = '0' + (c >> 6);
			*out++ = '0' + ((c >> 3) & 7);
			*out++ = '0' + (c & 7);
			size -= 4;
		} else {
			if (size < 2)
				break;
			*out++ = (char)c;
			size--;
		}
	}
	*out = '\0';
}

/**
 * vmr_text_escape() - the form of a name that can be printed and read back
 * @text: the name as it is
 * @spaces: whether spaces are escaped as well, so that the name is one field
 * @out: the escaped name
 * @size: of @out; VMR_TEXT_ESCAPED() of the length is always enough
 *
 * A name that is just "-" is escaped, since "-" stands for "not available".
 */
void vmr_text_escape(const char *text, bool spaces, char *out, size_t size)
{
	if (!strcmp(text, "-"))
		escape(text, "-", out, size);
	else
		escape(text, spaces ? "\\ " : "\\", out, size);
}

/**
 * vmr_text_safe() - a message without bytes that could harm a terminal
 * @text: the message
 * @out: the same, with \ooo for anything that is not printable ASCII
 * @size: of @out; the rest is cut off
 */
void vmr_text_safe(const char *text, char *out, size_t size)
{
	escape(text, "", out, size);
}

#define WORD_MAX	32

/* Levenshtein's distance; a word of WORD_MAX or more is far from everything. */
static size_t distance(const char *a, const char *b)
{
	size_t row[WORD_MAX + 1], la = strlen(a), lb = strlen(b), i, j, diagonal, above, best;

	if (la >= WORD_MAX || lb >= WORD_MAX)
		return WORD_MAX;
	for (j = 0; j <= lb; j++)
		row[j] = j;
	for (i = 1; i <= la; i++) {
		diagonal = row[0];
		row[0] = i;
		for (j = 1; j <= lb; j++) {
			above = row[j];
			best = diagonal + (a[i - 1] != b[j - 1]);
			if (above + 1 < best)
				best = above + 1;
			if (row[j - 1] + 1 < best)
				best = row[j - 1] + 1;
			row[j] = best;
			diagonal = above;
		}
	}
	return row[lb];
}

/**
 * vmr_text_nearest() - the word that was probably meant
 * @word: as typed
 * @words: what there is
 * @nr: number of @words
 *
 * Return: one of @words, or NULL if none comes near.
 */
const char *vmr_text_nearest(const char *word, const char *const *words, size_t nr)
{
	size_t i, d, length = strlen(word), best = WORD_MAX;
	const char *nearest = NULL;

	for (i = 0; i < nr; i++) {
		if (length >= 2 && !strncmp(word, words[i], length))
			return words[i];
		d = distance(word, words[i]);
		if (d < best) {
			best = d;
			nearest = words[i];
		}
	}
	return best <= 1 + length / 4 ? nearest : NULL;
}
