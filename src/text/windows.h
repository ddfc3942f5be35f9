/* windows.h - a file that is too large for memory, read window by window, again and again
 *
 *     open -> read the first window -> end .. until the file ends: all windows are known
 *     then next or seek -> read a window -> end, which checks that it is still the same
 *
 * A window ends with the sentence that reaches its words. A file of one window is read once. */
#ifndef DODONA_TEXT_WINDOWS_H
#define DODONA_TEXT_WINDOWS_H

#include "text/sentence.h"

typedef struct dd_window {
    uint64_t sentences, words; /* well-formed ones */
    uint64_t hash;             /* of their bytes */
} dd_window;

typedef struct dd_windows {
    const char *path; /* the caller's */
    dd_format format;
    uint64_t most_words; /* in a window, but for those of its last sentence; 0: no limit */
    dd_reader *reader;   /* NULL: not open */
    dd_window *list;     /* [count] that are known */
    size_t count, capacity;
    size_t at;     /* the window that is read, or was last; at first, and when all are known, 0 */
    dd_window now; /* what has been read of it */
    bool known;    /* all windows are in the list */
} dd_windows;      /* {0} is empty and valid */

dd_status dd_windows_open(dd_windows *windows, const char *path, dd_format format,
                          uint64_t most_words, dd_error *error);
void dd_windows_close(dd_windows *windows);
/* Notes a sentence that was read. */
void dd_windows_note(dd_windows *windows, const dd_sentence *sentence);
/* Words that may be read before the window ends; 0: it has ended. */
uint64_t dd_windows_left(const dd_windows *windows);
/* Ends a window that has been read; `last`: it is the last of the file, on the first reading.
 * DD_ERROR_DATA: the window has changed, or the file must be read again and cannot. */
dd_status dd_windows_end(dd_windows *windows, bool last, dd_error *error);
/* Goes to the next window, from the last to the first; or to a given one, which takes as long as
 * reading those before it. All windows must be known. */
dd_status dd_windows_next(dd_windows *windows, dd_error *error);
dd_status dd_windows_seek(dd_windows *windows, size_t window, dd_error *error);

#endif
