/* strings.h - what the evaluation does to the text of a cell before it compares */
#ifndef DODONA_EVAL_STRINGS_H
#define DODONA_EVAL_STRINGS_H

#include "core/strings.h"

/* Each appends to `out`; false if allocation fails. Bytes that are not UTF-8 stay as they are. */

/* Without Unicode space characters (category Zs). */
bool dd_eval_strip(dd_buffer *out, dd_text text);
/* Lower case as Unicode's default algorithm has it, final sigma included. */
bool dd_eval_lower(dd_buffer *out, dd_text text);
/* The universal features of a FEATS cell, sorted. */
bool dd_eval_universal_feats(dd_buffer *out, dd_text feats);

/* Only punctuation characters (categories P*), and at least one. */
bool dd_eval_is_punctuation(dd_text text);
/* DEPREL up to the first ':'. */
dd_text dd_eval_cut_deprel(dd_text deprel);

#endif
