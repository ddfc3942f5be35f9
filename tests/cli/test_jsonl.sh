# Documents in JSON lines, other encodings, compressed files.

examples=$here/../../examples
export DODONA_MODEL=$root/model
"$program" train -q --only tokenizer,parser --iterations 3 -o "$DODONA_MODEL" "$examples/demo-train.conllu" ||
    { echo "Bail out! no model"; exit 1; }

# Two documents, with a line between them that is none.
documents() {
    cat <<'END'
{"id":"a 1","text":"Birds sing. The oak rustles.","year":1998,"tags":["x", "y"]}

{"id":"b","txt":"The king waits."}
{"id":"c","text":"The king waits.","score":1.10}
END
}

begin 'documents become CoNLL-U with their ids and fields'
documents | sed 3d >d.jsonl
run parse -q d.jsonl
status 0
grep '^#' out >comments
mv comments out
stdout <<'END'
# newdoc id = a 1
# meta::year = 1998
# meta::tags = ["x", "y"]
# newpar
# sent_id = a_1-1
# text = Birds sing.
# sent_id = a_1-2
# text = The oak rustles.
# newdoc id = c
# meta::score = 1.10
# newpar
# sent_id = c-1
# text = The king waits.
END

begin 'documents come back as they were, with their sentences'
documents | sed 3d >d.jsonl
run parse -q --to jsonl d.jsonl
status 0
python3 - d.jsonl out <<'END' || complain 'the objects differ'
import json, sys
given = [line for line in open(sys.argv[1]) if line.strip()]
made = open(sys.argv[2]).read().splitlines()
assert len(made) == len(given)
for before, after in zip(given, made):
    assert after.startswith(before.rstrip()[:-1] + ',"sentences":[{"sent_id":')
    assert "".join(w["form"] for s in json.loads(after)["sentences"] for w in s["words"]) == \
        json.loads(before)["text"].replace(" ", "")
END
for threads in 1 2 4; do
    "$program" parse -q --threads $threads --to jsonl <d.jsonl --from jsonl >other
    same "with $threads threads" out other
done

begin 'a line that is no document is named, or passed on untouched'
documents >d.jsonl
run parse d.jsonl
status 1
stderr <<'END'
dodona: d.jsonl:3: byte 1: the field 'text' is missing; 'field' names another
END
run parse --skip-bad --verbose --to jsonl d.jsonl
status 0
claim grep -q "^dodona: warning: d.jsonl:3: byte 1: the field 'text' is missing" err
claim grep -qx '{"id":"b","txt":"The king waits."}' out
claim test "$(wc -l <out)" -eq 3
run parse -q --skip-bad d.jsonl
claim test "$(grep -c -A 1 '^{"id":"b","txt":"The king waits."}$' out)" -eq 1
run parse -q --skip-bad --to json d.jsonl
claim grep -qF '{"sent_id":"3","line":3,"malformed":"{\"id\":\"b\",\"txt\":\"The king waits.\"}\u000a"}' out

begin 'fields and ids by name, also within others, and packed'
echo '{"doc":{"body":"Birds sing.","key":7}}' | gzip >d.jsonl.gz
run parse -q --field doc.body --id doc.key d.jsonl.gz
status 0
claim grep -qx '# newdoc id = 7' out
claim test "$(grep -c '^# meta' out)" -eq 0
cp out first
gunzip -c d.jsonl.gz | "$program" parse -q --field doc.body --id doc.key >other
same 'standard input' first other

begin 'documents are recognised by their first bytes'
documents | sed 3d >d.jsonl
"$program" parse -q d.jsonl >first
"$program" parse -q <d.jsonl >other
same 'standard input' first other

begin 'a document is answered before the next is written'
coproc "$program" parse -q --from jsonl --to jsonl
exec 7>&"${COPROC[1]}" 8<&"${COPROC[0]}"
for text in 'Birds sing.' 'The king waits.'; do
    echo "{\"text\":\"$text\"}" >&7
    line=
    read -r -t 60 line <&8
    claim grep -qF "\"text\":\"$text\",\"sentences\":[" <<<"$line"
done
exec 7>&- 8<&-

begin 'options that are not for the input'
run parse --from text --field body d.txt
status 2
claim grep -q "option '--field' is for '--from jsonl'" err
run parse --field '' d.jsonl
status 2
claim grep -q "option '--field': field must not be empty" err

begin 'Latin-1 is hinted at, and read'
printf 'Der K\xf6nig singt.\n' >k.txt
run parse k.txt
status 0
claim grep -qx "dodona: warning: if the text is not in UTF-8 but in Latin-1, use '--encoding latin1'" err
printf '1\tK\xf6nig\t_\t_\t_\t_\t_\t_\t_\t_\n\n' >k.conllu
run parse k.conllu
status 1
claim grep -q "use '--encoding latin1'" err
run parse -q --encoding latin1 k.txt
claim grep -q 'König' out
cp out first
iconv -f latin1 -t UTF-16 k.txt >k16.txt
for try in '--encoding latin1 -' '-'; do
    file=k.txt
    test "$try" = - && file=k16.txt
    # shellcheck disable=SC2086 # the options are words
    "$program" parse -q $try <$file >other
    same "$try" first other
done
run parse -q --encoding latin1 k.conllu
status 0
claim grep -q 'König' out
run parse --encoding utf-16 k.conllu
status 1
run parse --encoding no-such k.txt
status 2
stderr <<'END'
dodona: the encoding 'no-such' is not known; 'iconv -l' lists them
END

begin 'output is compressed by its name'
documents | sed 3d >d.jsonl
"$program" parse -q --to jsonl d.jsonl >plain
"$program" parse -q --to jsonl -o z.jsonl.gz d.jsonl
gunzip -c z.jsonl.gz >unpacked
same gz plain unpacked
if command -v zstd >/dev/null; then
    "$program" parse -q --to jsonl -o z.jsonl.zst d.jsonl
    zstd -dc z.jsonl.zst >unpacked
    same zst plain unpacked
fi
