#include "models/index.h"

#include "number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAME, LANGUAGE, LICENCE, SIZE, LAS, VERSION, TREEBANK, COLUMNS, ROOM = 120 };

static const char *const titles[COLUMNS] = {"name", "lang",    "licence", "size",
                                            "LAS",  "version", "treebank"};
/* Characters; 0: as many as it has. A name is there to be copied; treebanks have long names, so
   they come last. */
static const size_t widest[COLUMNS] = {0, 8, 15, 0, 0, 8, 0};

typedef struct row {
    char cells[COLUMNS][ROOM];
} row;

/* ---- cells -------------------------------------------------------------------------------- */

static size_t next_character(const char *text)
{
    size_t size = output_utf8((const unsigned char *)text, strlen(text));
    return size ? size : 1;
}

static size_t characters_in(const char *text)
{
    size_t count = 0;
    for (; *text; text += next_character(text)) count++;
    return count;
}

/* Cut to the column's width, with "…" where something is missing. */
static void put(row *r, int column, const char *text)
{
    char *out = r->cells[column];
    size_t most = widest[column] ? widest[column] : ROOM, used = 0, shown = 0;
    bool whole = characters_in(text) <= most;
    for (; *text && (whole || shown + 1 < most); shown++) {
        size_t size = next_character(text);
        if (used + size + sizeof "…" > ROOM) break;
        memcpy(out + used, text, size);
        used += size;
        text += size;
    }
    strcpy(out + used, *text ? "…" : "");
}

/* Three digits or so: 850 B, 12 kB, 3.4 MB, 28 MB. */
static void put_size(row *r, uint64_t bytes)
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB"};
    double number = (double)bytes;
    size_t unit = 0;
    while (number >= 999.5 && unit < 4) {
        number /= 1000;
        unit++;
    }
    snprintf(r->cells[SIZE], ROOM, "%.*f %s", unit > 0 && number < 9.95 ? 1 : 0, number,
             units[unit]);
}

static void fill(row *r, const model_entry *entry)
{
    put(r, NAME, entry->name);
    put(r, LANGUAGE, entry->language ? entry->language : "-");
    put(r, TREEBANK, entry->treebank ? entry->treebank : "-");
    put(r, LICENCE, entry->licence ? entry->licence : "-");
    put(r, VERSION, entry->version ? entry->version : "-");
    put_size(r, entry->size);
    if (isnan(entry->dev_las))
        put(r, LAS, "-");
    else
        snprintf(r->cells[LAS], ROOM, "%.2f", entry->dev_las);
}

/* ---- the table ---------------------------------------------------------------------------- */

static void find_widths(const model_list *list, size_t widths[COLUMNS])
{
    for (int c = 0; c < COLUMNS; c++) widths[c] = strlen(titles[c]);
    for (size_t i = 0; i < list->count; i++) {
        row r;
        fill(&r, &list->items[i]);
        for (int c = 0; c < COLUMNS; c++) {
            size_t width = list->items[i].problem && c != NAME ? 0 : characters_in(r.cells[c]);
            if (width > widths[c]) widths[c] = width;
        }
    }
}

/* Numbers stand at the right of their columns. */
static void write_row(output *out, const row *r, const size_t widths[COLUMNS])
{
    for (int c = 0; c < COLUMNS; c++) {
        int gap = (int)(widths[c] - characters_in(r->cells[c]));
        bool right = c == SIZE || c == LAS, last = c == COLUMNS - 1;
        output_format(out, "%s%*s%s%*s", c ? "  " : "", right ? gap : 0, "", r->cells[c],
                      right || last ? 0 : gap, "");
    }
    output_string(out, "\n");
}

static void write_titles(output *out, const size_t widths[COLUMNS])
{
    row r;
    for (int c = 0; c < COLUMNS; c++) put(&r, c, titles[c]);
    write_row(out, &r, widths);
}

static void write_entry(output *out, const model_entry *entry, const size_t widths[COLUMNS])
{
    row r;
    fill(&r, entry);
    if (entry->problem)
        output_format(out, "%-*s  cannot be used: %s\n", (int)widths[NAME], entry->name,
                      entry->problem);
    else
        write_row(out, &r, widths);
}

void show_table(output *out, const model_list *list)
{
    size_t widths[COLUMNS];
    const char *folder = NULL;
    find_widths(list, widths);
    if (list->count > 0) write_titles(out, widths);
    for (size_t i = 0; i < list->count; i++) {
        const model_entry *entry = &list->items[i];
        if (entry->folder && (!folder || strcmp(folder, entry->folder) != 0))
            output_format(out, "%s:\n", entry->folder);
        folder = entry->folder;
        write_entry(out, entry, widths);
    }
}

void show_json(output *out, const model_list *list)
{
    output_string(out, "[");
    for (size_t i = 0; i < list->count; i++) {
        if (i > 0) output_string(out, ",\n ");
        entry_write(out, &list->items[i]);
    }
    output_string(out, "]\n");
}
