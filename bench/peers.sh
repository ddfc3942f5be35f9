#!/bin/sh
# Dodona beside UDPipe 1 on the same input: bench/peers.sh PATH_TO_UDPIPE [UDPIPE_MODEL]
# UDPipe is a program that was built from its repository, https://github.com/ufal/udpipe. Without a
# model of it one is trained on train.conllu of TREEBANK, with dev.conllu as its heldout data; the
# defaults of its tokenizer, tagger and parser (100, 20 and 10 iterations) take hours, so that fewer
# are made here, which TOKENIZER, TAGGER and PARSER say. Dodona's model is trained on the same files
# with its own defaults, unless DODONA_MODEL names one.
#
# Prints F1 by the CoNLL 2018 rules, and words per second of processor time, from the text of
# test.conllu and from its gold tokens and tags, one thread, reading, writing and loading the model
# included; the largest resident memory; and the size of the models. Each speed is the best of RUNS
# that take turns, on COPIES of the file one behind the other.
#
# DODONA (build/dodona), TREEBANK (../shared/treebanks/en_ewt), MODELS (a folder to keep the models
# in), RUNS (3), COPIES (4), TOKENIZER (epochs=20), TAGGER (iterations=10), PARSER (iterations=5).
set -eu

udpipe=${1:?usage: bench/peers.sh PATH_TO_UDPIPE [UDPIPE_MODEL]}
here=$(dirname "$0")
dodona=${DODONA:-build/dodona}
treebank=${TREEBANK:-../shared/treebanks/en_ewt}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
models=${MODELS:-$work}
mine=${DODONA_MODEL:-$models/peer.dodona}
theirs=${2:-$models/peer.udpipe}
gold=$treebank/test.conllu

# Runs a command and prints the processor time it takes, in seconds, and its memory, in MiB.
measure() {
    python3 -c '
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(f"{used.ru_utime + used.ru_stime:.3f} {used.ru_maxrss / 1024:.0f}")' "$@"
}

if [ ! -f "$mine" ]; then
    echo "Dodona: trained in $(measure "$dodona" train -q --only all --jackknife 10 --threads 1 \
        --dev "$treebank/dev.conllu" -o "$mine" "$treebank/train.conllu" |
        awk '{ print $1 " s, " $2 " MiB" }'), its defaults with --jackknife 10"
fi
if [ ! -f "$theirs" ]; then
    tokenizer=${TOKENIZER:-epochs=20} tagger=${TAGGER:-iterations=10} parser=${PARSER:-iterations=5}
    echo "UDPipe 1: trained in $(measure "$udpipe" --train "$theirs" --tokenizer="$tokenizer" \
        --tagger="$tagger" --parser="$parser" --heldout="$treebank/dev.conllu" \
        "$treebank/train.conllu" | awk '{ print $1 " s, " $2 " MiB" }'):" \
        "tokenizer $tokenizer, tagger $tagger, parser $parser"
fi

# ---- accuracy

"$here/raw_text.py" "$gold" >"$work/text.txt"
"$dodona" parse -q -m "$mine" -o "$work/dodona-text" "$work/text.txt"
"$dodona" parse -q -m "$mine" -o "$work/dodona-tags" "$gold"
"$udpipe" --tokenize --tag --parse "$theirs" "$work/text.txt" >"$work/udpipe-text" 2>"$work/log"
"$udpipe" --parse "$theirs" "$gold" >"$work/udpipe-tags" 2>"$work/log"

f1() { # OUTPUT METRIC
    "$dodona" eval "$gold" "$work/$1" | awk -F '|' -v wanted="$2" '
        { gsub(/ /, "", $1) } $1 == wanted { printf "%.2f", $4 }'
}

# ---- speed and memory

for _ in $(seq "${COPIES:-4}"); do
    cat "$gold" >>"$work/tags.conllu"
    { cat "$work/text.txt"; echo; } >>"$work/all.txt"
done
words=$("$dodona" stats "$work/tags.conllu" | awk '$1 == "words" { gsub(/,/, ""); print $2; exit }')
for _ in $(seq "${RUNS:-3}"); do
    measure "$dodona" parse -q --threads 1 -m "$mine" "$work/all.txt" >>"$work/dodona-text.times"
    measure "$udpipe" --tokenize --tag --parse "$theirs" "$work/all.txt" >>"$work/udpipe-text.times"
    measure "$dodona" parse -q --threads 1 -m "$mine" "$work/tags.conllu" >>"$work/dodona-tags.times"
    measure "$udpipe" --parse "$theirs" "$work/tags.conllu" >>"$work/udpipe-tags.times"
done

speed() { sort -n "$work/$1.times" | awk -v words="$words" 'NR == 1 { printf "%.0f", words / $1 }'; }
memory() { sort -k 2 -n "$work/$1.times" | awk '{ most = $2 } END { print most " MiB" }'; }
megabytes() { wc -c <"$1" | awk '{ printf "%.1f MB", $1 / 1e6 }'; }
row() { printf '| %s | %s | %s |\n' "$@"; }

row "$(basename "$treebank")" Dodona 'UDPipe 1'
echo '|---|---:|---:|'
for metric in Words Sentences UPOS UFeats Lemmas UAS LAS; do
    row "$metric, from text" "$(f1 dodona-text $metric)" "$(f1 udpipe-text $metric)"
done
row 'UAS, from tags' "$(f1 dodona-tags UAS)" "$(f1 udpipe-tags UAS)"
row 'LAS, from tags' "$(f1 dodona-tags LAS)" "$(f1 udpipe-tags LAS)"
row 'words/s, from text' "$(speed dodona-text)" "$(speed udpipe-text)"
row 'words/s, from tags' "$(speed dodona-tags)" "$(speed udpipe-tags)"
row 'memory, from text' "$(memory dodona-text)" "$(memory udpipe-text)"
row 'memory, from tags' "$(memory dodona-tags)" "$(memory udpipe-tags)"
row model "$(megabytes "$mine")" "$(megabytes "$theirs")"
