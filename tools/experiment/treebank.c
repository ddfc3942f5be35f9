#include "experiment/treebank.h"

#include "heap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *const endings[] = {".conllu",     ".conll",    ".conllx",    ".conllu.gz",
                                      ".conllu.zst", ".conll.gz", ".conllx.gz", ".conll.zst",
                                      ".conllx.zst", NULL};

static char *join(const char *folder, const char *code, const char *set, const char *ending)
{
    int size = snprintf(NULL, 0, "%s/%s/%s%s", folder, code, set, ending);
    char *path = heap_zeroed((size_t)size + 1, 1);
    snprintf(path, (size_t)size + 1, "%s/%s/%s%s", folder, code, set, ending);
    return path;
}

/* The first file that is there, or NULL. */
static char *find(const char *folder, const char *code, const char *set, bool *conllx,
                  uint64_t *bytes)
{
    struct stat is;
    for (size_t i = 0; endings[i]; i++) {
        char *path = join(folder, code, set, endings[i]);
        if (stat(path, &is) == 0 && S_ISREG(is.st_mode)) {
            *conllx = strncmp(endings[i], ".conllu", strlen(".conllu")) != 0;
            *bytes = (uint64_t)is.st_size;
            return path;
        }
        free(path);
    }
    return NULL;
}

const char *treebank_find(plan_treebank *t, const char *folder)
{
    uint64_t bytes;
    t->dev = find(folder, t->code, "dev", &t->conllx, &bytes);
    t->test = find(folder, t->code, "test", &t->conllx, &bytes);
    t->train = find(folder, t->code, "train", &t->conllx, &t->bytes);
    return !t->train ? "train" : !t->dev ? "dev" : !t->test ? "test" : NULL;
}

void treebank_free(plan_treebank *t)
{
    free(t->code);
    free(t->train);
    free(t->dev);
    free(t->test);
}
