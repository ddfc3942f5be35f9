#!/bin/sh
# Trains the English models: model.sh PROGRAM TREEBANK TEXT SILVER [FOLDER]
# TREEBANK is a folder with train.conllu and dev.conllu of UD English EWT; TEXT is running English, packed by xz, for
# word vectors; SILVER is CoNLL-U that a teacher has labelled (models/teacher). The models are packed into FOLDER, by
# default models.
#     english       neural tagger of 2 x 128, parser of 2 x 192
#     english-fast  linear tagger, parser of 2 x 128
# Taggers and parsers learn from the treebank and from the silver trees. What is made on the way is left in $WORK, if
# that is given: a part that is there is not made again, and a training that was interrupted continues. VECTORS may
# name a file of word vectors, and OPTIONS hold further options of `dodona train`.
set -eu

dodona=$1
treebank=$2
text=$3
silver=$4
folder=${5:-models}
version=4
most=9000000 # bytes of a packed model, as they are kept in the repository
models=$(dirname "$0")/../models
threads=$(nproc)
if [ -z "${WORK:-}" ]; then
    WORK=$(mktemp -d)
    trap 'rm -rf "$WORK"' EXIT
fi
vectors=${VECTORS:-$WORK/words.vec}

stop() {
    echo "$1" >&2
    exit 1
}

for part in train dev; do
    [ -f "$treebank/$part.conllu" ] ||
        stop "$treebank/$part.conllu is missing; name the folder: make model TREEBANK=path"
done
[ -f "$text" ] || [ -f "$vectors" ] || stop "$text is missing; name the file: make model TEXT=path"
[ -f "$silver" ] || stop "$silver is missing; models/teacher/README.md tells how to make it: make model SILVER=path"
[ -f "$vectors" ] || command -v fasttext >/dev/null ||
    stop "fasttext is missing; Debian has it in a package of that name"

# train MODEL OPTION...: unless the model is there
train() {
    model=$WORK/$1.dodona
    shift
    resume=
    [ ! -f "$model.new.checkpoint" ] || resume=--resume
    # shellcheck disable=SC2086 # the options are words
    [ -f "$model" ] || "$dodona" train --threads "$threads" --weight-bits 5 -o "$model.new" $resume "$@" ${OPTIONS:-}
    [ -f "$model" ] || mv "$model.new" "$model"
}

# tag MODEL: the silver trees with its tags, which are what the parser will see, in MODEL.conllu
tag() {
    [ -f "$WORK/$1.conllu" ] || {
        "$dodona" parse -q --threads "$threads" --tag -m "$WORK/$1.dodona" -o "$WORK/new.conllu" "$silver"
        mv "$WORK/new.conllu" "$WORK/$1.conllu"
    }
}

# Text becomes words.
python3 "$models/sentences.py" "$models/english-extra.txt" >"$WORK/extra.conllu"
train tokenizer --only tokenizer --tokenizer neural "$treebank/train.conllu" "$WORK/extra.conllu"
if [ ! -f "$vectors" ]; then
    python3 -c 'import lzma, shutil, sys; shutil.copyfileobj(lzma.open(sys.argv[1]), sys.stdout.buffer)' "$text" |
        "$dodona" parse -q -m "$WORK/tokenizer.dodona" --threads "$threads" --from text |
        python3 "$models/words.py" >"$WORK/words.txt"
    fasttext skipgram -input "$WORK/words.txt" -output "$WORK/words" -dim 100 -ws 3 -epoch 1 \
        -minCount 5 -maxn 0 -bucket 0 -thread "$threads"
    rm "$WORK/words.txt" "$WORK/words.bin"
fi

# Words get tags. The folds are the treebank as the parsers are to see it; short sentences such as a treebank of the
# web lacks are written by hand.
train folds --components-from "$WORK/tokenizer.dodona" --only tagger,lemmatizer --tagger linear --jackknife 5 \
    --jackknifed "$WORK/folds.conllu" --tagger-bytes 4000000 --lemmatizer-bytes 1000000 "$treebank/train.conllu"
short=$WORK/tagged.conllu
python3 "$models/tagged.py" "$models/english-tagged.txt" "$treebank/train.conllu" >"$short"
train neural --components-from "$WORK/folds.dodona" --only tagger --tagger neural --tagger-layers 2 \
    --tagger-iterations 7 --silver-weight 10 --vectors "$vectors" --vectors-words 50000 --tagger-silver "$silver" \
    "$treebank/train.conllu" "$short" "$short" "$short"
[ -f "$WORK/some.conllu" ] || awk 'BEGIN { RS = ""; ORS = "\n\n" } NR <= 140000' "$silver" >"$WORK/some.conllu"
train linear --components-from "$WORK/folds.dodona" --only tagger --tagger linear --tagger-iterations 6 \
    --tagger-bytes 3800000 "$treebank/train.conllu" "$WORK/some.conllu" "$short"

# Tagged words get trees: first from the treebank alone, then from silver trees too.
# parser MODEL TAGGER WIDTH ITERATIONS
parser() {
    tag "$2"
    train "$1-base" --components-from "$WORK/$2.dodona" --scorer neural --tidy --system arc-hybrid --width "$3" \
        --vectors "$vectors" --vectors-words 50000 --dev "$treebank/dev.conllu" "$WORK/folds.conllu"
    train "$1" --components-from "$WORK/$2.dodona" --start-from "$WORK/$1-base.dodona" --scorer neural --tidy \
        --rate 0.0015 --iterations "$4" --silver "$WORK/$2.conllu" --silver-weight 10 --dev "$treebank/dev.conllu" \
        --language en --treebank 'UD English EWT (Silveira et al. 2014)' --model-version "$version" \
        --licence 'CC BY-SA 4.0' "$WORK/folds.conllu"
    "$models/pack.py" "$WORK/$1.dodona" "$folder/$1.dodona.xz"
    size=$(wc -c <"$folder/$1.dodona.xz")
    echo "$1: $size bytes, unpacked $(wc -c <"$WORK/$1.dodona")"
    [ "$size" -le "$most" ] || stop "larger than $most bytes"
}

parser english neural 192 9
parser english-fast linear 128 9
