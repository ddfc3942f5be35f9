/* How files are replaced: whole or not at all, through links, with the mode of the old one. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../settings_help.h"
#include "core/newfile.h"
#include "text_help.h"

typedef struct place {
    char folder[64];
} place;

static int set_up(void **state)
{
    place *p = calloc(1, sizeof *p);
    if (!p) return -1;
    strcpy(p->folder, "/tmp/dodona-test-XXXXXX");
    *state = p;
    return mkdtemp(p->folder) && chdir(p->folder) == 0 ? 0 : -1;
}

static int tear_down(void **state)
{
    place *p = *state;
    int failed = chdir("/") | rmdir(p->folder); /* every test removes its own files */
    free(p);
    return failed;
}

static dd_status write_text(const char *path, const char *text, dd_error *error)
{
    dd_writer *writer;
    dd_status status = dd_writer_open(&writer, path, error);
    if (status != DD_OK) return status;
    status = dd_writer_write(writer, text_of(text), error);
    dd_status closed = dd_writer_close(writer, error);
    return status == DD_OK ? closed : status;
}

static void assert_holds(const char *path, const char *text)
{
    char found[64] = "";
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    found[fread(found, 1, sizeof found - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(found, text);
}

static struct stat facts_of(const char *path)
{
    struct stat facts;
    assert_int_equal(lstat(path, &facts), 0);
    return facts;
}

/* Entries of a folder, other than itself and the one above. */
static int count(const char *folder)
{
    int entries = -2;
    DIR *listed = opendir(folder);
    assert_non_null(listed);
    while (readdir(listed)) entries++;
    closedir(listed);
    return entries;
}

static void the_target_changes_when_all_is_written(void **state)
{
    (void)state;
    dd_writer *writer;
    assert_int_equal(write_text("a", "old", NULL), DD_OK);
    ino_t old = facts_of("a").st_ino;
    assert_int_equal(dd_writer_open(&writer, "a", NULL), DD_OK);
    assert_int_equal(dd_writer_write(writer, text_of("new"), NULL), DD_OK);
    assert_holds("a", "old");
    assert_int_equal(count("."), 2);
    assert_int_equal(dd_writer_close(writer, NULL), DD_OK);
    assert_holds("a", "new");
    assert_true(facts_of("a").st_ino != old);
    assert_int_equal(count("."), 1);
    unlink("a");
}

static void two_writers_do_not_share_a_file(void **state)
{
    (void)state;
    dd_writer *one, *two;
    assert_int_equal(dd_writer_open(&one, "a", NULL), DD_OK);
    assert_int_equal(dd_writer_open(&two, "a", NULL), DD_OK);
    assert_int_equal(dd_writer_write(one, text_of("a longer text"), NULL), DD_OK);
    assert_int_equal(dd_writer_write(two, text_of("short"), NULL), DD_OK);
    assert_int_equal(dd_writer_close(one, NULL), DD_OK);
    assert_holds("a", "a longer text");
    assert_int_equal(dd_writer_close(two, NULL), DD_OK);
    assert_holds("a", "short");
    unlink("a");
}

static void a_failed_write_leaves_the_old_file(void **state)
{
    (void)state;
    dd_error error;
    struct rlimit whole, small;
    assert_int_equal(write_text("a", "old", NULL), DD_OK);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &whole), 0);
    small = whole;
    small.rlim_cur = 2;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    dd_status status = write_text("a", "new", &error);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &whole), 0);
    signal(SIGXFSZ, SIG_DFL);
    assert_int_equal(status, DD_ERROR_IO);
    assert_string_equal(error.message, "a: File too large");
    assert_holds("a", "old");
    assert_int_equal(count("."), 1);
    unlink("a");
}

static void links_stay_and_their_files_are_replaced(void **state)
{
    (void)state;
    assert_int_equal(mkdir("d", 0777), 0);
    assert_int_equal(write_text("d/a", "old", NULL), DD_OK);
    assert_int_equal(symlink("a", "d/inner"), 0);
    assert_int_equal(symlink("d/inner", "outer"), 0);
    assert_int_equal(write_text("outer", "new", NULL), DD_OK);
    assert_true(S_ISLNK(facts_of("outer").st_mode));
    assert_true(S_ISLNK(facts_of("d/inner").st_mode));
    assert_true(S_ISREG(facts_of("d/a").st_mode));
    assert_holds("d/a", "new");
    unlink("d/a"); /* now the links lead nowhere */
    assert_int_equal(write_text("outer", "again", NULL), DD_OK);
    assert_holds("d/a", "again");
    assert_int_equal(count("d"), 2);
    assert_int_equal(count("."), 2);
    unlink("d/a");
    unlink("d/inner");
    unlink("outer");
    rmdir("d");
}

static void links_in_a_ring_are_refused(void **state)
{
    (void)state;
    dd_error error;
    assert_int_equal(symlink("b", "a"), 0);
    assert_int_equal(symlink("a", "b"), 0);
    assert_int_equal(write_text("a", "x", &error), DD_ERROR_IO);
    assert_string_equal(error.message, "a: Too many levels of symbolic links");
    unlink("a");
    unlink("b");
}

static void modes_are_kept(void **state)
{
    (void)state;
    mode_t before = umask(027);
    assert_int_equal(write_text("a", "old", NULL), DD_OK);
    assert_int_equal(facts_of("a").st_mode & 0777, 0640);
    assert_int_equal(chmod("a", 0604), 0);
    assert_int_equal(write_text("a", "new", NULL), DD_OK);
    assert_int_equal(facts_of("a").st_mode & 0777, 0604);
    umask(before);
    unlink("a");
}

/* Root may write to any file, and so becomes somebody else for a while. */
static bool leave_root(void)
{
    if (geteuid() != 0) return true;
    return chmod(".", 0777) == 0 && seteuid(65534) == 0;
}

static void protected_files_are_not_replaced(void **state)
{
    (void)state;
    dd_error error;
    uid_t before = geteuid();
    if (!leave_root()) return; /* not cmocka's skip(), whose TAP line counts as a failure */
    assert_int_equal(write_text("a", "old", NULL), DD_OK);
    assert_int_equal(chmod("a", 0444), 0);
    assert_int_equal(write_text("a", "new", &error), DD_ERROR_IO);
    assert_string_equal(error.message, "a: Permission denied");
    assert_holds("a", "old");
    assert_int_equal(count("."), 1);
    assert_int_equal(seteuid(before), 0);
    unlink("a");
}

static void the_longest_names_can_be_written(void **state)
{
    (void)state;
    char name[300];
    dd_error error;
    for (size_t size = 237; size <= 255; size++) {
        memset(name, 'n', size);
        name[size] = '\0';
        /* Two bytes a character, so that a cut can fall within one. */
        for (size_t i = 0; i + 1 < size; i += 2) memcpy(name + i, "\xC3\xA9", 2);
        assert_int_equal(write_text(name, "x", &error), DD_OK);
        assert_holds(name, "x");
        assert_int_equal(unlink(name), 0);
    }
    memset(name, 'n', 256);
    name[256] = '\0';
    assert_int_equal(write_text(name, "x", &error), DD_ERROR_IO);
}

static void odd_targets_are_refused(void **state)
{
    (void)state;
    dd_newfile new;
    assert_false(dd_newfile_open(&new, ""));
    assert_int_equal(errno, ENOENT);
    assert_false(dd_newfile_open(&new, "none/"));
    assert_false(dd_newfile_open(&new, "none/a"));
    assert_int_equal(errno, ENOENT);
    assert_false(dd_newfile_open(&new, "/tmp"));
    assert_int_equal(errno, EISDIR);
    assert_false(dd_newfile_open(&new, "/dev/null/a"));
    assert_int_equal(errno, ENOTDIR);
}

static void a_dropped_file_leaves_nothing(void **state)
{
    (void)state;
    dd_newfile new;
    assert_true(dd_newfile_open(&new, "a"));
    assert_int_equal(count("."), 1);
    dd_newfile_drop(&new);
    assert_int_equal(count("."), 0);
}

static void only_what_nobody_writes_is_swept(void **state)
{
    (void)state;
    dd_newfile new;
    int here = open(".", O_RDONLY | O_DIRECTORY);
    assert_true(here >= 0 && dd_newfile_open(&new, "a"));
    assert_false(dd_newfile_sweep(here, new.beside));
    assert_true(dd_write_all(new.file, "x", 1) && dd_newfile_finish(&new));
    assert_holds("a", "x");
    assert_int_equal(write_text("a.left.part", "half", NULL), DD_OK);
    assert_int_equal(symlink("a", "a.link.part"), 0);
    assert_int_equal(mkdir("a.folder.part", 0777), 0);
    assert_int_equal(mkfifo("a.pipe.part", 0666), 0);
    assert_true(dd_newfile_sweep(here, "a.left.part"));
    assert_false(dd_newfile_sweep(here, "a.left.part"));
    assert_false(dd_newfile_sweep(here, "a"));
    assert_false(dd_newfile_sweep(here, "a.link.part"));
    assert_false(dd_newfile_sweep(here, "a.folder.part"));
    assert_false(dd_newfile_sweep(here, "a.pipe.part"));
    assert_int_equal(count("."), 4);
    unlink("a");
    unlink("a.link.part");
    rmdir("a.folder.part");
    unlink("a.pipe.part");
    close(here);
}

/* A process that is killed lets go of its lock. */
static void what_a_killed_process_wrote_is_swept(void **state)
{
    (void)state;
    dd_newfile new;
    int here = open(".", O_RDONLY | O_DIRECTORY), ended;
    pid_t child = fork();
    if (child == 0) {
        if (dd_newfile_open(&new, "a")) raise(SIGKILL);
        _exit(1);
    }
    assert_true(child > 0 && waitpid(child, &ended, 0) == child && WIFSIGNALED(ended));
    DIR *listed = opendir(".");
    const struct dirent *entry;
    int swept = 0;
    while ((entry = readdir(listed))) swept += dd_newfile_sweep(here, entry->d_name);
    closedir(listed);
    assert_int_equal(swept, 1);
    assert_int_equal(count("."), 0);
    close(here);
}

/* Before, the file beside a model had a name that could be known, and a link there was followed. */
static void planted_links_are_not_followed(void **state)
{
    (void)state;
    dd_model *model;
    char planted[64];
    assert_int_equal(train_with_settings(&model, "iterations=1", NULL, DEMO, NULL, NULL), DD_OK);
    assert_int_equal(write_text("victim", "precious", NULL), DD_OK);
    snprintf(planted, sizeof planted, "m.%ld.part", (long)getpid());
    assert_int_equal(symlink("victim", planted), 0);
    assert_int_equal(dd_model_save(model, "m", NULL), DD_OK);
    dd_model_free(model);
    assert_holds("victim", "precious");
    assert_true(S_ISREG(facts_of("m").st_mode));
    assert_int_equal(count("."), 3);
    unlink(planted);
    unlink("victim");
    unlink("m");
}

static void a_dropped_writer_leaves_the_old_file(void **state)
{
    (void)state;
    dd_writer *writer;
    assert_int_equal(write_text("a", "old", NULL), DD_OK);
    assert_int_equal(dd_writer_open(&writer, "a", NULL), DD_OK);
    assert_int_equal(dd_writer_write(writer, text_of("half"), NULL), DD_OK);
    dd_writer_drop(writer);
    assert_holds("a", "old");
    assert_int_equal(count("."), 1);
    dd_writer_drop(NULL);
    unlink("a");
}

typedef struct received {
    char bytes[16];
    size_t size;
    dd_status answer;
    int calls;
} received;

static dd_status receive(void *user, dd_text bytes, dd_error *error)
{
    received *to = user;
    to->calls++;
    if (to->answer != DD_OK) snprintf(error->message, sizeof error->message, "full");
    if (to->answer != DD_OK) return to->answer;
    memcpy(to->bytes + to->size, bytes.data, bytes.size);
    to->size += bytes.size;
    return DD_OK;
}

static void a_function_gets_what_is_written(void **state)
{
    (void)state;
    dd_writer *writer;
    dd_error error;
    received to = {.size = 0};
    assert_int_equal(dd_writer_open_to(&writer, receive, &to, &error), DD_OK);
    assert_int_equal(dd_writer_write(writer, text_of("some"), NULL), DD_OK);
    assert_int_equal(dd_writer_close(writer, NULL), DD_OK);
    assert_int_equal(dd_writer_open_to(&writer, receive, &to, &error), DD_OK);
    assert_int_equal(dd_writer_write(writer, text_of(" more"), NULL), DD_OK);
    dd_writer_drop(writer);
    assert_int_equal(to.size, 9);
    assert_memory_equal(to.bytes, "some more", 9);
    to.answer = DD_ERROR_IO;
    assert_int_equal(dd_writer_open_to(&writer, receive, &to, &error), DD_OK);
    assert_int_equal(dd_writer_write(writer, text_of("x"), NULL), DD_OK);
    assert_int_equal(dd_writer_close(writer, &error), DD_ERROR_IO);
    assert_string_equal(error.message, "full");
    assert_int_equal(to.calls, 3);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(the_target_changes_when_all_is_written),
        IN_FOLDER(two_writers_do_not_share_a_file),
        IN_FOLDER(a_failed_write_leaves_the_old_file),
        IN_FOLDER(links_stay_and_their_files_are_replaced),
        IN_FOLDER(links_in_a_ring_are_refused),
        IN_FOLDER(modes_are_kept),
        IN_FOLDER(protected_files_are_not_replaced),
        IN_FOLDER(the_longest_names_can_be_written),
        IN_FOLDER(odd_targets_are_refused),
        IN_FOLDER(a_dropped_file_leaves_nothing),
        IN_FOLDER(only_what_nobody_writes_is_swept),
        IN_FOLDER(what_a_killed_process_wrote_is_swept),
        IN_FOLDER(planted_links_are_not_followed),
        IN_FOLDER(a_dropped_writer_leaves_the_old_file),
        IN_FOLDER(a_function_gets_what_is_written),
    };
    return cmocka_run_group_tests_name("new files", tests, NULL, NULL);
}
