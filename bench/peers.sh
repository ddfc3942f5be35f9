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
# that take turns, on COPIES of the file one behind the other. UDPipe parses with its default, a beam
# of 5, and greedily, as Dodona does.
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
"$dodona" parse -q --paragraphs blank -m "$mine" -o "$work/dodona-text" "$work/text.txt"
"$dodona" parse -q -m "$mine" -o "$work/dodona-tags" "$gold"
# Lemmas that end in a space are made by a model now and then, and are no CoNLL-U.
parse_other() { # OUTPUT ARGUMENT...
    output=$work/$1
    shift
    "$udpipe" "$@" >"$output.raw" 2>"$work/log" || { cat "$work/log"; exit 1; }
    sed 's/ *\t */\t/g' "$output.raw" >"$output"
}
for beam in 5 1; do
    parse_other udpipe$beam-text --tokenize --tag --parser=beam_search=$beam "$theirs" "$work/text.txt"
    parse_other udpipe$beam-tags --parser=beam_search=$beam "$theirs" "$gold"
done

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
    measure "$dodona" parse -q --paragraphs blank --threads 1 -m "$mine" "$work/all.txt" >>"$work/dodona-text.times"
    measure "$dodona" parse -q --threads 1 -m "$mine" "$work/tags.conllu" >>"$work/dodona-tags.times"
    for beam in 5 1; do
        measure "$udpipe" --tokenize --tag --parser=beam_search=$beam "$theirs" "$work/all.txt" \
            >>"$work/udpipe$beam-text.times"
        measure "$udpipe" --parser=beam_search=$beam "$theirs" "$work/tags.conllu" \
            >>"$work/udpipe$beam-tags.times"
    done
done

speed() { sort -n "$work/$1.times" | awk -v words="$words" 'NR == 1 { printf "%.0f", words / $1 }'; }
memory() { sort -k 2 -n "$work/$1.times" | awk '{ most = $2 } END { print most " MiB" }'; }
megabytes() { wc -c <"$1" | awk '{ printf "%.1f MB", $1 / 1e6 }'; }
row() { printf '| %s | %s | %s | %s |\n' "$@"; }
# shellcheck disable=SC2086 # there is a metric or none
each() { # NAME FROM FUNCTION [METRIC]: a row of what the function says of each output
    row "$1, from $2" "$($3 "dodona-$2" ${4:-})" "$($3 "udpipe5-$2" ${4:-})" "$($3 "udpipe1-$2" ${4:-})"
}

row "$(basename "$treebank")" Dodona 'UDPipe 1' 'UDPipe 1, greedy'
echo '|---|---:|---:|---:|'
for metric in Words Sentences UPOS UFeats Lemmas UAS LAS; do each $metric text f1 $metric; done
for metric in UAS LAS; do each $metric tags f1 $metric; done
for from in text tags; do each words/s $from speed; done
for from in text tags; do each memory $from memory; done
row model "$(megabytes "$mine")" "$(megabytes "$theirs")" ''
