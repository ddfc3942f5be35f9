/* Requests to `dodona serve`: fields, types, tokens, texts that are converted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "serve/ask.h"
#include "serve/head.h"

static dd_text text_of(const char *string)
{
    return (dd_text){string, strlen(string)};
}

/* "name=value;" for each. */
static void expect_fields(const fields *all, const char *expected)
{
    output out;
    output_keep(&out);
    for (size_t i = 0; i < all->count; i++)
        output_format(&out, "%s=%s;", all->at[i].name, all->at[i].value);
    output_bytes(&out, "", 1);
    assert_string_equal(out.data, expected);
    free(out.data);
}

/* ---- fields ---- */

typedef struct body_case {
    const char *body;
    const char *fields; /* NULL: it is refused */
} body_case;

static void expect_url(const char *body, const char *expected)
{
    fields all = {0};
    refusal why = {0};
    assert_true(fields_read_url(&all, text_of(body), &why));
    expect_fields(&all, expected);
    fields_free(&all);
}

static void forms_are_decoded(void **state)
{
    (void)state;
    expect_url("", "");
    expect_url("a=b&c=d", "a=b;c=d;");
    expect_url("a&b=&=c", "a=;b=;=c;");
    expect_url("&&a=1&", "a=1;");
    expect_url("a+b=c+d%2B%c3%A9", "a b=c d+\xC3\xA9;");
    expect_url("a=%&b=%4&c=%zz", "a=%;b=%4;c=%zz;");
    expect_url("a=b=c&a=%3d%26", "a=b=c;a==&;");
}

static void a_nul_in_a_value_is_kept(void **state)
{
    (void)state;
    fields all = {0};
    refusal why = {0};
    assert_true(fields_read_url(&all, text_of("a=x%00y"), &why));
    assert_int_equal(all.at[0].size, 3);
    assert_memory_equal(all.at[0].value, "x\0y", 4);
    fields_free(&all);
}

static void a_nul_in_a_name_is_refused(void **state)
{
    (void)state;
    fields all = {0};
    refusal why = {0};
    assert_false(fields_read_url(&all, text_of("a=b&data%00x=y"), &why));
    assert_int_equal(why.status, 400);
    fields_free(&all);
}

static void too_many_fields_are_refused(void **state)
{
    (void)state;
    fields all = {0};
    refusal why = {0};
    for (int i = 0; i < FIELDS_MOST; i++)
        assert_true(fields_add(&all, text_of("a"), text_of("b"), &why));
    assert_false(fields_add(&all, text_of("a"), text_of("b"), &why));
    assert_int_equal(why.status, 400);
    fields_free(&all);
}

#define PART(name, value)                                                                          \
    "\r\nContent-Disposition: form-data; name=\"" name "\"\r\n\r\n" value "\r\n"

static const body_case multiparts[] = {
    {"--b" PART("a", "1") "--b--", "a=1;"},
    {"--b" PART("a", "1") "--b" PART("b c", "") "--b--\r\nepilogue", "a=1;b c=;"},
    {"preamble\r\n--b" PART("a", "x\r\ny\r\n--B") "--b--", "a=x\r\ny\r\n--B;"},
    {"--b  \r\ncontent-disposition:form-data;filename=f;NAME=a\r\nX: y\r\n\r\n1\r\n--b--", "a=1;"},
    {"--b--", ""},
    {"", NULL},
    {"--c" PART("a", "1") "--c--", NULL},
    {"--b" PART("a", "1"), NULL},
    {"--b" PART("a", "1") "--b", NULL},
    {"--bx" PART("a", "1") "--b--", NULL},
    {"--b\r\nX: y\r\n\r\n1\r\n--b--", NULL},
    {"--b\r\nContent-Disposition: form-data; name=a\r\n--b--", NULL},
    {"--b\r\nContent-Disposition: form-data; name=a\r\nContent-Transfer-Encoding: base64\r\n\r\n"
     "MQ==\r\n--b--",
     NULL},
};

static void multipart_bodies_are_decoded(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof multiparts / sizeof *multiparts; i++) {
        fields all = {0};
        refusal why = {0};
        bool read = fields_read_multipart(&all, text_of(multiparts[i].body),
                                          "multipart/form-data; boundary=\"b\"", &why);
        assert_int_equal(read, multiparts[i].fields != NULL);
        assert_int_equal(read, why.status == 0);
        if (read) expect_fields(&all, multiparts[i].fields);
        fields_free(&all);
    }
}

static void a_boundary_is_needed(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; boundary",
        "multipart/form-data; "
        "boundary=bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
        "bbbbbbbbbbbbbb"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        fields all = {0};
        refusal why = {0};
        assert_false(fields_read_multipart(&all, text_of("--b--"), bad[i], &why));
        assert_int_equal(why.status, 400);
    }
}

static const body_case jsons[] = {
    {"{}", ""},
    {"{\"a\": \"x\", \"b\": true, \"c\": false, \"d\": null, \"e\": 3}", "a=x;b=true;c=false;e=3;"},
    {"{\"a\": [\"x\", \"y\", 1.5]}", "a=x;a=y;a=1.5;"},
    {"{\"a\": {}}", NULL},
    {"{\"a\": [[]]}", NULL},
    {"[]", NULL},
    {"{\"a\": 1", NULL},
    {"{\"a\": 1, \"a\": 2}", NULL},
};

static void json_is_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof jsons / sizeof *jsons; i++) {
        fields all = {0};
        refusal why = {0};
        bool read = fields_read_json(&all, text_of(jsons[i].body), &why);
        assert_int_equal(read, jsons[i].fields != NULL);
        if (read) expect_fields(&all, jsons[i].fields);
        fields_free(&all);
    }
}

/* Else a request of the allowed size could take all memory, or hours. */
static void reasons_are_cut_between_characters(void **state)
{
    (void)state;
    for (size_t lead = 0; lead < 4; lead++) {
        char text[2 * REFUSAL_SIZE] = {0}, expected[64];
        refusal whole = {0}, part = {0};
        memset(text, 'a', lead);
        for (size_t at = lead; at + 4 < sizeof text; at += 4)
            memcpy(text + at, "\xF0\x9F\x8C\xB3", 4);
        assert_false(refuse(&whole, 400, "%s", text));
        assert_int_equal((strlen(whole.reason) - lead) % 4, 0);
        assert_false(refuse(&part, 400, "'%.40s' is unknown", text));
        snprintf(expected, sizeof expected, "'%.*s' is unknown", (int)(lead + (40 - lead) / 4 * 4),
                 text);
        assert_string_equal(part.reason, expected);
    }
}

static void large_json_is_refused(void **state)
{
    (void)state;
    enum { SIZE = 1 << 16 };
    char *body = malloc(SIZE);
    fields all = {0};
    refusal why = {0};
    size_t size = 6;
    memcpy(body, "{\"a\":[", 6);
    for (int i = 1; i < FIELDS_MOST_VALUES; i++, size += 5) memcpy(body + size, "null,", 5);
    memcpy(body + size - 1, "]}", 2);
    assert_true(fields_read_json(&all, (dd_text){body, size + 1}, &why));
    memcpy(body + size - 1, ",1]}", 4);
    assert_false(fields_read_json(&all, (dd_text){body, size + 3}, &why));
    assert_non_null(strstr(why.reason, "too many values"));
    assert_int_equal(why.status, 400);
    size = 1;
    for (int i = 0; i < 2000; i++) size += (size_t)sprintf(body + size, "\"k%d\":1,", i);
    body[size - 1] = '}';
    why = (refusal){0};
    assert_false(fields_read_json(&all, (dd_text){body, size}, &why));
    assert_non_null(strstr(why.reason, "more than"));
    fields_free(&all);
    free(body);
}

static void fields_are_known_and_given_once(void **state)
{
    (void)state;
    static const char *const once[] = {"a", "b", NULL}, *const lists[] = {"list", NULL};
    static const struct {
        const char *body, *reason; /* "": it is good */
    } cases[] = {{"", ""},
                 {"b=1&a=1&list=1&list=2", ""},
                 {"a=1&b=1&a=1", "a: it is given 2 times, and may be given once"},
                 {"b&b&b", "b: it is given 3 times, and may be given once"},
                 {"a=1&lisp=1", "unknown field 'lisp'; did you mean 'list'?"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fields all = {0};
        refusal why = {0};
        assert_true(fields_read_url(&all, text_of(cases[i].body), &why));
        assert_int_equal(fields_known(&all, once, lists, &why), !*cases[i].reason);
        assert_string_equal(why.reason, cases[i].reason);
        fields_free(&all);
    }
}

static void values_are_checked(void **state)
{
    (void)state;
    fields all = {0};
    refusal why = {0};
    int number = 7, chosen = 5;
    bool on = false;
    static const char *const words[] = {"one", "two", NULL};
    fields_read_url(&all, text_of("n=12&m=13&w=two&f&no=no&bad=1x&o=99999999999999999999"), &why);
    assert_true(fields_whole(&all, "none", 1, 12, &number, &why) && number == 7);
    assert_true(fields_whole(&all, "n", 1, 12, &number, &why) && number == 12);
    assert_true(fields_choice(&all, "w", words, &chosen, &why) && chosen == 1);
    assert_true(fields_flag(&all, "f", &on, &why) && on);
    assert_true(fields_flag(&all, "no", &on, &why) && !on);
    assert_int_equal(why.status, 0);
    assert_false(fields_whole(&all, "m", 1, 12, &number, &why));
    assert_string_equal(why.reason, "m: '13' is not a whole number from 1 to 12");
    assert_false(fields_whole(&all, "bad", 1, 12, &number, &(refusal){0}));
    assert_false(fields_whole(&all, "o", 1, 12, &number, &(refusal){0}));
    assert_false(fields_choice(&all, "n", words, &chosen, &(refusal){0}));
    assert_false(fields_flag(&all, "n", &on, &(refusal){0}));
    fields_free(&all);
}

/* ---- texts ---- */

static void expect_vertical(const char *text, const char *expected)
{
    size_t size;
    char *got = convert_horizontal(text_of(text), &size);
    assert_int_equal(size, strlen(expected));
    assert_memory_equal(got, expected, size);
    free(got);
}

static void horizontal_text_becomes_vertical(void **state)
{
    (void)state;
    expect_vertical("", "");
    expect_vertical("a b", "a\nb");
    expect_vertical("  a \t b \r\nc\n", "a\nb\n\nc\n\n");
    expect_vertical("a\n\n\nb\n", "a\n\nb\n\n");
    expect_vertical("New\xC2\xA0York x", "New York\nx");
    expect_vertical("a\nb\nc\nd\ne\nf\n", "a\n\nb\n\nc\n\nd\n\ne\n\nf\n\n");
}

static void texts_are_composed(void **state)
{
    (void)state;
    size_t size;
    char *got = convert_nfc(text_of("e\xCC\x81\tx"), &size);
    assert_int_equal(size, 4);
    assert_memory_equal(got, "\xC3\xA9\tx", 4);
    free(got);
}

/* ---- headers ---- */

/* Of lines with '\n' between them; names that may be served as well, or NULL. */
static int status_of_head(const char *lines, const char *host, bool old)
{
    head all = {.old = old};
    refusal why = {0};
    option_list names = {.at = &host, .count = host ? 1 : 0};
    char copy[500];
    snprintf(copy, sizeof copy, "%s", lines);
    for (char *line = strtok(copy, "\n"); line; line = strtok(NULL, "\n")) {
        char *colon = strchr(line, ':');
        *colon = '\0';
        if (!head_add(&all, text_of(line), colon + 1, &why)) return why.status;
    }
    return head_check(&all, &names, &why) ? 0 : why.status;
}

static void the_end_of_a_body_is_never_in_doubt(void **state)
{
    (void)state;
    static const struct {
        const char *lines;
        int status; /* 0: it is good */
    } cases[] = {
        {"Host:localhost", 0},
        {"host:localhost\nCONTENT-LENGTH:5", 0},
        {"Host:localhost\nTransfer-Encoding:Chunked", 0},
        {"Host:localhost\nHostname:x\nX-Content-Length:5\nContent-Length:5\nContent-Type:a", 0},
        {"Host:localhost\nContent-Length:5\ncontent-length:5", 400},
        {"Host:localhost\nContent-Length:5\nTransfer-Encoding:chunked", 400},
        {"Host:localhost\nTransfer-Encoding:chunked\nTransfer-Encoding:chunked", 400},
        {"Host:localhost\nTransfer-Encoding:gzip", 501},
        {"Host:localhost\nTransfer-Encoding:identity", 501},
        {"Host:localhost\nTransfer-Encoding:chunked ", 501},
        {"Host:localhost\nContent-Length :5", 400},
        {"Host:localhost\nContent-LengthX:5", 400},
        {"Host:localhost\nTransfer-Encoding5:chunked", 400},
        {"Host:localhost\nX:a\rb", 400},
        {"Host:localhost\nX:a\tb\xC3\xA9", 0},
        {"Host:localhost\n:x", 400},
        {"", 400},
        {"Host:localhost\nHost:localhost", 400},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(status_of_head(cases[i].lines, NULL, false), cases[i].status);
    assert_int_equal(status_of_head("Content-Length:5", NULL, true), 0);
    assert_int_equal(status_of_head("Transfer-Encoding:chunked", NULL, true), 400);
}

static void foreign_hosts_are_refused(void **state)
{
    (void)state;
    static const char *const own[] = {"Host:localhost:80", "Host:10.0.0.1:8000",
                                      "Host:[fe80::1]:8000", "Host:LOCALHOST."};
    static const char *const other[] = {
        "Host:a.org",          "Host:localhost.a.org", "Host:[::1]x", "Host:",
        "Host:1.2.3",          "Host:[127.0.0.1]",     "Host:::1",    "Host:.",
        "Host:localhost:80:80"};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        assert_int_equal(status_of_head(own[i], NULL, false), 0);
        assert_int_equal(status_of_head(own[i], "a.net", true), 0);
    }
    for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
        assert_int_equal(status_of_head(other[i], NULL, false), 421);
        assert_int_equal(status_of_head(other[i], "a.net", true), 421);
        assert_int_equal(status_of_head(other[i], "*", false), 0);
    }
    assert_int_equal(status_of_head("Host:A.org:8000", "a.org", false), 0);
    assert_true(head_is_name("*") && head_is_name("a-1.b_c.org") && head_is_name("x"));
    assert_false(head_is_name("") || head_is_name("a.org:80") || head_is_name("http://a.org"));
    assert_false(head_is_name("*.org") || head_is_name("a.org.") || head_is_name("a b"));
}

/* ---- types and tokens ---- */

static void types_are_compared(void **state)
{
    (void)state;
    assert_true(ask_is_type("application/json", "application/json"));
    assert_true(ask_is_type(" Application/JSON ; charset=utf-8", "application/json"));
    assert_true(ask_is_type("text/plain,text/html", "text/plain"));
    assert_false(ask_is_type("application/jsonx", "application/json"));
    assert_false(ask_is_type("", "application/json"));
}

static void tokens_are_compared(void **state)
{
    (void)state;
    assert_true(token_fits("abc", "Bearer abc"));
    assert_true(token_fits("abc", "bearer abc"));
    static const char *const wrong[] = {"Bearer abd", "Bearer ab", "Bearer abcd", "Bearer ",
                                        "Bearer",     "Basic abc", "abc",         ""};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(token_fits("abc", wrong[i]));
    assert_false(token_fits("abc", NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forms_are_decoded),
        cmocka_unit_test(a_nul_in_a_value_is_kept),
        cmocka_unit_test(a_nul_in_a_name_is_refused),
        cmocka_unit_test(too_many_fields_are_refused),
        cmocka_unit_test(multipart_bodies_are_decoded),
        cmocka_unit_test(a_boundary_is_needed),
        cmocka_unit_test(json_is_read),
        cmocka_unit_test(reasons_are_cut_between_characters),
        cmocka_unit_test(large_json_is_refused),
        cmocka_unit_test(fields_are_known_and_given_once),
        cmocka_unit_test(values_are_checked),
        cmocka_unit_test(horizontal_text_becomes_vertical),
        cmocka_unit_test(texts_are_composed),
        cmocka_unit_test(the_end_of_a_body_is_never_in_doubt),
        cmocka_unit_test(foreign_hosts_are_refused),
        cmocka_unit_test(types_are_compared),
        cmocka_unit_test(tokens_are_compared),
    };
    return cmocka_run_group_tests_name("serve", tests, NULL, NULL);
}
