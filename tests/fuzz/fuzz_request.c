/* Bodies of requests: whatever the bytes, they become fields or are refused with a reason, and the
 * fields that are UTF-8 can be planned as a job or are refused. Headers: what is not refused has
 * one end. The first byte chooses the type of a body, or a header. */
#include "fuzz.h"

#include "serve/ask.h"
#include "serve/head.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char *const types[] = {"application/x-www-form-urlencoded",
                                    "multipart/form-data; boundary=b", "application/json",
                                    "text/plain", "text/x-conllu"};
enum { TYPES = sizeof types / sizeof *types };

typedef bool plan_call(const ask *from, job *into, refusal *why);
static plan_call *const plans[] = {ask_oracle, ask_trace};

static void require(bool holds)
{
    if (!holds) abort();
}

static void nothing(void *user)
{
    (void)user;
}

static void check_fields(const fields *all)
{
    require(all->count <= FIELDS_MOST);
    for (size_t i = 0; i < all->count; i++)
        require(all->at[i].value[all->at[i].size] == '\0' && all->at[i].name != NULL);
}

/* Tokens have neither blanks nor line ends, and no two empty lines follow each other. */
static void check_horizontal(dd_text text)
{
    size_t size;
    char *vertical = convert_horizontal(text, &size);
    require(vertical != NULL && size <= 2 * text.size);
    for (size_t i = 0; i < size; i++) {
        require(vertical[i] != '\t' && vertical[i] != '\r');
        require(i < 2 || vertical[i] != '\n' || vertical[i - 1] != '\n' || vertical[i - 2] != '\n');
    }
    free(vertical);
}

static void plan(const ask *from, job *one, refusal *why)
{
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
        *why = (refusal){0};
        bool planned = plans[i](from, one, why);
        require(planned == (why->status == 0));
    }
}

static void check_head(const head *all, bool good, const refusal *why)
{
    static const char *const name = "a.org";
    const option_list names = {.at = (const char **)&name, .count = 1}, any = {0};
    refusal again = {0};
    require(good == (why->status == 0) && (good || why->reason[0]));
    if (!good) return;
    require(all->lengths + all->encodings <= 1 && all->hosts <= 1 && (all->host || all->old));
    require(!all->encoding || strcasecmp(all->encoding, "chunked") == 0);
    require(head_check(all, &names, &again));
    require(!all->host || head_check(all, &any, &again) || strncasecmp(all->host, name, 5) == 0);
}

/* As libmicrohttpd hands its lines on: a name, and behind the colon a value that has no NUL. */
static void read_head(char *text, bool old)
{
    static const char *const name = "a.org";
    const option_list names = {.at = (const char **)&name, .count = 1};
    head all = {.old = old};
    refusal why = {0};
    bool good = true;
    for (char *line = text, *next; line && good; line = next) {
        next = strchr(line, '\n');
        if (next) *next++ = '\0';
        char *colon = strchr(line, ':');
        if (!colon) continue;
        *colon = '\0';
        good = head_add(&all, (dd_text){line, (size_t)(colon - line)}, colon + 1, &why);
    }
    good = good && head_check(&all, &names, &why);
    check_head(&all, good, &why);
}

static void read_body(const char *type, char *body, size_t size)
{
    static const job_reader calls = {nothing, nothing};
    static const serve_limits limits = {.beam = 8};
    static const model_store none;
    const ask from = {.models = &none, .limits = &limits, .type = type, .accept = ""};
    refusal why = {0};
    job *one = job_new(&calls, NULL);
    require(one != NULL);
    bool read = ask_read_body(&from, one, body, size, &why);
    require(read == (why.status == 0) && (read || why.reason[0]));
    check_fields(&one->asked);
    if (read) {
        check_horizontal(one->text);
        if (fields_string(&one->asked, "system")) plan(&from, one, &why);
    }
    job_drop(one);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) return 0;
    size_t way = data[0] % (TYPES + 2);
    char *text = malloc(size);
    require(text != NULL);
    memcpy(text, data + 1, size - 1);
    text[size - 1] = '\0';
    if (way < TYPES) {
        read_body(types[way], text, size - 1);
        return 0;
    }
    read_head(text, way > TYPES);
    free(text);
    return 0;
}

#define SEED(text)                                                                                 \
    {                                                                                              \
        text, sizeof(text) - 1                                                                     \
    }

fuzz_seed fuzz_seed_at(size_t index)
{
    static const fuzz_seed seeds[] = {
        SEED("\0data=Hi+there%21&tokenizer&parser=none&data=%C3%A9"),
        SEED("\1--b\r\nContent-Disposition: form-data; name=\"data\"\r\n\r\nHi there.\r\n--b\r\n"
             "content-disposition: form-data; filename=x; name=model\r\n"
             "Content-Transfer-Encoding: 8bit\r\n\r\nen\r\n--b--\r\n"),
        SEED("\2{\"data\": \"Hi\", \"beam\": 4, \"tidy\": true, \"system\": \"arc-eager\", "
             "\"constraints\": [\"leaf 1\", \"2: arc 0 _ 1\"], \"model\": null}"),
        SEED("\3Hi there.\nNew\xC2\xA0York .\n\nx"),
        SEED("\5Host:a.org:80\nContent-Length:3\nX-Y: z\n"),
        SEED("\5host:[::1]:8000\nTransfer-Encoding:chunked\nTransfer-EncodingX:1\nHost:localhost."),
        SEED("\6Host:127.0.0.1\nContent-Length:3\nTransfer-Encoding:gzip"),
        SEED("\0data=1%09Hi&system=covington&walk=random&seed=3&sentence=2&to=jsonl&loss=exact"),
    };
    if (index >= sizeof seeds / sizeof *seeds) return (fuzz_seed){NULL, 0};
    return seeds[index];
}
