# Plain text: tokenizers, kinds of input, and what is said of broken bytes.

examples=$here/../../examples
model=$root/model
"$program" train -q --only tokenizer,parser --iterations 3 -o "$model" "$examples/demo-train.conllu" ||
    { echo "Bail out! no model"; exit 1; }
train=$examples/demo-train.conllu
test=$examples/demo-test.conllu

# The sentences of a treebank as running text.
raw() { sed -n 's/^# text = //p' "$1" | tr '\n' ' '; }

begin 'a sentence from standard input'
echo "The king's oak doesn't rustle. Birds sing." >input
run parse -q -m "$model" --ranges <input
status 0
cut -f 1,2,10 out >columns
mv columns out
stdout <<'END'
# newdoc
# newpar
# sent_id = 1
# text = The king's oak doesn't rustle.
1	The	TokenRange=0:3
2-3	king's	TokenRange=4:10
2	king	TokenRange=4:8
3	's	TokenRange=8:10
4	oak	TokenRange=11:14
5-6	doesn't	TokenRange=15:22
5	does	TokenRange=15:19
6	n't	TokenRange=19:22
7	rustle	SpaceAfter=No|TokenRange=23:29
8	.	TokenRange=29:30

# sent_id = 2
# text = Birds sing.
1	Birds	TokenRange=31:36
2	sing	SpaceAfter=No|TokenRange=37:41
3	.	TokenRange=41:42

END

begin 'no warning tells of a column that the model itself leaves empty'
awk -F '\t' -v OFS='\t' 'NF == 10 { $5 = $2 == "!" ? "." : "_" } { print }' "$train" >few.conllu
claim grep -q $'\t!\t' few.conllu
"$program" train -q --iterations 2 -o few.dodona few.conllu
claim grep -qE '^columns .*XPOS' <("$program" info few.dodona)
run parse -m few.dodona < <(echo 'The leaves rustle.')
status 0
claim test ! -s err
claim test "$(grep -c $'\tPUNCT\t_\t' out)" -eq 1

begin 'the text of a treebank comes back as its sentences and words'
raw "$train" >test.txt
run parse -q -m "$model" test.txt
status 0
claim cmp <(grep -v '^#' out | cut -f 1,2) <(grep -vE '^(#|[0-9]+\.)' "$train" | cut -f 1,2)
claim cmp <(grep '^# text' out) <(grep '^# text' "$train")
cp out whole
for threads in 2 5; do
    run parse -q -m "$model" --threads $threads test.txt
    claim cmp out whole
done
gzip test.txt
run parse -q -m "$model" test.txt.gz
claim cmp out whole
run eval "$train" whole
status 0
for metric in Tokens Sentences Words; do
    claim grep -qE "^$metric +\| +100.00 \| +100.00 \| +100.00" out
done

begin 'one sentence a line'
printf 'Birds sing. Birds\n\nsing\n' >lines.txt
run parse -q -m "$model" --given sentences lines.txt
status 0
claim cmp <(grep '^# text' out) <(printf '# text = Birds sing. Birds\n# text = sing\n')

begin 'tokens and words are given'
echo "The king's oak doesn't rustle ." >tokens.txt
for given in tokens words; do
    run parse -q -m "$model" --given $given tokens.txt
    status 0
    grep -v '^#' out | cut -f 2 | xargs -d '\n' >$given
done
claim test "$(cat tokens)" = "The king's king 's oak doesn't does n't rustle . "
claim test "$(cat words)" = "The king's oak doesn't rustle . "
tr ' ' '\n' <tokens.txt >vertical
run parse -q -m "$model" --from vertical --given tokens vertical
claim test "$(grep -v '^#' out | cut -f 2 | xargs -d '\n')" = "$(cat tokens)"
run train -q --only parser --iterations 1 -o parser "$train"
run parse -q -m parser --given words tokens.txt
status 0
claim test "$(grep -v '^#' out | cut -f 2 | xargs -d '\n')" = "$(cat words)"
run parse -q -m parser --given tokens tokens.txt
status 1

begin 'lines and paragraphs'
run train -q --only tokenizer -o tokenizer "$train"
printf 'so tired today\nWho is up\nNew post. It is out\n' >tweets.txt
run parse -m tokenizer tweets.txt
status 0
stderr <<'END'
dodona: note: tweets.txt: each line is taken as a paragraph; if the text is wrapped, say '--paragraphs blank'
END
claim test "$(grep -c '^# newpar' out)" -eq 3
cp out lines
run parse -q -m tokenizer tweets.txt
stderr </dev/null
claim cmp out lines
run parse -m tokenizer --paragraphs line tweets.txt
stderr </dev/null
claim cmp out lines
run parse -q -m tokenizer - < <(for i in 0 1 2 3 4 5 6; do tail -c +$((7 * i + 1)) tweets.txt | head -c 7; sleep 0.02; done)
claim cmp out lines
run parse -m tokenizer --paragraphs blank tweets.txt
claim test "$(grep -c '^# newpar' out)" -eq 1
cat >wrapped.txt <<'END'
The king
The king sings in the evening, and nobody in the whole wide country of
oaks can remember when he did not sing, or when the birds were still. He
wants:
- an oak
  that rustles
* a bird
• a cat
1. one
2. two
(a) three

Bob wrote to the king, and the king read it to all of us who were there:
> the oak
> sings
No.
-- 
Bob
ACME
END
run parse -m tokenizer --ranges wrapped.txt
status 0
stderr <<'END'
dodona: note: wrapped.txt: the text is taken as wrapped, with paragraphs up to an empty line; if each line is one, say '--paragraphs line'
END
cp out whole
sed -n 's/^# text = //p' whole | grep -vE '^(The king sings|He wants|Bob wrote)' >out
stdout <<'END'
The king
- an oak that rustles
* a bird
• a cat
1. one
2. two
(a) three
> the oak sings
No.
--
Bob
ACME
END
# The characters of the file at each range are the token.
claim python3 - <<'END'
import re
text = open("wrapped.txt", encoding="utf-8").read()
rows = [line.split("\t") for line in open("whole", encoding="utf-8") if "TokenRange" in line]
places = [re.search(r"TokenRange=(\d+):(\d+)", row[9]) for row in rows]
assert len(rows) > 50 and all(text[int(at[1]):int(at[2])] == row[1] for at, row in zip(places, rows))
END
run parse -m tokenizer --paragraphs lines wrapped.txt
status 2
stderr <<'END'
dodona parse: option '--paragraphs': 'lines' is not one of auto, blank, line; did you mean 'line'?
END

begin 'the tokens of the web are whole'
english=$(dirname "$program")/models/english.dodona
cat >web.txt <<'END'
See https://t.co/abc123 and example.org/x1 for more.
Mail john+news@my-site.co.uk or foo-bar@example.com today.
@jack_99 loves #NLProc2024 👍🏽 👨‍👩‍👧 🇸🇪 1️⃣ here
I am happy :-) and <3 you ¯\_(ツ)_/¯ xD
Open /usr/local/bin/foo2 or C:\Users\me\file.txt now.
Version v1.2.3 came at 10:30 today w/ new bugs.
She'd've gone if rock 'n' roll was there.
It cost $20, €30 and £5.50.
It weighs little (approx. 3 kg).
"Are you sure?" he asked.
We need coffee ☕☕ now.
They know C#, C++, and so on.
On Friday, Ann Lee <ann@example.org> wrote: Yes.
END
if [ -f "$english" ]; then
    run parse -m "$english" --paragraphs line web.txt
    status 0
    # One sentence a line; symbols are told, and multiword tokens stand in brackets.
    awk -F '\t' 'NF == 10 { printf "%s ", $1 ~ /-/ ? "[" $2 "]" : $4 == "SYM" ? $2 "/SYM" : $2 } !NF { print "" }' \
        out >words
    sed 's/ $//' words >out
    stdout <<'END'
See https://t.co/abc123 and example.org/x1 for more .
Mail john+news@my-site.co.uk or foo-bar@example.com today .
@jack_99 loves #NLProc2024 👍🏽/SYM 👨‍👩‍👧/SYM 🇸🇪/SYM 1️⃣/SYM here
I am happy :-)/SYM and <3/SYM you ¯\_(ツ)_/¯/SYM xD/SYM
Open /usr/local/bin/foo2 or C:\Users\me\file.txt now .
Version v1.2.3 came at 10:30 today w/ new bugs .
[She'd've] She 'd 've gone if rock 'n' roll was there .
It cost $/SYM 20 , €/SYM 30 and £/SYM 5.50 .
It weighs little ( approx. 3 kg ) .
" Are you sure ? " he asked .
We need coffee ☕/SYM ☕/SYM now .
They know C# , C++ , and so on .
On Friday , Ann Lee < ann@example.org > wrote : Yes .
END
else
    skip 'the model is not there'
fi

begin 'one token a line, for which no tokenizer is needed'
run train --only parser -q --iterations 1 -o parser "$train"
printf "New York\nisn't\there\n\nBirds\n" >vertical
run parse -q -m parser --from vertical vertical
status 0
cut -f 1,2 out >columns
mv columns out
stdout <<'END'
# newdoc
# sent_id = 1
# text = New York isn't
1	New York
2	isn't

# sent_id = 2
# text = Birds
1	Birds

END

begin 'sentences of several files have ids of their own'
mkdir b
printf 'Birds sing.\n\nBirds sing.\n' | tee a.txt b/a.txt >'b/c d.txt'
gzip -c a.txt >a.txt.gz
run parse -q -m "$model" a.txt b/a.txt 'b/c d.txt' a.txt.gz "$test" - <a.txt
status 0
claim test "$(grep -c '^# newdoc id' out)" -eq 6
claim test "$(grep '^# sent_id' out | sort | uniq -d | wc -l)" -eq 0
grep -E '^# (newdoc|sent_id)' out | grep -v demo-test >ids
mv ids out
stdout <<'END'
# newdoc id = a.txt
# sent_id = a-1
# sent_id = a-2
# newdoc id = b/a.txt
# sent_id = a-2-1
# sent_id = a-2-2
# newdoc id = b/c d.txt
# sent_id = c_d-1
# sent_id = c_d-2
# newdoc id = a.txt.gz
# sent_id = a-3-1
# sent_id = a-3-2
# newdoc id = stdin
# sent_id = stdin-1
# sent_id = stdin-2
END
run parse -q -m "$model" --from vertical a.txt b/a.txt
claim grep -qx '# newdoc id = b/a.txt' out
claim grep -qx '# sent_id = a-2-1' out
# Some sentences have ids like others' prefixes.
cp a.txt a-2.txt
run parse -q -m "$model" a.txt a.txt a-2.txt a-2.txt a.txt
claim test "$(grep '^# sent_id' out | sort -u | wc -l)" -eq 10
claim test "$(grep '^# newdoc' out | sort -u | wc -l)" -eq 5

begin 'CoNLL-U stays what it was'
run parse -q -m "$model" "$test"
cp out expected
run parse -q -m "$model" --from conllu "$test"
claim cmp out expected
cp "$test" unnamed
run parse -q -m "$model" unnamed
claim cmp out expected
run parse -q -m "$model" - <unnamed
claim cmp out expected

begin 'bytes that are no UTF-8 are told and replaced'
printf 'Birds \303 sing.\n\0\n' >broken.txt
run parse -m "$model" --from text broken.txt
status 0
claim test "$(sed -n 2p err)" = 'dodona: warning: broken.txt:1: invalid UTF-8 (incomplete character) at offset 6, replaced by U+FFFD; so is 1 further place'
claim grep -q $'^2\t\357\277\275\t' out
run parse -m "$model" --verbose broken.txt
claim grep -qx 'dodona: warning: broken.txt:2: NUL byte at offset 14, replaced by U+FFFD' err
run parse -q -m "$model" broken.txt
stderr </dev/null

begin 'what a model lacks is said'
run train --only parser -q --iterations 1 -o parser "$train"
run parse -q -m parser --from text "$test"
status 1
stderr <<END
dodona: $test: this model has no tokenizer for plain text; give it CoNLL-U, or train a model that has one ('only' with tokenizer)
END
run train -q --only tokenizer -o tokenizer "$train"
status 0
echo 'Birds sing.' >input
run parse -m tokenizer <input
status 0
stderr </dev/null
claim grep -q $'^1\tBirds\t_\t_\t_\t_\t_\t_\t_\t_$' out
run trace -m tokenizer "$test"
status 1
stderr <<'END'
dodona: the model has no parser
END
run parse -m tokenizer "$test"
status 0
claim cmp out "$test"

begin 'options that contradict'
run parse -m "$model" --given sentences --from vertical "$test"
status 2
stderr <<'END'
dodona parse: option '--given': text and sentences are for '--from text'
END
run parse -m "$model" --given tokens --from conllu "$test"
status 2
stderr <<'END'
dodona parse: option '--given': tokens are for '--from text' and '--from vertical'
END
run parse -m "$model" --from txt "$test"
status 2
stderr <<'END'
dodona parse: option '--from': 'txt' is not one of auto, conllu, conllx, text, vertical, jsonl; did you mean 'text'?
END

begin 'what to train'
run train -o model --only tokenizer,tager "$train"
status 2
stderr <<'END'
dodona train: option '--only': 'tager' is not one of tokenizer, tagger, lemmatizer, parser, all; did you mean 'tagger'?
END
run train -o model --only tokenizer, "$train"
status 2
run train --only parser -o model --jackknife 10 "$train"
status 2
stderr <<'END'
dodona train: option '--jackknife': needs 'only' with tagger and parser
END
grep -v '^# text' "$train" | sed 's/SpaceAfter=No/_/' >bare.conllu
run train -o model --only tokenizer bare.conllu
status 1
stderr <<'END'
dodona: a tokenizer cannot be trained: no sentence has '# text' or SpaceAfter=No
END
run train --only parser,tokenizer --iterations 1 -o one "$train"
status 0
claim grep -qE '^tokenizer trained in [0-9.]+ s$' err
run train -q --only tokenizer,parser --iterations 1 -o two "$train"
claim cmp one two
run info one
status 0
claim grep -qE '^components +tokenizer parser$' out

all=$root/all
"$program" train -q --only all --jackknife 4 --iterations 3 --dev "$test" -o "$all" "$train" ||
    { echo "Bail out! no model"; exit 1; }

begin 'folds may be trained side by side'
run train -q --only all --jackknife 4 --threads 3 --iterations 3 --dev "$test" -o threads "$train"
status 0
claim cmp threads "$all"

begin 'what was trained once serves other parsers'
run train -q --only tokenizer,tagger,lemmatizer --jackknife 4 --jackknifed folds.conllu -o base "$train"
status 0
claim test "$(cut -f 1,2,7- folds.conllu | md5sum)" = "$(cut -f 1,2,7- "$train" | md5sum)"
claim test "$(md5sum <folds.conllu)" != "$(md5sum <"$train")"
run train --components-from base --iterations 3 --dev "$test" -o other folds.conllu
status 0
claim grep -q '^making parser ' err
claim grep -qE '^the whole model on dev, given its text: .* LAS [0-9.]+$' err
"$program" info "$all" >facts
run info other
claim test "$(diff facts out | grep -c '^[<>]')" -eq 3 # the folds, and the hash of the data
for model in "$all" other; do
    "$program" parse -q --tag -m "$model" "$test" | md5sum
done >sums
claim test "$(uniq sums | wc -l)" -eq 1
run train -q --components-from other --only tokenizer -o words "$train"
status 0
run info words
claim grep -qxE 'components +tokenizer tagger lemmatizer' out
run train --components-from other --only all -o model "$train"
status 2
stderr <<'END'
dodona train: option '--components-from': other has no component that is not trained here
END
run train --components-from nowhere -o model "$train"
status 1
run train -q --only tagger --jackknife 2 --jackknifed none/folds -o model "$train"
status 1
claim test ! -e model

begin 'the folds of a neural tagger are tagged by linear ones'
for kind in linear neural; do
    run train -q --only tagger --tagger $kind --tagger-width 8 --jackknife 2 --jackknifed $kind.conllu -o $kind "$train"
    status 0
done
claim cmp linear.conllu neural.conllu
claim test "$(md5sum <linear)" != "$(md5sum <neural)"

begin 'a neural tagger and a parser share their vectors'
printf 'the 1 0.5 0\nin 0.5 1 0\ndog 0 0 1\n' >some.vec
sed 's/ 1$/ -1/' some.vec >others.vec
run train -q --only tagger --tagger neural --tagger-width 8 --tagger-iterations 1 --vectors some.vec -o base "$train"
status 0
small='--scorer neural --width 8 --hidden 16 --iterations 1 --components-from base'
run train -q $small --vectors some.vec -o model "$train"
status 0
run info model
claim grep -qxE 'tagger +neural, 1 x 8' out
run train -q $small -o model "$train"
status 0
run train -q $small --vectors others.vec -o model "$train"
status 2
stderr <<'END'
dodona train: option '--components-from': the vectors of base are not those of 'vectors'
END

begin 'a model that is fine-tuned keeps its other components, whatever bits its weights had'
printf 'the 1 0.3 0\nin 0.5 1 0.2\ndog 0 0.7 1\n' >some.vec
small='--scorer neural --width 8 --hidden 16 --iterations 1'
run train -q $small --only tagger,parser --tagger neural --tagger-width 8 --tagger-iterations 1 --weight-bits 5 \
    --vectors some.vec -o whole.dodona "$train"
status 0
DODONA_MODELS=$PWD run train -q --scorer neural --iterations 1 --start-from whole --components-from whole -o model "$test"
status 0
run info model
claim grep -qxE 'components +tagger parser' out
claim grep -qxE 'started from +whole.dodona' out

begin 'from plain text to trees'
raw "$train" >train.txt
run parse -m "$all" train.txt
status 0
stderr </dev/null
cp out parsed.conllu
# Every word has a tag and a head, and what was trained on comes back.
claim test "$(awk -F '\t' '$1 ~ /^[0-9]+$/ && ($3 == "_" || $4 == "_" || $7 == "_")' out | wc -l)" -eq 0
run eval "$train" parsed.conllu
status 0
for metric in Words UPOS XPOS Lemmas; do
    claim awk -F '|' -v metric=$metric '$1 ~ "^" metric " " && $4 + 0 > 97 { found = 1 } END { exit !found }' out
done
for threads in 2 3; do
    run parse -m "$all" --threads $threads train.txt
    claim cmp out parsed.conllu
done
run info "$all"
claim grep -qxE 'components +tokenizer tagger lemmatizer parser' out
claim grep -qxE 'jackknife +4' out

begin 'tags and lemmas are put in where a sentence has none'
run parse -m "$all" "$test"
cp out given
awk -F '\t' -v OFS='\t' '$1 ~ /^[0-9]+$/ { $3 = $4 = $5 = $6 = "_" } { print }' "$test" >bare.conllu
run parse -m "$all" --tag "$test"
status 0
cp out anew
run parse -m "$all" bare.conllu
status 0
stderr </dev/null
claim cmp out anew
claim cmp <(cut -f 1-6 given) <(cut -f 1-6 "$test")
claim test "$(cmp -s given anew; echo $?)" -eq 1
# One tag is enough to leave the others alone, but lemmas are a matter of their own.
printf '1\tBirds\t_\tX\t_\t_\t_\t_\t_\t_\n2\tsing\t_\t_\t_\t_\t_\t_\t_\t_\n\n' >one.conllu
run parse -q -m "$all" one.conllu
claim cmp <(cut -f 4 out) <(cut -f 4 one.conllu)
claim test "$(awk -F '\t' 'NF == 10 && $3 == "_"' out | wc -l)" -eq 0

begin 'models of some components'
run train -q --only tagger,lemmatizer -o tags "$train"
status 0
awk -F '\t' -v OFS='\t' '$1 ~ /^[0-9]+$/ { $3 = $4 = $5 = $6 = "_" } { print }' "$test" >bare.conllu
run parse -m tags bare.conllu
status 0
claim cmp <(cut -f 1,2,7-10 out) <(cut -f 1,2,7-10 "$test")
claim test "$(awk -F '\t' '$1 ~ /^[0-9]+$/ && $4 == "_"' out | wc -l)" -eq 0
run info tags
claim grep -qxE 'components +tagger lemmatizer' out
run train -q --only tagger --tagger-bytes 2000 -o small "$train"
status 0
claim test "$(stat -c %s small)" -lt "$(stat -c %s tags)"

begin 'lists of tokens'
echo "Birds don't sing in fig. The oak-12 rustles." >birds.txt
printf "# some\ndon't\n/OAK-\\\\d+/i\n" >keep
echo fig >short
words() { grep -v '^#' out | cut -f 2 | paste -sd ' '; }
for kind in linear neural; do
    run train -q --only tokenizer --tokenizer $kind -o without "$train"
    run train -q --only tokenizer --tokenizer $kind --keep-tokens keep --abbreviations short -o with "$train"
    status 0
    run parse -m without birds.txt
    claim test "$(words)" = "Birds don't do n't sing in fig .  The oak - 12 rustles . "
    run parse -m without --keep-tokens keep birds.txt
    claim test "$(words)" = "Birds don't sing in fig .  The oak-12 rustles . "
    run parse -m without --abbreviations short birds.txt
    claim test "$(words)" = "Birds don't do n't sing in fig. The oak - 12 rustles . "
    run parse -m with birds.txt
    claim test "$(words)" = "Birds don't sing in fig. The oak-12 rustles . "
done
run info with
claim grep -qxE 'keep tokens +2' out
claim grep -qxE 'abbreviations +1' out
# Those of the model hold besides.
echo rustles. >more
run parse -m with --keep-tokens more birds.txt
claim test "$(words)" = "Birds don't sing in fig. The oak-12 rustles. "
run parse -m without --keep-tokens keep --given tokens birds.txt
claim test "$(words)" = "Birds don't sing in fig. The oak-12 rustles. "
run train -q --components-from with --only parser --keep-tokens more -o taken "$train"
status 0
run info taken
claim grep -qxE 'keep tokens +3' out
run parse -m taken birds.txt
claim test "$(words)" = "Birds don't sing in fig. The oak-12 rustles. "
# An empty list is none.
echo '# nothing' >empty
run train -q --only tokenizer --tokenizer neural --keep-tokens empty -o nothing "$train"
claim cmp nothing without

begin 'lists that are refused'
echo 'Birds sing.' >input
run train -q --only tokenizer -o model "$train"
printf 'ok\n/a(b/\n' >bad
for option in keep-tokens abbreviations; do
    run parse -m model --$option bad <input
    status 1
    stdout </dev/null
    stderr <<<'dodona: bad:2: column 3: the bracket is not closed'
    run parse -m model --$option none <input
    status 1
    stderr <<<'dodona: none: No such file or directory'
    run train -q --only tokenizer --$option bad -o other "$train"
    status 1
    stderr <<<'dodona: bad:2: column 3: the bracket is not closed'
    run train -q --only tagger --$option keep -o other "$train"
    status 2
    stderr <<<"dodona train: option '--$option': needs a tokenizer"
done
head -c 1100000 /dev/zero | tr '\0' '\n' >large
run parse -m model --keep-tokens large <input
status 1
stderr <<<'dodona: large: larger than 1 MiB'
echo a >list
run train -q --only tokenizer --keep-tokens list -o list "$train"
status 2
run corpus plan -m model --keep-tokens list -d plan input
status 2

begin 'the script that makes the English models'
mkdir treebank work packed
cp "$train" treebank/train.conllu
cp "$test" treebank/dev.conllu
make_model() {
    env WORK=work VECTORS=some.vec \
        OPTIONS='-q --iterations 5 --tagger-width 8 --tagger-iterations 2' \
        "$here/../../scripts/model.sh" "$program" treebank text.xz silver.conllu packed >out 2>err
}
printf 'the 1 0.5 0\nin 0.5 1 0\ndog 0 0 1\n' >some.vec
cp "$train" silver.conllu
claim make_model
echo 'Birds sing.' >input
for model in english english-fast; do
    "$here/../../models/pack.py" packed/$model.dodona.xz $model.dodona
    DODONA_MODEL=$model.dodona run parse -q <input
    status 0
    claim grep -q $'^1\tBirds\t' out
    run info $model.dodona
    claim grep -qxE 'components +tokenizer tagger lemmatizer parser' out
    claim grep -qxE 'treebank +UD English EWT .*' out
    claim grep -qxE 'licence +CC BY-SA 4.0' out
    claim grep -qxE 'tidy +yes' out
done
claim grep -qxE 'vectors +some.vec' <("$program" info work/english-fast-base.dodona)
claim grep -qxE 'silver +neural.conllu' <("$program" info english.dodona)
claim grep -qxE 'version +[0-9]+' <("$program" info english.dodona)
claim grep -qxE 'tagger +neural, 2 x 8' <("$program" info english.dodona)
claim grep -qxE 'tagger silver +silver.conllu' <("$program" info work/neural.dodona)
# What is there is not made again.
cp work/english.dodona before
rm work/linear.dodona
claim make_model
claim cmp work/english.dodona before
mv silver.conllu elsewhere
make_model
claim test $? -eq 1
claim grep -q '^silver.conllu is missing; .*: make model SILVER=path$' err
mv some.vec vectors
make_model
claim test $? -eq 1
claim grep -q '^text.xz is missing; name the file: make model TEXT=path$' err
rm treebank/dev.conllu
make_model
claim test $? -eq 1
claim grep -q '^treebank/dev.conllu is missing' err
