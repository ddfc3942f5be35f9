/* json.h - JSON (RFC 8259), appended to a buffer piece by piece; once allocation failed, nothing is
 */
#ifndef DODONA_TEXT_JSON_H
#define DODONA_TEXT_JSON_H

#include "core/strings.h"

typedef struct dd_json {
    dd_buffer *out;
    bool failed; /* allocation failed */
} dd_json;

void dd_json_raw(dd_json *json, const char *text);
void dd_json_whole(dd_json *json, uint64_t number);
/* Quoted and escaped. What is not UTF-8 becomes U+FFFD, and every character that some programs take
 * for the end of a line is escaped, so that one line of JSON is one line to all. */
void dd_json_string(dd_json *json, dd_text text);
/* Whether the text could stand as a number. */
bool dd_json_is_number(dd_text text);

#endif
