#include "segment/language.h"

#include "core/memory.h"
#include "core/random.h"
#include "core/status.h"
#include "segment/chars.h"
#include "segment/running_text.h"

#include <stdlib.h>

enum { VERSION = 1, ORDERS = 3, MOST_GRAMS_OF_LETTER = 5 };

/* ---- n-grams ------------------------------------------------------------------------------ */

/* Called with 24 bits of an n-gram's hash and its number of letters; false ends the walk. */
typedef bool gram_function(void *user, uint32_t gram, int order);

typedef struct walk {
    gram_function *each;
    void *user;
    uint32_t last[2]; /* the characters before, in this word; 0: none */
    int letters;      /* so far */
} walk;

static bool give(walk *w, uint64_t codes, int order)
{
    return w->each(w->user, (uint32_t)(dd_hash_feature((uint64_t)order, codes, 0) >> 40), order);
}

/* The n-grams that end with this character. */
static bool step(walk *w, uint32_t code)
{
    uint64_t two = (uint64_t)w->last[1] << 21 | code;
    uint64_t three = (uint64_t)w->last[0] << 42 | two;
    bool ok = (code == ' ' || give(w, code, 1)) && give(w, two, 2) &&
              (w->last[0] == 0 || give(w, three, 3));
    w->last[0] = w->last[1];
    w->last[1] = code;
    return ok;
}

static bool end_word(walk *w)
{
    bool ok = w->last[1] == 0 || step(w, ' ');
    w->last[0] = w->last[1] = 0;
    return ok;
}

static bool add_character(walk *w, uint32_t code)
{
    dd_char_class class = dd_char_classify(code);
    if (!dd_char_is_letter((uint8_t) class)) return end_word(w);
    w->letters++;
    if (class == DD_CHAR_IDEOGRAPH) return end_word(w) && give(w, code, 1);
    if (w->last[1] == 0) w->last[1] = ' ';
    return step(w, dd_char_lower(code));
}

static bool walk_text(walk *w, dd_text text, int most)
{
    bool ok = true, broken = false;
    while (text.size > 0 && w->letters < most && ok) {
        uint32_t code;
        text = dd_text_skip(text, dd_char_decode(text.data, text.size, &code, &broken));
        ok = add_character(w, code);
    }
    return ok && end_word(w);
}

/* ---- learning ----------------------------------------------------------------------------- */

typedef struct tally {
    uint32_t gram; /* 24 bits */
    int order;
    uint64_t count; /* 0: free */
} tally;

typedef struct tallies {
    tally *slots; /* [size] a hash table; size is a power of two, and at most half are used */
    size_t size, used;
    uint64_t totals[ORDERS + 1]; /* n-grams of each order */
} tallies;

static tally *find(const tallies *all, uint32_t gram)
{
    size_t at = gram & (all->size - 1);
    while (all->slots[at].count > 0 && all->slots[at].gram != gram) at = (at + 1) & (all->size - 1);
    return &all->slots[at];
}

static bool make_room(tallies *all)
{
    if (2 * all->used < all->size) return true;
    tallies larger = *all;
    larger.size = all->size ? 2 * all->size : 4096;
    larger.slots = dd_calloc(larger.size, sizeof *larger.slots);
    if (!larger.slots) return false;
    for (size_t i = 0; i < all->size; i++)
        if (all->slots[i].count > 0) *find(&larger, all->slots[i].gram) = all->slots[i];
    free(all->slots);
    *all = larger;
    return true;
}

static bool count_gram(void *user, uint32_t gram, int order)
{
    tallies *all = user;
    if (!make_room(all)) return false;
    tally *one = find(all, gram);
    all->used += one->count == 0;
    if (one->count == 0) *one = (tally){.gram = gram, .order = order};
    one->count++;
    all->totals[order]++;
    return true;
}

static bool count_sentences(walk *w, dd_sentence *const *sentences, size_t count)
{
    dd_running_text text = {0};
    bool ok = true;
    for (size_t i = 0; i < count && ok; i++) {
        text.text.size = 0;
        ok = dd_running_text_add(&text, sentences[i]) &&
             walk_text(w, (dd_text){text.text.data, text.text.size}, INT32_MAX);
    }
    dd_running_text_free(&text);
    return ok;
}

/* Eighths of a bit, rounded down: 8 log2(total / count). */
static uint32_t cost_of(uint64_t count, uint64_t total)
{
    static const uint32_t eighths[] = {71468, 77936, 84990, 92682, 101070, 110218, 120194};
    uint64_t ratio = (total << 16) / count; /* times 2^16, as the powers of 2^(1/8) above */
    uint32_t cost = 0;
    for (; ratio >= 2 << 16; ratio >>= 1) cost += 8;
    for (size_t i = 0; i < sizeof eighths / sizeof *eighths; i++) cost += ratio >= eighths[i];
    return cost < DD_PROFILE_UNSEEN ? cost : DD_PROFILE_UNSEEN;
}

/* The frequent ones first; free slots are last. */
static int compare_tallies(const void *a, const void *b)
{
    const tally *one = a, *other = b;
    if (one->count != other->count) return one->count < other->count ? 1 : -1;
    return one->gram < other->gram ? -1 : one->gram > other->gram;
}

static int compare_grams(const void *a, const void *b)
{
    const uint32_t *one = a, *other = b;
    return *one < *other ? -1 : *one > *other;
}

/* Sorts the slots; afterwards the table can no longer be searched. */
static bool write_section(dd_buffer *section, tallies *all, int letters)
{
    uint32_t grams[DD_PROFILE_GRAMS];
    uint64_t costs = 0;
    size_t kept = all->used < DD_PROFILE_GRAMS ? all->used : DD_PROFILE_GRAMS;
    qsort(all->slots, all->size, sizeof *all->slots, compare_tallies);
    for (size_t i = 0; i < all->used; i++) {
        const tally *one = &all->slots[i];
        uint32_t cost = DD_PROFILE_UNSEEN;
        if (i < kept) cost = cost_of(one->count, all->totals[one->order]);
        if (i < kept) grams[i] = one->gram << 8 | cost;
        costs += one->count * cost;
    }
    qsort(grams, kept, sizeof *grams, compare_grams);
    dd_profile_header header = {VERSION, (uint32_t)(costs * 1000 / (uint64_t)letters)};
    return dd_buffer_append(section, &header, sizeof header) &&
           dd_buffer_append(section, grams, kept * sizeof *grams);
}

dd_status dd_profile_learn(dd_buffer *section, dd_sentence *const *sentences, size_t count,
                           dd_error *error)
{
    tallies all = {0};
    walk w = {.each = count_gram, .user = &all};
    bool ok = count_sentences(&w, sentences, count) &&
              (w.letters == 0 || write_section(section, &all, w.letters));
    free(all.slots);
    return ok ? DD_OK : dd_fail_memory(error);
}

/* ---- a profile ---------------------------------------------------------------------------- */

static bool is_sound(const dd_profile *profile)
{
    for (size_t i = 0; i < profile->count; i++) {
        if ((profile->grams[i] & 0xFF) > DD_PROFILE_UNSEEN) return false;
        if (i > 0 && profile->grams[i] >> 8 <= profile->grams[i - 1] >> 8) return false;
    }
    return profile->usual <= 1000 * MOST_GRAMS_OF_LETTER * DD_PROFILE_UNSEEN;
}

dd_status dd_profile_map(dd_profile *out, dd_text section, dd_error *error)
{
    dd_profile_header header = {0};
    size_t grams = section.size / sizeof(uint32_t) - sizeof header / sizeof(uint32_t);
    bool fits = section.size > sizeof header && section.size % sizeof(uint32_t) == 0 &&
                grams <= DD_PROFILE_GRAMS;
    if (fits) memcpy(&header, section.data, sizeof header);
    dd_profile found = {.usual = header.usual};
    if (fits) found.grams = (const uint32_t *)(const void *)(section.data + sizeof header);
    if (fits) found.count = grams;
    if (!fits || header.version != VERSION || !is_sound(&found))
        return dd_fail(error, DD_ERROR_MODEL, "section '%s' is damaged", DD_LANGUAGE);
    *out = found;
    return DD_OK;
}

static uint32_t cost_in(const dd_profile *profile, uint32_t gram)
{
    size_t low = 0, high = profile->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (profile->grams[middle] >> 8 < gram)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < profile->count && profile->grams[low] >> 8 == gram;
    return found ? profile->grams[low] & 0xFF : DD_PROFILE_UNSEEN;
}

/* ---- picking ------------------------------------------------------------------------------ */

/* A text that does not satisfy these bounds is refused. Chosen on the dev sets of 27 languages
 * (docs/models.md). Costs are eighths of a bit. */
enum {
    FEWEST_LETTERS = 10,
    LEAST_LEAD = 150,              /* of the best language over the next */
    LEAST_LEAD_OF_THOUSAND = 1000, /* the same for each 1,000 letters */
    MOST_BEYOND_USUAL = 50000      /* costs of 1,000 letters above those of the training text */
};

typedef struct sample {
    uint32_t *grams; /* [count] */
    size_t count, capacity;
    int letters;
} sample;

static bool keep_gram(void *user, uint32_t gram, int order)
{
    (void)order;
    sample *s = user;
    if (!DD_RESERVE(&s->grams, &s->capacity, s->count + 1)) return false;
    s->grams[s->count++] = gram;
    return true;
}

static bool take_sample(sample *s, dd_text text)
{
    walk w = {.each = keep_gram, .user = s};
    bool ok = walk_text(&w, text, DD_SAMPLE_LETTERS);
    s->letters = w.letters;
    return ok;
}

static uint64_t cost_of_sample(const sample *s, const dd_profile *profile)
{
    uint64_t cost = 0;
    for (size_t i = 0; i < s->count; i++) cost += cost_in(profile, s->grams[i]);
    return cost;
}

/* The two likeliest languages. */
typedef struct ranking {
    size_t best, next; /* candidates; SIZE_MAX: there is none */
    uint64_t cost, next_cost;
} ranking;

static void rank(ranking *r, const dd_known_language *candidates, size_t index, uint64_t cost)
{
    bool known = r->best != SIZE_MAX;
    bool same = known && dd_text_same(candidates[index].language, candidates[r->best].language);
    if (!known || cost < r->cost) {
        if (known && !same) r->next = r->best;
        if (known && !same) r->next_cost = r->cost;
        r->best = index;
        r->cost = cost;
    } else if (!same && (r->next == SIZE_MAX || cost < r->next_cost)) {
        r->next = index;
        r->next_cost = cost;
    }
}

static bool is_clear(const sample *s, const ranking *r)
{
    uint64_t lead = r->next_cost - r->cost, letters = (uint64_t)s->letters;
    if (s->letters < FEWEST_LETTERS) return false;
    return r->next == SIZE_MAX ||
           (lead >= LEAST_LEAD && lead * 1000 >= LEAST_LEAD_OF_THOUSAND * letters);
}

static bool is_like(const sample *s, const ranking *r, const dd_profile *best)
{
    uint64_t most = (uint64_t)best->usual + MOST_BEYOND_USUAL;
    return r->cost * 1000 <= most * (uint64_t)s->letters;
}

static dd_status judge(const sample *s, const ranking *r, const dd_known_language *candidates,
                       dd_error *error)
{
    const dd_known_language *best = &candidates[r->best];
    if (s->letters == 0)
        return dd_fail(error, DD_ERROR_DATA, "there are no letters to identify the language by");
    if (s->letters >= FEWEST_LETTERS && !is_like(s, r, &best->profile))
        return dd_fail(error, DD_ERROR_DATA,
                       "the text is in no language of the models; the nearest is '%s'",
                       dd_quote_text(best->language).text);
    if (is_clear(s, r)) return DD_OK;
    if (r->next == SIZE_MAX)
        return dd_fail(error, DD_ERROR_DATA,
                       "the text is too short to tell its language; the likeliest is '%s'",
                       dd_quote_text(best->language).text);
    return dd_fail(
        error, DD_ERROR_DATA, "the language is not clear; the likeliest are '%s' and '%s'",
        dd_quote_text(best->language).text, dd_quote_text(candidates[r->next].language).text);
}

dd_status dd_language_pick(const dd_known_language *candidates, size_t count, dd_text text,
                           size_t *out, dd_error *error)
{
    sample s = {0};
    ranking r = {.best = SIZE_MAX, .next = SIZE_MAX};
    if (count == 0)
        return dd_fail(
            error, DD_ERROR_DATA,
            "no model can identify the language of a text: none was trained with 'language' "
            "and has a tokenizer");
    dd_status status = take_sample(&s, text) ? DD_OK : dd_fail_memory(error);
    for (size_t i = 0; i < count && status == DD_OK; i++)
        rank(&r, candidates, i, cost_of_sample(&s, &candidates[i].profile));
    if (status == DD_OK) status = judge(&s, &r, candidates, error);
    if (status == DD_OK) *out = r.best;
    free(s.grams);
    return status;
}
