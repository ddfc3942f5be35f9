/* http_curl.c - one file from a web server, by libcurl */
#include "message.h"
#include "models/http.h"
#include "models/part.h"

#include <curl/curl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { OK = 200, PARTIAL = 206, FORBIDDEN = 403, NOT_FOUND = 404, NO_SUCH_RANGE = 416 };

typedef struct transfer {
    CURL *curl;
    const char *url;
    const http_taker *taker;
    bool begun, stopped;
} transfer;

static long answer_of(const transfer *t)
{
    long answer = 0;
    curl_easy_getinfo(t->curl, CURLINFO_RESPONSE_CODE, &answer);
    return answer;
}

/* What a server sends along with a refusal is passed over. */
static size_t on_data(char *data, size_t one, size_t size, void *user)
{
    (void)one; /* 1, always */
    transfer *t = user;
    long answer = answer_of(t);
    if (answer != OK && answer != PARTIAL) return size;
    if (!t->begun) {
        t->begun = true;
        t->stopped = !t->taker->begin(t->taker->user, answer == OK);
    }
    if (!t->stopped) t->stopped = !t->taker->take(t->taker->user, data, size);
    return t->stopped ? 0 : size;
}

static int on_progress(void *user, curl_off_t down_all, curl_off_t down, curl_off_t up_all,
                       curl_off_t up)
{
    (void)user, (void)down_all, (void)down, (void)up_all, (void)up;
    return interrupt_seen();
}

static bool is_secure(const char *url)
{
    return strncasecmp(url, "https:", 6) == 0;
}

/* From a protected connection no redirection leads to an open one, and none to local files. */
static void allow_protocols(CURL *curl, bool secure)
{
#if LIBCURL_VERSION_NUM >= 0x075500
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(curl, CURLOPT_REDIR_PROTOCOLS_STR, secure ? "https" : "http,https");
#else
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
    curl_easy_setopt(curl, CURLOPT_REDIR_PROTOCOLS,
                     (long)(secure ? CURLPROTO_HTTPS : CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

/* Where this system keeps whose certificates it believes, if that is elsewhere than libcurl was
 * told when it was built: a program that is linked statically runs on other systems. NULL: as
 * libcurl says. */
static const char *find_trusted(CURL *curl)
{
#if LIBCURL_VERSION_NUM >= 0x075400
    static const char *const places[] = {"/etc/ssl/certs/ca-certificates.crt",
                                         "/etc/pki/tls/certs/ca-bundle.crt",
                                         "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem"};
    const char *told = NULL;
    curl_easy_getinfo(curl, CURLINFO_CAINFO, &told);
    if (!told || access(told, R_OK) == 0) return NULL;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (access(places[i], R_OK) == 0) return places[i];
#endif
    (void)curl;
    return NULL;
}

/* Whose certificates to believe, where the system's list is not enough: by the variables that the
 * program curl reads, as the library itself reads none. */
static void trust(CURL *curl)
{
    const char *file = getenv("CURL_CA_BUNDLE");
    if (!file || !*file) file = getenv("SSL_CERT_FILE");
    if (!file || !*file) file = find_trusted(curl);
    if (file && *file) curl_easy_setopt(curl, CURLOPT_CAINFO, file);
}

/* `range` and `reason` must stay until the transfer is over. */
static void set_up(transfer *t, const char *range, char *reason)
{
    static const char agent[] = "dodona";
    CURL *curl = t->curl;
    curl_easy_setopt(curl, CURLOPT_URL, t->url);
    curl_easy_setopt(curl, CURLOPT_USERAGENT, agent);
    curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, reason);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, on_data);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, t);
    curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, on_progress);
    curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 1L);
    curl_easy_setopt(curl, CURLOPT_MAXREDIRS, 10L);
    curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, 30L);
    curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, 1L); /* bytes per second, */
    curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, 60L); /* for so long: it has hung up */
    if (*range) curl_easy_setopt(curl, CURLOPT_RANGE, range);
    trust(curl);
    allow_protocols(curl, is_secure(t->url));
}

static http_end refused(const transfer *t, long answer)
{
    const char *meaning = answer == NOT_FOUND   ? ", not found"
                          : answer == FORBIDDEN ? ", forbidden"
                          : answer >= 500       ? ", it has a problem"
                                                : "";
    say("%s: the server answers %ld%s", t->url, answer, meaning);
    return HTTP_FAILED;
}

/* allow_protocols is why. */
static http_end led_astray(const transfer *t)
{
    char *to = NULL;
    bool secure = is_secure(t->url);
    curl_easy_getinfo(t->curl, CURLINFO_EFFECTIVE_URL, &to);
    say("%s: the server redirects to %s; only %shttps:// %s followed", t->url, to ? to : "?",
        secure ? "" : "http:// and ", secure ? "is" : "are");
    return HTTP_FAILED;
}

/* Codes that say that what was sent so far is good, but not all. */
static bool is_broken(CURLcode code)
{
    return code == CURLE_PARTIAL_FILE || code == CURLE_RECV_ERROR || code == CURLE_GOT_NOTHING ||
           code == CURLE_OPERATION_TIMEDOUT || code == CURLE_HTTP2 || code == CURLE_HTTP2_STREAM;
}

static http_end end_of(const transfer *t, CURLcode code, const char *reason)
{
    long answer = answer_of(t);
    if (t->stopped || code == CURLE_ABORTED_BY_CALLBACK) return HTTP_STOPPED;
    if (answer == NO_SUCH_RANGE) return HTTP_NO_PART;
    if (code == CURLE_OK && answer != OK && answer != PARTIAL) return refused(t, answer);
    if (code == CURLE_OK) return HTTP_DONE;
    if (t->begun && is_broken(code)) return HTTP_BROKEN;
    if (code == CURLE_UNSUPPORTED_PROTOCOL && answer / 100 == 3) return led_astray(t);
    say("%s: %s", t->url, *reason ? reason : curl_easy_strerror(code));
    return HTTP_FAILED;
}

http_end http_get(const char *url, uint64_t from, const http_taker *taker)
{
    char range[32] = "", reason[CURL_ERROR_SIZE] = "";
    transfer t = {.curl = curl_easy_init(), .url = url, .taker = taker};
    if (!t.curl) {
        say("%s: libcurl cannot be used", url);
        return HTTP_FAILED;
    }
    if (from > 0) snprintf(range, sizeof range, "%" PRIu64 "-", from);
    set_up(&t, range, reason);
    CURLcode code = curl_easy_perform(t.curl);
    http_end end = end_of(&t, code, reason);
    curl_easy_cleanup(t.curl);
    return end;
}
