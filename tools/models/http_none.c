/* http_none.c - in place of http_curl.c where there is no libcurl */
#include "message.h"
#include "models/http.h"

http_end http_get(const char *url, uint64_t from, const http_taker *taker)
{
    (void)from;
    (void)taker;
    say("%s: this program was built without libcurl, so it can get models from folders only", url);
    return HTTP_FAILED;
}
