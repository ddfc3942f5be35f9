/* Templates: whatever the text, a set is read or refused, and what is read can be extracted in
 * every configuration. */
#include "fuzz.h"

#include "core/random.h"
#include "linear/extract.h"
#include "systems/registry.h"

#include <stdlib.h>
#include <string.h>

static void require(bool holds)
{
    if (!holds) abort();
}

static const char words[] = "1\tthe\tthe\tDET\tD\tA=b|Case=Nom\t2\tdet\t_\t_\n"
                            "2\tcat\t_\tN\tN\tCase=\xC3\xA9\t3\tsubj\t_\t_\n"
                            "3\tsees\tsee\tV\tV\t_\t0\troot\t_\t_\n"
                            "4\tit\tit\tP\t_\tA=b\t3\tobj\t_\t_\n\n";

/* Every configuration of a random derivation. The keys lie in a block of just their size, so that a
 * sanitizer sees every step beyond it. */
static void extract_all(const dd_templates *set, const dd_system *system, const dd_tokens *tokens,
                        dd_random *random)
{
    dd_config config = {0};
    dd_move moves[16];
    static dd_extraction extraction; /* large, and what is absent is read too, and left alone */
    uint32_t *keys = malloc(dd_keys_room(set) * sizeof *keys);
    require(keys && dd_system_max_moves(system, tokens->n) <= 16);
    require(dd_system_begin(system, &config, tokens->n, false));
    for (int label = 0;; label++) {
        int count = dd_extract(set, &config, tokens, &extraction, keys);
        require(count >= 0 && count <= set->n_templates);
        int n = dd_system_permissible(system, &config, moves);
        if (n == 0) break;
        dd_arc arc = dd_system_arc(system, &config, moves[0]);
        dd_candidate candidate = {arc.head, arc.dependent, 1, 2};
        count = dd_extract_move(set, &config, tokens, candidate, &extraction, keys);
        require(count >= 0 && count <= set->n_move_templates);
        dd_system_apply(system, &config, moves[dd_random_below(random, (uint32_t)n)], label);
    }
    dd_config_free(&config);
    free(keys);
}

static void use(const dd_templates *set, dd_random *random)
{
    dd_reader *reader;
    dd_sentence *sentence;
    dd_token_batch batch = {0};
    dd_text text = {words, sizeof words - 1};
    require(dd_reader_open_memory(&reader, "words", text, DD_FORMAT_CONLLU, NULL) == DD_OK);
    require(dd_sentence_new(&sentence, NULL) == DD_OK);
    require(dd_reader_next(reader, sentence, NULL) == DD_OK);
    const dd_sentence *one = sentence;
    require(dd_token_batch_set(&batch, set, &one, 1, DD_ALL_COLUMNS));
    for (size_t s = 0; s < dd_system_count(); s++)
        extract_all(set, dd_system_get(s), batch.tokens, random);
    dd_token_batch_free(&batch);
    dd_sentence_free(sentence);
    dd_reader_close(reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    dd_templates *set = NULL;
    dd_error error = {.status = DD_OK};
    dd_random random = {size};
    dd_status status =
        dd_templates_parse(&set, "fuzz", (dd_text){(const char *)data, size}, &error);
    if (status == DD_OK) {
        require(set->n_templates > 0 && set->text_size == size);
        use(set, &random);
    } else {
        require(status == DD_ERROR_FORMAT && !set && memcmp(error.message, "fuzz:", 5) == 0);
    }
    dd_templates_free(set);
    return 0;
}

static const char small[] = "S0.form B0.upos\nS0.l1.label S0.h.upos # why\n\nS0.feats:Case\n"
                            "dist(S0,B0) S1.lefts\r\nB1.rights\tS0.r2.leftset B2.rightset\n";
static const char deep[] = "dist(S0.h.l1.r2.h,B9.l2)\nS9.h.h.h.h.lemma\nS0.xpos S1.xpos S2.xpos "
                           "S3.xpos B0.xpos B1.xpos B2.xpos B3.xpos\nS0.feats:A B0.feats";

fuzz_seed fuzz_seed_at(size_t index)
{
    static const fuzz_seed seeds[] = {{small, sizeof small - 1}, {deep, sizeof deep - 1}};
    if (index < 2) return seeds[index];
    /* Whole sets are slower, so that just one seed is made of them. */
    dd_text built_in = dd_templates_builtin(dd_system_get(0)->features.templates);
    return index == 2 ? (fuzz_seed){built_in.data, built_in.size} : (fuzz_seed){NULL, 0};
}
