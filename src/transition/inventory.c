#include "transition/inventory.h"

#include "core/memory.h"
#include "core/status.h"
#include "text/rules.h"

#include <stdlib.h>
#include <string.h>

void dd_inventory_free(dd_inventory *inventory)
{
    dd_vocab_free(&inventory->labels);
    free(inventory->seen);
    free(inventory->roots);
    free(inventory->classes);
    *inventory = (dd_inventory){0};
}

int dd_inventory_place(const dd_system *system, int head, int dependent)
{
    if (head == 0) return DD_SEEN_ROOT;
    dd_direction direction = dd_system_direction(system, head, dependent);
    return direction == DD_LEFT_ARC ? DD_SEEN_LEFT : DD_SEEN_RIGHT;
}

int dd_inventory_see(dd_inventory *inventory, dd_text label, int seen)
{
    int before = inventory->labels.count;
    size_t need = (size_t)before + 1;
    if (!DD_RESERVE(&inventory->seen, &inventory->seen_capacity, need) ||
        !DD_RESERVE(&inventory->roots, &inventory->roots_capacity, need))
        return -1;
    int id = dd_vocab_add(&inventory->labels, label);
    if (id < 0) return -1;
    if (id == before) inventory->seen[id] = 0, inventory->roots[id] = 0;
    inventory->seen[id] |= (uint8_t)seen;
    inventory->roots[id] += (seen & DD_SEEN_ROOT) != 0;
    return id;
}

/* The mark from a model file, else the most frequent label; ties to the first. */
static void choose_root_label(dd_inventory *inventory)
{
    int best = 0;
    for (int id = 0; id < inventory->labels.count; id++) {
        if (inventory->seen[id] & DD_MAIN_ROOT) {
            best = id;
            break;
        }
        if (inventory->roots[id] > inventory->roots[best]) best = id;
    }
    inventory->root_label = best;
    inventory->seen[best] |= DD_MAIN_ROOT;
}

static bool seen_anywhere(const dd_inventory *inventory, int place)
{
    for (int id = 0; id < inventory->labels.count; id++)
        if (inventory->seen[id] & place) return true;
    return false;
}

/* Training data may have no arc between words (one-word sentences) or none from 0 (unknown heads).
 * The parser must be able to build such arcs all the same. */
static bool ensure_labels(dd_inventory *inventory)
{
    int words = DD_SEEN_LEFT | DD_SEEN_RIGHT;
    return (seen_anywhere(inventory, words) ||
            dd_inventory_see(inventory, (dd_text){"dep", 3}, words) >= 0) &&
           (seen_anywhere(inventory, DD_SEEN_ROOT) ||
            dd_inventory_see(inventory, (dd_text){"root", 4}, DD_SEEN_ROOT) >= 0);
}

/* Where a label must have been seen to be used with a move; 0: the move never builds such an arc. A
 * direction in which no label was seen uses the labels of the other. */
static int places_for(const dd_inventory *inventory, dd_direction direction, bool root)
{
    if (root) {
        bool leads_to_root = dd_system_direction(inventory->system, 0, 1) == direction;
        return leads_to_root ? DD_SEEN_ROOT : 0;
    }
    int place = direction == DD_LEFT_ARC ? DD_SEEN_LEFT : DD_SEEN_RIGHT;
    for (int id = 0; id < inventory->labels.count; id++)
        if (inventory->seen[id] & place) return place;
    return DD_SEEN_LEFT | DD_SEEN_RIGHT;
}

/* Adds the labelled classes of one move whose label was seen in some of `wanted` and none of
 * `unwanted`. */
static void add_seen(dd_inventory *inventory, int kind, int wanted, int unwanted)
{
    for (int label = 0; label < inventory->labels.count; label++) {
        int seen = inventory->seen[label];
        if ((seen & wanted) && !(seen & unwanted))
            inventory->classes[inventory->n_classes++] = (dd_class){(int16_t)kind, (int16_t)label};
    }
}

/* Adds the labelled classes of one move. Those for words come first, those for the root last, and
 * those for both between them, so that either list is a run of classes. */
static void add_labelled(dd_inventory *inventory, int kind)
{
    dd_direction direction = inventory->system->rules[kind].direction;
    int word = places_for(inventory, direction, false),
        root = places_for(inventory, direction, true);
    int first = inventory->n_classes;
    add_seen(inventory, kind, word, root);
    int both = inventory->n_classes;
    for (int label = 0; label < inventory->labels.count; label++) {
        int seen = inventory->seen[label];
        if ((seen & word) && (seen & root))
            inventory->classes[inventory->n_classes++] = (dd_class){(int16_t)kind, (int16_t)label};
    }
    int only_root = inventory->n_classes;
    add_seen(inventory, kind, root, word);
    inventory->lists[kind][DD_USE_WORD] = (dd_class_list){first, only_root - first};
    inventory->lists[kind][DD_USE_ROOT] = (dd_class_list){both, inventory->n_classes - both};
}

static void add_arcless(dd_inventory *inventory, int kind)
{
    int id = inventory->n_classes++;
    inventory->classes[id] = (dd_class){(int16_t)kind, DD_NONE};
    inventory->lists[kind][DD_USE_ARCLESS] = (dd_class_list){id, 1};
}

dd_status dd_inventory_close(dd_inventory *inventory, const dd_system *system, dd_error *error)
{
    inventory->system = system;
    inventory->kernels = dd_kernels_best();
    if (!ensure_labels(inventory)) return dd_fail_memory(error);
    choose_root_label(inventory);
    size_t most = (size_t)system->n_rules * ((size_t)inventory->labels.count + 1);
    if (most > DD_MAX_CLASSES || inventory->labels.count > INT16_MAX)
        return dd_fail(error, DD_ERROR_DATA, "too many labels: %d; the model can hold %d",
                       inventory->labels.count, DD_MAX_CLASSES / system->n_rules - 1);
    inventory->classes = dd_calloc(most, sizeof *inventory->classes);
    if (!inventory->classes) return dd_fail_memory(error);
    for (int kind = 0; kind < system->n_rules; kind++) {
        dd_direction direction = system->rules[kind].direction;
        if (direction == DD_NO_ARC || direction == DD_RIGHT_ARC_OR_NONE)
            add_arcless(inventory, kind);
        if (direction != DD_NO_ARC) add_labelled(inventory, kind);
    }
    inventory->going_on = DD_NONE;
    if (system->search.goes_on)
        inventory->going_on =
            dd_classes_of(inventory, dd_kind_of(system->search.goes_on), DD_USE_ARCLESS).first;
    return DD_OK;
}

int dd_inventory_find(const dd_inventory *inventory, dd_text label, int head, int dependent)
{
    int id = dd_vocab_find(&inventory->labels, label);
    if (id < 0) return DD_NONE;
    dd_direction direction = dd_system_direction(inventory->system, head, dependent);
    return inventory->seen[id] & places_for(inventory, direction, head == 0) ? id : DD_NONE;
}

static const struct {
    char letter;
    uint8_t place;
} places[] = {{'l', DD_SEEN_LEFT}, {'r', DD_SEEN_RIGHT}, {'0', DD_SEEN_ROOT}, {'m', DD_MAIN_ROOT}};
enum { PLACES = sizeof places / sizeof *places };

bool dd_inventory_write(const dd_inventory *inventory, dd_buffer *out)
{
    for (int id = 0; id < inventory->labels.count; id++) {
        dd_text label = dd_vocab_text(&inventory->labels, id);
        for (int i = 0; i < PLACES; i++)
            if ((inventory->seen[id] & places[i].place) &&
                !dd_buffer_append(out, &places[i].letter, 1))
                return false;
        if (!dd_buffer_text(out, "\t") || !dd_buffer_append(out, label.data, label.size) ||
            !dd_buffer_text(out, "\n"))
            return false;
    }
    return true;
}

static int place_of(char letter)
{
    for (int i = 0; i < PLACES; i++)
        if (places[i].letter == letter) return places[i].place;
    return 0;
}

/* What a treebank's DEPREL can be, or several of them parted by tabs: see tree/lift.h. */
static bool is_label(dd_text name)
{
    for (;;) {
        const char *tab = name.size ? memchr(name.data, '\t', name.size) : NULL;
        dd_text part = {name.data, tab ? (size_t)(tab - name.data) : name.size};
        if (!dd_rule_label(part)) return false;
        if (!tab) return true;
        name = (dd_text){tab + 1, name.size - part.size - 1};
    }
}

/* "lr0m<TAB>name" without its newline. */
static dd_status read_label(dd_inventory *inventory, dd_text line, dd_error *error)
{
    int seen = 0;
    size_t at = 0;
    for (; at < line.size && line.data[at] != '\t'; at++) {
        int place = place_of(line.data[at]);
        if (!place) break;
        seen |= place;
    }
    if (at + 1 >= line.size || line.data[at] != '\t' || seen == 0)
        return dd_fail(error, DD_ERROR_MODEL, "the list of labels is damaged");
    dd_text name = {line.data + at + 1, line.size - at - 1};
    if (!is_label(name))
        return dd_fail(error, DD_ERROR_MODEL, "a label is not UTF-8 or has control characters");
    int before = inventory->labels.count;
    int id = dd_inventory_see(inventory, name, seen);
    if (id < 0) return dd_fail_memory(error);
    if (id != before) return dd_fail(error, DD_ERROR_MODEL, "a label is in the list twice");
    return DD_OK;
}

dd_status dd_inventory_read(dd_inventory *inventory, dd_text text, const dd_system *system,
                            dd_error *error)
{
    while (text.size > 0) {
        const char *end = memchr(text.data, '\n', text.size);
        if (!end) return dd_fail(error, DD_ERROR_MODEL, "the list of labels is damaged");
        dd_text line = {text.data, (size_t)(end - text.data)};
        dd_status status = read_label(inventory, line, error);
        if (status != DD_OK) return status;
        text = (dd_text){end + 1, text.size - line.size - 1};
    }
    if (!seen_anywhere(inventory, DD_SEEN_ROOT))
        return dd_fail(error, DD_ERROR_MODEL, "no label for the root");
    return dd_inventory_close(inventory, system, error);
}
