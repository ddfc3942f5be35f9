/* part.h - a model file that is being brought here
 *
 *     FOLDER/NAME.dodona.DIGEST.part -> checksum -> sync -> rename to FOLDER/NAME.dodona
 *
 * If a download is interrupted, its .part file stays, and the next download continues it. The name
 * has the beginning of the checksum, so that parts of two versions are never mixed. */
#ifndef MODELS_PART_H
#define MODELS_PART_H

#include "models/entry.h"
#include <stdbool.h>
#include <stdint.h>

typedef struct part {
    const model_entry *entry;
    char *folder, *path, *target;
    int file;      /* descriptor, locked; -1: none */
    uint64_t done; /* bytes that are there */
    sha256 hash;   /* of them */
} part;

/* Nothing is opened yet. The entry must outlive the part. */
void part_name(part *p, const char *folder, const model_entry *entry);
/* Whether the file is in its place already. */
bool part_is_there(const part *p);
/* Each says what is wrong and returns the exit status. */
int part_open(part *p);    /* makes the folder if need be, and takes up what there is */
int part_restart(part *p); /* throws away what there is */
int part_add(part *p, const char *data, size_t size);
/* Checks size, checksum and model, and puts the file in its place. `from` stands in messages. */
int part_finish(part *p, const char *from);

void part_close(part *p);

/* ---- how far a file has come, on a terminal -------------------------------------------------- */

typedef struct pace {
    bool shown, drawn; /* whether to, and whether the line stands */
    double start, last;
    uint64_t first; /* bytes that were there at the start */
} pace;

/* Nothing is shown where standard error is no terminal. */
void pace_start(pace *p, bool wanted, uint64_t done);
void pace_show(pace *p, const char *name, uint64_t done, uint64_t all);
void pace_clear(pace *p);

/* ---- ctrl-C, where what was done so far is to be kept ---------------------------------------- */

/* From here on the first Ctrl-C is only noted; a second one ends the program at once. */
void interrupt_catch(void);
bool interrupt_seen(void);

#endif
