#include "plan/count.h"

dd_status dd_count_sentences(dd_reader *reader, dd_count *count, dd_error *error)
{
    dd_sentence *sentence;
    dd_status status = dd_sentence_new(&sentence, error);
    *count = (dd_count){0};
    if (status != DD_OK) return status;
    do {
        status = dd_reader_next(reader, sentence, error);
        count->sentences += status == DD_OK || status == DD_ERROR_FORMAT;
        if (status == DD_OK) count->words += (uint64_t)dd_sentence_size(sentence);
    } while (status == DD_OK || status == DD_ERROR_FORMAT);
    dd_sentence_free(sentence);
    return status == DD_END ? DD_OK : status;
}
