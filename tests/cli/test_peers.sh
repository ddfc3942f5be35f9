# bench/peers.sh, with a stand-in for the other program: Dodona itself behind UDPipe's options.

peers() { # ARGUMENT...
    DODONA=$program TREEBANK=treebank MODELS=models RUNS=1 COPIES=1 \
        "$here/../../bench/peers.sh" "$@" >out 2>err
    exit_status=$? ran="bench/peers.sh $*"
}
begin 'a table of two programs'
mkdir treebank
cp "$here/../../examples/demo-train.conllu" treebank/train.conllu
cp "$here/../../examples/demo-test.conllu" treebank/dev.conllu
cp treebank/dev.conllu treebank/test.conllu
cat >udpipe <<'STANDIN'
#!/bin/sh
echo "$*" >>told
case $* in
--train*)
    shift
    model=$1
    for last; do :; done
    exec "$DODONA" train -q --only all --iterations 1 -o "$model" "$last" ;;
--tokenize*) exec "$DODONA" parse -q -m "$4" "$5" ;;
*) exec "$DODONA" parse -q -m "$2" "$3" ;;
esac
STANDIN
chmod +x udpipe
mkdir -p models
peers ./udpipe
status 0
claim grep -q '^--train models/peer.udpipe --tokenizer=epochs=20 --tagger=iterations=10 --parser=iterations=5 --heldout=treebank/dev.conllu treebank/train.conllu$' told
claim grep -qE '^UDPipe 1: trained in [0-9.]+ s, [0-9]+ MiB: tokenizer epochs=20, tagger iterations=10, parser iterations=5$' out
claim grep -qxF '| treebank | Dodona | UDPipe 1 | UDPipe 1, greedy |' out
claim grep -q '^--parser=beam_search=5 models/peer.udpipe treebank/test.conllu$' told
"$program" parse -q -m models/peer.udpipe -o parsed.conllu treebank/test.conllu
las=$("$program" eval treebank/test.conllu parsed.conllu | awk -F '|' '/^LAS/ { printf "%.2f", $4 }')
claim grep -qE "^\| LAS, from tags \| [0-9.]+ \| $las \| $las \|$" out
for row in 'Words, from text' 'words/s, from text' 'words/s, from tags'; do
    claim grep -qE "^\| $row( \| [0-9.]+){3} \|$" out
done
claim grep -qE '^\| memory, from tags( \| [0-9]+ MiB){3} \|$' out
claim grep -qE '^\| model \| [0-9.]+ MB \| [0-9.]+ MB \|  \|$' out
# Models that are there are not trained again.
peers ./udpipe models/peer.udpipe
status 0
claim test "$(grep -c trained out)" = 0
