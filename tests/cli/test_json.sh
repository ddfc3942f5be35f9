# `parse --to json`: all that CoNLL-U has, for every reader of JSON.

examples=$here/../../examples
train=$examples/demo-train.conllu
test=$examples/demo-test.conllu
model=$root/model
"$program" train -q --only all --iterations 3 --beam 4 --system arc-eager -o "$model" "$train" ||
    { echo "Bail out! no model"; exit 1; }

# Parses with both formats, and compares.
compare() { # ARGUMENT...
    run parse -q -m "$model" "$@"
    status 0
    mv out conllu
    run parse -q -m "$model" --to json "$@"
    status 0
    claim python3 -B "$here/check_json.py" out conllu
}

begin 'the same as CoNLL-U, of CoNLL-U and of text'
cat "$test" "$train" mixed.conllu partial.conllu >all.conllu
compare all.conllu
claim test "$(wc -l <out)" -eq "$(grep -c '^$' all.conllu)"
compare --threads 3 --scores all.conllu
claim grep -q '"score":null' out
claim grep -q '"score":[0-9.]' out
compare --nbest 4 --scores "$test"
claim grep -q '"nbest":2,"score":' out
sed -n 's/^# text = //p' "$train" | tr '\n' ' ' >train.txt
compare --ranges train.txt
sed -n 's/^# text = //p' "$test" >lines.txt
compare --given sentences lines.txt
compare hostile.conllu
compare reads.conll

begin 'malformed sentences stay what they were'
compare --skip-bad bad.conllu
claim grep -q '"malformed":' out
printf '1\t\377\0"\\\n\n' | cat - "$test" >worse.conllu
compare --skip-bad worse.conllu
python3 -B -c '
import random, sys
some = random.Random(7)
whole = open(sys.argv[1], "rb").read()
for _ in range(40):
    at = some.randrange(len(whole) - 500)
    piece = bytearray(whole[at:at + 500])
    for _ in range(some.randrange(4)):
        piece[some.randrange(len(piece))] = some.choice(b"\0\1\t\n\r\"\\#_\x7f\x85\xa8\xc2\xe2\xff")
    sys.stdout.buffer.write(piece + b"\n\n")
' "$train" >random.conllu
compare --skip-bad random.conllu

begin 'any bytes, as plain text'
head -c 20000 "$program" >bytes
compare --from text bytes
compare --from vertical bytes
compare --from text --given sentences bytes

begin 'formats that cannot be written'
run parse -m "$model" --to jsn reads.conllu
status 2
stderr <<'END'
dodona parse: option '--to': 'jsn' is not one of conllu, json, jsonl; did you mean 'json'?
END

begin 'a terminal is not commanded'
claim python3 "$here/terminal.py" "$program" parse -q -m "$model" --to json hostile.conllu >shown
run parse -q -m "$model" --to json hostile.conllu
claim cmp shown out
