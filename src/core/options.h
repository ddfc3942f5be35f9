/* options.h - the structs of the public header that begin with their size
 *
 *     the program's struct -> onto the library's defaults -> the library's struct
 *
 * A program may have been compiled with an older header, whose struct lacks the newest fields, or
 * with a newer one, whose last fields this library does not know. A new field stands last, and
 * never in what was padding, because the padding of an older program can hold any bytes. */
#ifndef DODONA_CORE_OPTIONS_H
#define DODONA_CORE_OPTIONS_H

#include <dodona.h>

/* Fills `size` bytes: with the defaults, and 0 where the library has none. */
void dd_options_init(void *options, size_t size, const void *defaults, size_t own_size);

/* Copies the fields of the program's struct over `own`, which holds the defaults; if `given` is
 * NULL, the defaults stay. DD_ERROR_ARGUMENT: the struct has fewer than `least` bytes. `what`
 * begins the message, such as "options were". */
dd_status dd_options_take(void *own, size_t own_size, const void *given, size_t least,
                          const char *what, dd_error *error);

/* The same for a typed pointer: DD_OPTIONS_TAKE(&how, options, tag, "options were", error). `last`
 * is the last field that the struct had in the first version of the library. */
#define DD_OPTIONS_TAKE(own, given, last, what, error)                                             \
    dd_options_take((own), sizeof *(own), (given),                                                 \
                    (size_t)((const char *)(&(own)->last + 1) - (const char *)(own)), (what),      \
                    (error))

/* Copies the library's struct to the program's, as far as that has room. */
void dd_options_give(void *given, const void *own, size_t own_size);

#endif
