/* What `dodona models` computes itself: checksums, indexes, the table. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "models/index.h"
#include "models/source.h"
#include "self.h"

/* ---- SHA-256: the examples of FIPS 180-4 and of NIST's byte test vectors ---- */

static void expect_digest(const char *text, size_t size, size_t piece, const char *expected)
{
    char got[SHA256_TEXT];
    sha256 hash;
    sha256_start(&hash);
    for (size_t at = 0; at < size; at += piece)
        sha256_add(&hash, text + at, at + piece < size ? piece : size - at);
    sha256_finish(&hash, got);
    assert_string_equal(got, expected);
}

static void digests_are_those_of_the_standard(void **state)
{
    (void)state;
    static const char two[] = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    static const char four[] = "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
                               "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu";
    for (size_t piece = 1; piece <= 130; piece++) {
        expect_digest("", 0, piece,
                      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        expect_digest("abc", 3, piece,
                      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        expect_digest(two, sizeof two - 1, piece,
                      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
        expect_digest(four, sizeof four - 1, piece,
                      "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
        expect_digest("\xbd", 1, piece,
                      "68325720aabd7c82f30f554b313d0570c95accbb7dc4b5aae11204c08ffe732b");
        expect_digest("\xc9\x8c\x8e\x55", 4, piece,
                      "7abc22c0ae5af26ce93dbb94433a0e0b2e119d014f8e7f65bd56c61ccccd9504");
    }
}

/* And zeros, of sizes around that at which the padding needs a block of its own. */
static void long_texts_and_full_blocks_too(void **state)
{
    (void)state;
    static char letters[1000000];
    memset(letters, 'a', sizeof letters);
    expect_digest(letters, sizeof letters, 997,
                  "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    memset(letters, 0, 64);
    static const struct {
        size_t size;
        const char *digest;
    } zeros[] = {
        {55, "02779466cdec163811d078815c633f21901413081449002f24aa3e80f0b88ef7"},
        {56, "d4817aa5497628e7c77e6b606107042bbba3130888c5f47a375e6179be789fbb"},
        {57, "65a16cb7861335d5ace3c60718b5052e44660726da4cd13bb745381b235a1785"},
        {64, "f5a5fd42d16a20302798ef6ed309979b43003d2320d9f0e8ea9831a92759fb4b"},
    };
    for (size_t i = 0; i < 4; i++) expect_digest(letters, zeros[i].size, 64, zeros[i].digest);
}

/* ---- indexes ---- */

#define DIGEST "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
#define START  "{\"dodona_models\":1,\"models\":["
#define FIRST  "\"name\":\"da\",\"file\":\"da.dodona\",\"size\":12,\"sha256\":\"" DIGEST "\""

static void refuse(const char *text, const char *expected)
{
    char reason[INDEX_REASON_SIZE];
    model_list list;
    assert_false(index_read(&list, text, strlen(text), reason));
    assert_string_equal(reason, expected);
    assert_int_equal(list.count, 0);
}

static void malformed_indexes_are_refused(void **state)
{
    (void)state;
    refuse("", "not JSON: byte 1: it ends too early");
    refuse("<html>", "not JSON: byte 1: a value is expected");
    refuse("{}", "not an index of models: there is no 'dodona_models'");
    refuse("[]", "not an index of models: there is no 'dodona_models'");
    refuse("{\"dodona_models\":2,\"models\":[]}", "an index of version 2; this program reads 1");
    refuse("{\"dodona_models\":1}", "models: is not an array");
    refuse("{\"dodona_models\":1,\"models\":{}}", "models: is not an array");
    refuse(START "3]}", "model 1: models: has something else than objects");
    refuse(START "{}]}", "model 1: name: is not a string");
    refuse(START "{" FIRST "},{" FIRST "}]}", "model 2: name: is that of an earlier model");
    refuse(START "{" FIRST ",\"scores\":{\"dev_las\":101}}]}",
           "model 1: dev_las: is not a number from 0 to 100");
    refuse(START "{" FIRST ",\"licence\":3}]}", "model 1: licence: is not a string");
    refuse(START "{" FIRST ",\"licence\":\"a\\nb\"}]}",
           "model 1: licence: has a control character");
}

/* The file of an index whose only model has the name. */
static void refuse_name(const char *name, const char *file)
{
    char text[600], reason[INDEX_REASON_SIZE];
    model_list list;
    snprintf(text, sizeof text,
             START "{\"name\":\"%s\",\"file\":\"%s\",\"size\":1,\"sha256\":\"" DIGEST "\"}]}", name,
             file);
    assert_false(index_read(&list, text, strlen(text), reason));
    assert_non_null(strstr(reason, "is not a name of at most 100 letters"));
}

static void names_lead_to_no_other_folder(void **state)
{
    (void)state;
    char longest[102] = "";
    static const char *const bad[] = {"",    "../x", "a/b",   "/etc/passwd", ".hidden", "-option",
                                      "a b", "a%2e", "a?b=c", "a\\\\b",      "\xC3\xA9"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        refuse_name(bad[i], "a.dodona");
        refuse_name("a", bad[i]);
    }
    memset(longest, 'a', 101);
    assert_false(entry_is_name(longest));
    longest[100] = '\0';
    assert_true(entry_is_name(longest));
}

static void checksums_and_sizes_must_be_such(void **state)
{
    (void)state;
    static const char *const sizes[] = {"-1", "1.5", "1e17", "\"12\"", "null"};
    char text[400];
    for (size_t i = 0; i < 5; i++) {
        snprintf(text, sizeof text,
                 START "{\"name\":\"a\",\"file\":\"a\",\"size\":%s,\"sha256\":\"" DIGEST "\"}]}",
                 sizes[i]);
        refuse(text, "model 1: size: is not a number of bytes");
    }
    static const char *const digests[] = {"", "e3b0", (DIGEST "0"), ("E" DIGEST)};
    for (size_t i = 0; i < 4; i++) {
        snprintf(text, sizeof text,
                 START "{\"name\":\"a\",\"file\":\"a\",\"size\":1,\"sha256\":\"%s\"}]}",
                 digests[i]);
        refuse(text, "model 1: sha256: is not 64 hexadecimal digits in lower case");
    }
}

static void an_index_may_have_more_than_is_known(void **state)
{
    (void)state;
    char reason[INDEX_REASON_SIZE];
    model_list list;
    const char *text = START "{" FIRST ",\"licence\":null,\"language\":\"da\",\"more\":[[]],"
                             "\"scores\":{\"dev_las\":80.5,\"test_las\":\"?\"}}],\"when\":7}";
    assert_true(index_read(&list, text, strlen(text), reason));
    assert_int_equal(list.count, 1);
    assert_string_equal(list.items[0].file, "da.dodona");
    assert_int_equal(list.items[0].size, 12);
    assert_null(list.items[0].licence);
    assert_true(list.items[0].dev_las == 80.5);
    model_list_free(&list);
}

/* ---- where models come from ---- */

static void expect_source(const char *from, const char *place, const char *base)
{
    source s;
    assert_int_equal(source_open(&s, from), 0);
    assert_string_equal(s.index, place);
    assert_string_equal(s.base, base);
    source_close(&s);
}

static void sources_are_folders_or_their_indexes(void **state)
{
    (void)state;
    expect_source("http://a", "http://a/index.json", "http://a/");
    expect_source("http://a/", "http://a/index.json", "http://a/");
    expect_source("HTTPS://a/b//", "HTTPS://a/b/index.json", "HTTPS://a/b/");
    expect_source("http://a/b/all.json", "http://a/b/all.json", "http://a/b/");
    expect_source("http://a/b/i.json?k=v/w", "http://a/b/i.json?k=v/w", "http://a/b/");
    expect_source("/", "/index.json", "/");
    expect_source("/tmp", "/tmp/index.json", "/tmp/");
    expect_source("/dev/null", "/dev/null", "/dev/");
}

/* ---- the table ---- */

static void tables_keep_to_their_columns(void **state)
{
    (void)state;
    model_list list = {0};
    output out;
    model_entry *entry = model_list_add(&list);
    entry->name = strdup("da");
    entry->language = strdup("da");
    entry->treebank = strdup("Æøå æøå æøå æøå æøå");
    entry->licence = strdup("CC BY-NC-SÆ 4.0 ÆØÅ");
    entry->version = strdup("1.0");
    entry->size = 28841216;
    entry->dev_las = 79.5;
    static const uint64_t sizes[] = {0, 999, 1000, 9949, 9950, 999499, 999500, UINT64_MAX};
    for (size_t i = 0; i < 8; i++) {
        entry = model_list_add(&list);
        entry->name = strdup("x");
        entry->size = sizes[i];
    }
    output_keep(&out);
    show_table(&out, &list);
    output_bytes(&out, "", 1);
    static const char expected[] =
        "name  lang  licence                 size    LAS  version  treebank\n"
        "da    da    CC BY-NC-SÆ 4.…        29 MB  79.50  1.0      Æøå æøå æøå æøå æøå\n"
        "x     -     -                        0 B      -  -        -\n"
        "x     -     -                      999 B      -  -        -\n"
        "x     -     -                     1.0 kB      -  -        -\n"
        "x     -     -                     9.9 kB      -  -        -\n"
        "x     -     -                      10 kB      -  -        -\n"
        "x     -     -                     999 kB      -  -        -\n"
        "x     -     -                     1.0 MB      -  -        -\n"
        "x     -     -                18446744 TB      -  -        -\n";
    assert_string_equal(out.data, expected);
    output_close(&out);
    model_list_free(&list);
}

/* The folder of a program by what it was called: a path, a name in $PATH, a link. */
static void the_program_finds_its_folder(void **state)
{
    (void)state;
    char root[32] = "/tmp/dodona-test-XXXXXX", path[60], link[60], paths[80], folder[SELF_ROOM];
    assert_non_null(mkdtemp(root));
    snprintf(path, sizeof path, "%s/prog", root);
    snprintf(link, sizeof link, "%s/link", root);
    snprintf(paths, sizeof paths, ":/none:%s:/tmp", root);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fclose(file);
    assert_false(self_find(path, NULL, folder)); /* nobody may run it yet */
    assert_int_equal(chmod(path, 0700), 0);
    assert_int_equal(symlink("prog", link), 0);
    strcat(root, "/");
    const char *const calls[] = {path, link, "prog", "link"};
    for (int i = 0; i < 4; i++) {
        assert_true(self_find(calls[i], paths, folder));
        assert_string_equal(folder, root);
    }
    assert_false(self_find("prog", NULL, folder));
    assert_false(self_find("prog", "/none", folder));
    assert_false(self_find("", paths, folder));
    assert_false(self_find(NULL, paths, folder));
    unlink(link);
    unlink(path);
    assert_int_equal(rmdir(root), 0);
    assert_true(self_folder(folder));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_program_finds_its_folder),
        cmocka_unit_test(digests_are_those_of_the_standard),
        cmocka_unit_test(long_texts_and_full_blocks_too),
        cmocka_unit_test(malformed_indexes_are_refused),
        cmocka_unit_test(names_lead_to_no_other_folder),
        cmocka_unit_test(checksums_and_sizes_must_be_such),
        cmocka_unit_test(an_index_may_have_more_than_is_known),
        cmocka_unit_test(sources_are_folders_or_their_indexes),
        cmocka_unit_test(tables_keep_to_their_columns),
    };
    return cmocka_run_group_tests_name("models", tests, NULL, NULL);
}
