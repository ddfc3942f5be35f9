/* lines.h - what the lines of plain text are: paragraphs, or parts of wrapped paragraphs
 *
 *     characters -> lines -> is the text wrapped? (once a file)
 *                         -> does this line begin a paragraph? (in wrapped text) */
#ifndef DODONA_SEGMENT_LINES_H
#define DODONA_SEGMENT_LINES_H

#include "segment/chars.h"

#include <dodona.h>

/* ---- one line ----------------------------------------------------------------------------- */

enum { DD_LINE_START = 32 /* characters that are enough to tell what kind of line it is */ };

typedef struct dd_line {
    int quotes;                    /* `>` of quoted mail before all else, which is not counted */
    int length;                    /* characters; white space between them counts as one */
    int first_word;                /* its characters; 1 if it begins with an ideograph */
    uint8_t first, last;           /* classes of its first and last character */
    bool space;                    /* white space was seen behind the last character */
    bool indented;                 /* white space was seen before all else */
    bool words;                    /* it has white space inside */
    uint32_t start[DD_LINE_START]; /* its first characters, white space as one ' ' */
} dd_line;                         /* {0} is an empty line */

void dd_line_add(dd_line *line, uint32_t code, uint8_t class);

typedef enum dd_line_kind {
    DD_LINE_UNKNOWN = 0, /* more characters are needed */
    DD_LINE_TEXT,
    DD_LINE_ITEM,      /* `- `, `* `, `1. `, `2) `, `(a) `, and others where a list is likely */
    DD_LINE_FIELD,     /* `Subject: `, as in the head of a mail */
    DD_LINE_BULLET,    /* a bullet, which is nothing else, or the `|` of a table */
    DD_LINE_QUOTE,     /* `>` of quoted mail, and nothing behind it: like an empty line */
    DD_LINE_SIGNATURE, /* `--` alone: the lines behind it are a signature */
    DD_LINE_FENCE,     /* "```" of Markdown: program text up to the next */
    DD_LINE_TITLE,     /* `# `, `## ` and so on, as in Markdown, or a line such as `=====` */
} dd_line_kind;

/* `ended`: the line is complete. */
dd_line_kind dd_line_kind_of(const dd_line *line, bool ended);

/* In wrapped text: whether a line of this kind begins a paragraph though no empty line stands
 * before it. `block` is the kind of the line that began the paragraph so far, and `before` the line
 * before, which is the paragraph's first if `first` is set. */
bool dd_line_begins(dd_line_kind kind, const dd_line *line, dd_line_kind block,
                    const dd_line *before, bool first);
/* The block that a line is in which begins a paragraph, without an empty line before it. */
dd_line_kind dd_line_block(dd_line_kind kind, dd_line_kind block);

/* ---- is text wrapped? --------------------------------------------------------------------- */

/* Looks at the first lines of a text. A line break inside wrapped text stands where the next word
 * had no room, and what follows often begins with a small letter; a line that is a paragraph ends
 * anywhere, or is wider than anybody wraps text. Only the characters decide, not how they come. */
enum { DD_LINES_WIDEST = 160, DD_LINES_MOST = 1 << 15 /* characters that are looked at */ };

typedef struct dd_lines {
    int characters; /* seen, at most DD_LINES_MOST */
    bool after_return;
    dd_line line, before;             /* `before` is empty where an empty line was */
    int count;                        /* of lines that are not empty */
    int capitals, small_letters;      /* that lines begin with */
    int lengths[DD_LINES_WIDEST + 2]; /* lines of each length; the last: of any longer */
    /* Line breaks by whether the next line is indented, by what follows, and by the characters that
     * the line and the next word have together. */
    int breaks[2][3][DD_LINES_WIDEST + 2];
    dd_paragraphs found; /* DD_PARAGRAPHS_AUTO: not known yet */
} dd_lines;              /* {0} has seen nothing */

/* Takes a character; does nothing once it is known. */
void dd_lines_add(dd_lines *lines, uint32_t code, uint8_t class);
/* The text has ended. */
void dd_lines_end(dd_lines *lines);
/* Whether any line break told something; else it is the same. */
bool dd_lines_tell(const dd_lines *lines);

#endif
