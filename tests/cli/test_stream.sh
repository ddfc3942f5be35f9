# The program as a co-process: a sentence that is complete is answered before the next is written.

examples=$here/../../examples
train=$examples/demo-train.conllu
test=$examples/demo-test.conllu
model=$root/model
"$program" train -q --only tokenizer,parser --iterations 2 -o "$model" "$train" ||
    { echo "Bail out! no model"; exit 1; }

# Whether pieces, each answered in its turn, give what the whole gives at once.
converse() { # pipe|terminal OPTIONS PIECE...
    local kind=$1 options=$2
    shift 2
    # shellcheck disable=SC2086
    claim python3 -B "$here/coprocess.py" "$kind" "$@" -- \
        timeout 300 "$program" parse -q -m "$model" $options >answers
    for piece in "$@"; do
        case $piece in
        @*) cat "${piece#@}" ;;
        *) printf '%b' "$piece" ;;
        esac
    done >whole
    # shellcheck disable=SC2086
    run parse -q -m "$model" $options <whole
    status 0
    claim test -s out
    claim cmp answers out
}

# one.conllu, two.conllu, ..: the first sentences of the treebank.
split_sentences() {
    awk -v RS= '{ printf "%s\n\n", $0 >("s" NR ".conllu") } NR == 3 { exit }' "$test"
}

begin 'CoNLL-U, with any number of threads'
split_sentences
for threads in 1 2 4; do
    converse pipe "--threads $threads" @s1.conllu @s2.conllu @s3.conllu
    converse pipe "--threads $threads --unbuffered --to json" @s1.conllu @s2.conllu @s3.conllu
done

begin 'a sentence is not held back by the beginning of the next'
split_sentences
for threads in 1 3; do
    { cat s1.conllu; head -n 3 s2.conllu; } >piece1
    { tail -n +4 s2.conllu; head -c 50 s3.conllu; } >piece2
    tail -c +51 s3.conllu >piece3
    converse pipe "--threads $threads" @piece1 @piece2 @piece3
done

begin 'paragraphs of text, and lines that are sentences'
for threads in 1 2; do
    converse pipe "--threads $threads" 'Birds sing.\n\n' 'The oak\nrustles.\n\n' 'Hi.\n\n'
    converse pipe "--threads $threads --given sentences" 'Hi\n' 'Birds sing.\n' 'The oak rustles.\n'
    converse pipe "--threads $threads --from vertical" 'Birds\nsing\n\n' 'P\n\n'
done

begin 'packed input, when there is something to unpack'
split_sentences
for packing in gz zst; do
    for i in 1 2 3; do run parse -q -m "$model" -o s$i.$packing s$i.conllu; done
    converse pipe '' @s1.$packing @s2.$packing @s3.$packing
    converse pipe '--threads 2' @s1.$packing @s2.$packing @s3.$packing
done

begin 'on a terminal'
split_sentences
converse terminal '' @s1.conllu @s2.conllu
converse terminal '--threads 2 --given sentences' 'Birds sing.\n' 'The oak rustles.\n'
converse terminal '--to json' 'Birds sing.\n\n' 'The oak rustles.\n\n'

begin 'in bash'
split_sentences
coproc dodona { "$program" parse -q -m "$model"; }
told=
for i in 1 2 3; do
    cat s$i.conllu >&"${dodona[1]}"
    while IFS= read -r -t 60 line <&"${dodona[0]}" && [ -n "$line" ]; do told+=$line$'\n'; done
    told+=$'\n'
done
exec {dodona[1]}>&-
wait
printf %s "$told" >answers
cat s1.conllu s2.conllu s3.conllu >whole.conllu
run parse -q -m "$model" whole.conllu
claim cmp answers out

begin 'a file before a pipe that has nothing yet'
split_sentences
mkfifo pipe
"$program" parse -q -m "$model" s1.conllu pipe >answers &
child=$!
exec 7<>pipe
for ((i = 0; i < 600; i++)); do
    [ -s answers ] && break
    sleep 0.1
done
run parse -q -m "$model" s1.conllu
claim cmp <(tail -n +2 answers) out
cat s2.conllu >pipe
exec 7>&-
wait $child

begin 'a reader that goes away'
cp "$test" many.conllu
double 6 many.conllu
{ "$program" parse -q -m "$model" --unbuffered many.conllu; echo $? >told; } 2>err | head -n 3 >/dev/null
claim test "$(cat told)" -ne 0

begin 'the output does not depend on how it is written'
cp "$test" many.conllu
double 6 many.conllu
run parse -q -m "$model" many.conllu
mv out whole
for options in '--unbuffered' '--unbuffered --threads 3' '--threads 3'; do
    # shellcheck disable=SC2086
    cat many.conllu | "$program" parse -q -m "$model" $options >out
    claim cmp out whole
done
