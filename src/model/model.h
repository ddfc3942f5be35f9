/* model.h - a model: everything that parsing needs, in one image that is mapped and read in place
 *
 *     header | table of sections | sections, each on a 64-byte boundary
 *
 *     facts      "key<TAB>value" lines: components, system, options, data hash, licence, ..
 *     labels     see transition/inventory.h: the parser, with
 *     ..         the sections of its scorer (see score/scorer.h)
 *     confidence see core/confidence.h; of parsers that were trained with dev data
 *     tokenizer  see segment/segmenter.h
 *     token-lists see segment/token_lists.h
 *     language   see segment/language.h; of models with a tokenizer whose language was given
 *     tagger     see tag/tagger.h
 *     lemmatizer see tag/lemmatizer.h
 *
 * Each component may be missing, but not all.
 *
 * The file is little-endian and has no pointers, dates or padding of unknown content, so equal
 * training gives equal bytes. */
#ifndef DODONA_MODEL_MODEL_H
#define DODONA_MODEL_MODEL_H

#include "core/confidence.h"
#include "score/scorer.h"
#include "segment/language.h"
#include "segment/segmenter.h"
#include "tag/lemmatizer.h"
#include "tag/tagger.h"
#include "transition/inventory.h"
#include "tree/lift.h"

/* What becomes of an image when its model is freed. */
typedef enum dd_image_kind {
    DD_IMAGE_ALLOCATED, /* it is freed */
    DD_IMAGE_MAPPED,    /* it is unmapped */
    DD_IMAGE_LENT,      /* nothing: the caller owns it and must not change it */
} dd_image_kind;

struct dd_model {
    const char *image; /* [size] the file's bytes */
    size_t size;
    dd_image_kind kind;
    dd_text facts;             /* a section in image */
    dd_segmenter *segmenter;   /* NULL: no tokenizer */
    dd_profile profile;        /* of its language; may be empty */
    dd_tagger *tagger;         /* may be NULL */
    dd_lemmatizer *lemmatizer; /* may be NULL */
    /* The parser, unless system is NULL. */
    const dd_system *system;
    bool single_root;
    int beam;         /* that it was trained with, 1: greedy */
    bool tidy;        /* its trees are made tidy unless told otherwise */
    uint32_t columns; /* bit c: the scorer uses column c and the training data had it */
    dd_inventory inventory;
    dd_unlift unlift; /* undoes pseudo-projective lifting */
    const dd_scorer *scorer;
    void *frozen; /* the scorer's weights */
    bool by_move; /* as the scorer says */
    dd_confidence confidence;
};

/* Makes an image (64-byte aligned, to be freed) from sections. Their order does not matter: each
 * has its place in the file, and those without data are left out. */
dd_status dd_model_assemble(char **image, size_t *size, const dd_sections *sections,
                            dd_error *error);
/* Checks an image and makes a model of it, which owns the image from then on, also on failure,
 * unless it is lent. It is 64-byte aligned. */
dd_status dd_model_from_image(dd_model **out, const char *name, const char *image, size_t size,
                              dd_image_kind kind, dd_error *error);
/* "tokenizer parser": components by their names, as a fact. */
bool dd_components_write(uint32_t components, dd_buffer *out);
/* "FORM UPOS": columns by their names, as a fact. */
bool dd_columns_write(uint32_t columns, dd_buffer *out);
/* The text of a label of a finished tree. */
dd_text dd_model_label(const dd_model *model, int label);
/* For tests and benchmarks, before any parser is made: parses with these kernels. The trees are the
 * same. */
void dd_model_choose_kernels(dd_model *model, const dd_kernels *kernels);
/* The value of a fact; {NULL, 0} if there is none. */
dd_text dd_model_find_fact(const dd_model *model, const char *key);
dd_text dd_facts_find(dd_text facts, const char *key);
/* Appends the facts of a model file. Neither the rest of it nor its checksum is looked at, so that
 * this takes no longer with a large model. */
dd_status dd_model_read_facts(dd_buffer *out, const char *path, dd_error *error);
/* The same of any section; *there: whether the model has it. */
dd_status dd_model_read_section(dd_buffer *out, const char *path, const char *name, bool *there,
                                dd_error *error);

#endif
