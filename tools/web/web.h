/* web.h - requests to the library in WebAssembly that the server does not offer, or only in part */
#ifndef WEB_H
#define WEB_H

#include "output.h"
#include "serve/fields.h"

/* Draws the sentences of `text`, which is CoNLL-U, as the fields ask: those of dd_draw_options, by
 * their names, and `gold`, CoNLL-U with the same words. */
bool web_draw(const fields *asked, dd_text text, dd_cancel *cancel, output *out, refusal *why);
/* Scores `text`, CoNLL-U, against the field `gold`: fields `rule` and `punct`. The answer is JSON.
 */
bool web_evaluate(const fields *asked, dd_text text, dd_cancel *cancel, output *out, refusal *why);

#endif
