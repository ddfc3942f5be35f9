/* option_rows.h - an option of a parse: one row that holds everything about it
 *
 * A new option is a field at the end of dd_parse_options or dd_input_options, a row in
 * option_rows.c, and the code that looks at the field. `dodona parse`, `dodona corpus` and their
 * --help, the shells' completion, the server's fields, plans, and Python's arguments follow. Tests
 * check that the manual pages and Python's type hints have it too. */
#ifndef DODONA_PARSE_OPTION_ROWS_H
#define DODONA_PARSE_OPTION_ROWS_H

#include <dodona_tools.h>

/* Whether all values are within their bounds: "NAME must lie between LOW and HIGH; it is VALUE". */
dd_status dd_parse_options_check(const dd_parse_options *parse, dd_error *error);

#endif
