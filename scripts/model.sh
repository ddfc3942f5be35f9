#!/bin/sh
# Trains the English models: model.sh PROGRAM TREEBANK TEXT [FOLDER]
# TREEBANK is a folder with train.conllu and dev.conllu of UD English EWT; TEXT is running English, packed by xz, for
# word vectors, silver tags and silver trees. The models are packed into FOLDER, by default models.
#     english       neural tagger and parser, which also learn from tags and trees on which others agree
#     english-fast  linear tagger and a narrower parser, from the treebank alone
# What is made on the way is left in $WORK, if that is given: then a part that is there is not made again. VECTORS
# may name a file of word vectors, and OPTIONS hold further options of `dodona train`.
set -eu

dodona=$1
treebank=$2
text=$3
folder=${4:-models}
most=14000000 # bytes of a packed model, as they are kept in the repository
lines=60000   # of the text, for silver tags and trees
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
[ -f "$text" ] || stop "$text is missing; name the file: make model TEXT=path"
[ -f "$vectors" ] || command -v fasttext >/dev/null ||
    stop "fasttext is missing; Debian has it in a package of that name"

# train MODEL OPTION...: unless the model is there
train() {
    model=$WORK/$1.dodona
    shift
    # shellcheck disable=SC2086 # the options are words
    [ -f "$model" ] || "$dodona" train --threads "$threads" -o "$model.new" "$@" ${OPTIONS:-}
    [ -f "$model" ] || mv "$model.new" "$model"
}

# The running text.
unpack() {
    python3 -c 'import lzma, shutil, sys; shutil.copyfileobj(lzma.open(sys.argv[1]), sys.stdout.buffer)' "$text"
}

# annotate MODEL FROM: what it makes of words, in MODEL.conllu
annotate() {
    "$dodona" parse -q --threads "$threads" -m "$WORK/$1.dodona" -o "$WORK/$1.conllu" "$WORK/$2.conllu"
}

# vote tags|trees NAME MODEL...: what most of them have made, in NAME.conllu
vote() {
    kind=$1 name=$2
    shift 2
    for one; do
        set -- "$@" "$WORK/$one.conllu"
        shift
    done
    python3 "$models/vote.py" "$kind" "$@" >"$WORK/new.conllu"
    mv "$WORK/new.conllu" "$WORK/$name.conllu"
}

python3 "$models/sentences.py" "$models/english-extra.txt" >"$WORK/extra.conllu"
train tokenizer --only tokenizer "$treebank/train.conllu" "$WORK/extra.conllu"

if [ ! -f "$vectors" ]; then
    unpack | "$dodona" parse -q -m "$WORK/tokenizer.dodona" --threads "$threads" --from text |
        python3 "$models/words.py" >"$WORK/words.txt"
    fasttext skipgram -input "$WORK/words.txt" -output "$WORK/words" -dim 100 -ws 3 -epoch 1 \
        -minCount 5 -maxn 0 -bucket 0 -thread "$threads"
    rm "$WORK/words.txt" "$WORK/words.bin"
fi

# Taggers that learn from the treebank alone. The parsers learn from the tags of their folds.
train linear --components-from "$WORK/tokenizer.dodona" --only tagger,lemmatizer --tagger linear \
    --jackknife 10 --jackknifed "$WORK/linear-folds.conllu" --tagger-bytes 4000000 --lemmatizer-bytes 1000000 \
    "$treebank/train.conllu"
train small --components-from "$WORK/tokenizer.dodona" --only tagger,lemmatizer --tagger neural --tagger-iterations 15 \
    --vectors "$vectors" --vectors-words 50000 --jackknife 5 --jackknifed "$WORK/folds.conllu" \
    --lemmatizer-bytes 1000000 "$treebank/train.conllu"
train large --only tagger --tagger neural --tagger-iterations 15 --tagger-layers 2 \
    --vectors "$vectors" --vectors-words 50000 "$treebank/train.conllu"

# Silver tags, and the tagger that learns from them and from short sentences such as a treebank of the web lacks.
if [ ! -f "$WORK/tags.conllu" ]; then
    unpack | shuf -n "$lines" --random-source="$text" >"$WORK/sample.txt"
    "$dodona" parse -q --threads "$threads" -m "$WORK/tokenizer.dodona" -o "$WORK/sample.conllu" "$WORK/sample.txt"
    for one in large small linear; do annotate $one sample; done
    vote tags tags large small linear
fi
short=$WORK/tagged.conllu
python3 "$models/tagged.py" "$models/english-tagged.txt" "$treebank/train.conllu" >"$short"
train student --components-from "$WORK/tokenizer.dodona" --only tagger --tagger neural --tagger-iterations 15 \
    --vectors "$vectors" --vectors-words 50000 --tagger-silver "$WORK/tags.conllu" \
    "$treebank/train.conllu" "$short" "$short" "$short"
train tagger --components-from "$WORK/student.dodona" --only lemmatizer --lemmatizer-bytes 1000000 \
    "$treebank/train.conllu"

# parser MODEL TAGGER OPTION...
parser() {
    name=$1 from=$2
    shift 2
    train "$name" --components-from "$WORK/$from.dodona" --scorer neural --tidy --dev "$treebank/dev.conllu" \
        --language en --treebank 'UD English EWT (Silveira et al. 2014)' --licence 'CC BY-SA 4.0' "$@"
}

# Parsers that differ in width, in the tags they learnt from, and in having vectors.
parser english-fast linear --system arc-hybrid --vectors "$vectors" --vectors-words 50000 "$WORK/linear-folds.conllu"
parser wide small --system arc-hybrid --width 192 --vectors "$vectors" --vectors-words 50000 "$WORK/folds.conllu"
parser wider small --system arc-hybrid --width 256 --iterations 30 "$treebank/train.conllu"

# Silver trees, with which one of them goes on.
if [ ! -f "$WORK/trees.conllu" ]; then
    annotate english-fast tags # with lemmas, which the others keep
    annotate wide english-fast
    annotate wider english-fast
    vote trees trees wide english-fast wider
fi
parser english tagger --start-from "$WORK/wide.dodona" --rate 0.0007 --iterations 10 \
    --silver "$WORK/trees.conllu" "$WORK/folds.conllu"

for model in english english-fast; do
    "$models/pack.py" "$WORK/$model.dodona" "$folder/$model.dodona.xz"
    size=$(wc -c <"$folder/$model.dodona.xz")
    echo "$model: $size bytes, unpacked $(wc -c <"$WORK/$model.dodona")"
    [ "$size" -le "$most" ] || stop "larger than $most bytes"
done
