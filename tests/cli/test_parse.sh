# Parsing with a small model: what is kept, what is refused, and the order of sentences.

examples=$here/../../examples
model=$root/model
"$program" train --only parser --system arc-eager -q --iterations 3 -o "$model" "$examples/demo-train.conllu" ||
    { echo "Bail out! no model"; exit 1; }
train=$examples/demo-train.conllu
test=$examples/demo-test.conllu

begin 'only HEAD and DEPREL change'
run parse -q -m "$model" mixed.conllu
status 0
claim cmp <(cut -f 1-6,9,10 out) <(cut -f 1-6,9,10 mixed.conllu)
claim grep -q $'^1-2\tdu\t_\t_\t_\t_\t_\t_\t_\t_$' out
claim grep -q $'^3.1\tbu\tboire\tVERB\t_\t_\t_\t_\t0:root\t_$' out

begin 'heads need not be given'
awk -F '\t' -v OFS='\t' 'NF == 10 { $7 = $8 = "_" } { print }' "$test" >bare.conllu
run parse -m "$model" "$test"
cp out expected
run parse -m "$model" bare.conllu
status 0
claim cmp out expected

begin 'threads keep the order'
cp "$test" many.conllu
double 6 many.conllu
run parse -m "$model" many.conllu
status 0
cp out expected
for threads in 2 3 8; do
    run parse -m "$model" --threads $threads many.conllu
    status 0
    claim cmp out expected
done

begin 'standard input, several files, compressed files, an output file'
run parse -m "$model" "$test"
cp out once
cat once once >twice
"$program" parse -m "$model" <"$test" >out
claim cmp out once
run parse -m "$model" "$test" "$test"
claim cmp <(grep -v '^# newdoc id = ' out) twice
gzip -c "$test" >test.conllu.gz
"$program" parse -m "$model" - test.conllu.gz <"$test" >out
claim cmp <(grep -v '^# newdoc id = ' out) twice
run parse -m "$model" -o out.conllu "$test"
status 0
stdout </dev/null
claim cmp out.conllu once
run parse -m "$model" -o out.conllu.gz "$test"
claim cmp <(gzip -dc out.conllu.gz) once

begin 'of several files each begins a document'
sed -n '1,/^$/p' "$test" >one.conllu
run parse -m "$model" one.conllu
{ echo '# newdoc id = one.conllu'; cat out; echo '# newdoc id = one.conllu-2'; cat out; } >named
run parse -m "$model" one.conllu one.conllu
status 0
claim cmp out named
# One that begins a document of its own does not get another.
for newdoc in '# newdoc' '#newdoc' '# newdoc id = x' '#  newdoc	id = x'; do
    { head -n 1 one.conllu; echo "$newdoc"; tail -n +2 one.conllu; } >own.conllu
    run parse -m "$model" own.conllu own.conllu
    claim test "$(grep -c newdoc out)" -eq 2
done
# Other comments are others.
{ echo '# newdocument'; cat one.conllu; } >other.conllu
run parse -m "$model" other.conllu one.conllu
claim test "$(sed -n 1p out)" = '# newdoc id = other.conllu'
claim test "$(grep -c '^# newdoc id = ' out)" -eq 2
# Line ends and a byte order mark stay; a malformed sentence is passed through as it was.
{ printf '\357\273\277'; sed 's/$/\r/' one.conllu; } >dos.conllu
{ printf '1\tbad\n\n'; cat one.conllu; } >bad-first.conllu
run parse -q -m "$model" --skip-bad dos.conllu bad-first.conllu
status 0
claim test "$(sed -n 1p out)" = $'\357\273\277# newdoc id = dos.conllu\r'
claim grep -qx $'1\tbad' out
claim test "$(sed -n '/bad$/,+2p' out | tail -n 1)" = '# newdoc id = bad-first.conllu'
# CoNLL-X has no documents.
run parse -q -m "$model" reads.conll reads.conll
claim test "$(grep -c newdoc out)" -eq 0
# Names are any bytes, and stand in a line.
odd=$'a\nb \xff.conllu'
cp one.conllu "$odd"
run parse -m "$model" "$odd" one.conllu
claim test "$(sed -n 1p out)" = '# newdoc id = a_b _.conllu'
# What is joined can be checked and read as JSON.
run parse -m "$model" --to json one.conllu - <one.conllu
claim test "$(grep -c '"# newdoc id = ' out)" -eq 2
claim grep -q '"# newdoc id = stdin"' out

begin 'scores go to MISC'
run parse -m "$model" --scores "$test"
status 0
words=$(awk -F '\t' '$1 ~ /^[0-9]+$/' "$test" | wc -l)
claim test "$(awk -F '\t' '$1 ~ /^[0-9]+$/ && $10 ~ /(^|\|)Score=(inf|-?[0-9.]+)(\||$)/' out | wc -l)" -eq "$words"
claim cmp <(cut -f 1-6,9 out) <(cut -f 1-6,9 "$test")

begin 'a column that the model uses and the input lacks is told, once'
awk -F '\t' -v OFS='\t' 'NF == 10 { $4 = "_" } { print }' "$test" >untagged.conllu
run parse -m "$model" untagged.conllu untagged.conllu
status 0
stderr <<'END'
dodona: warning: the model uses UPOS, which is '_' in the whole input; expect poor trees
END
run parse -m "$model" untagged.conllu "$test"
stderr </dev/null
run parse -q -m "$model" untagged.conllu
stderr </dev/null
run train --only parser --system arc-eager --quiet --iterations 1 -o untagged.model untagged.conllu
run parse -m untagged.model untagged.conllu
stderr </dev/null

begin 'after a problem nothing is said of the whole input'
{ awk -F '\t' -v OFS='\t' 'NF == 10 { $4 = "_" } { print }' "$test"; echo 'no CoNLL-U'; } >broken.conllu
run parse -m "$model" broken.conllu
status 1
stderr <<END
dodona: broken.conllu:$(wc -l <broken.conllu): expected 10 columns separated by tabs, found 1
END

begin 'a malformed sentence stops with file, line and reason'
run parse -q -m "$model" bad.conllu
status 1
stderr <<'END'
dodona: bad.conllu:8: column 7 (HEAD): 'x' is neither a number nor _
END

begin 'a malformed sentence passes through'
for threads in 1 4; do
    run parse -m "$model" --skip-bad --threads $threads bad.conllu
    status 0
    claim grep -qx 'dodona: warning: 1 malformed sentence passed through unparsed' err
    claim cmp <(sed -n '7,9p' out) <(sed -n '7,9p' bad.conllu)
    claim cmp <(cut -f 1-6 out) <(cut -f 1-6 bad.conllu)
done
run parse -m "$model" --skip-bad --verbose bad.conllu
status 0
claim grep -qx "dodona: warning: bad.conllu:8: column 7 (HEAD): 'x' is neither a number nor _" err
claim grep -qE '^3 sentences, 6 words in [0-9.]+ s, [0-9,]+ words/s with 1 thread$' err

begin 'nothing in, nothing out'
run parse -m "$model" /dev/null
status 0
stdout </dev/null
stderr </dev/null

begin 'CoNLL-X'
run parse -q -m "$model" reads.conll
status 0
claim cmp <(cut -f 1-6,9,10 out) <(cut -f 1-6,9,10 reads.conll)

begin 'a damaged, truncated or foreign model is refused'
printf 'X' | cat "$model" - >longer
head -c 1000 "$model" >short
: >empty
cp "$model" flipped
printf '\377' | dd of=flipped bs=1 seek=$(($(stat -c %s flipped) / 2)) conv=notrunc status=none
for file in longer short empty flipped mixed.conllu; do
    run parse -m $file "$test"
    status 1
    stdout </dev/null
    claim grep -qE "^dodona: $file: .+" err
    claim test "$(wc -l <err)" -eq 1
done
run info ./absent
status 1
claim grep -qE '^dodona: ./absent: .*No such file or directory$' err

begin 'without -m the model is the one that the environment names, or that is installed'
run parse -m "$model" "$test"
cp out wanted
DODONA_MODEL=$model run parse "$test"
status 0
claim cmp out wanted
DODONA_MODEL=absent.dodona run parse "$test"
status 1
stderr <<'END'
dodona: absent.dodona: cannot open: No such file or directory
END
mkdir -p place/bin place/build/models place/share/dodona/models
cp "$program" place/bin
cp "$program" place/build
cp "$model" place/share/dodona/models/english.dodona
claim cmp <(place/bin/dodona parse "$test") wanted
mv place/share/dodona/models/english.dodona place/build/models
claim cmp <(place/build/dodona parse "$test") wanted

begin 'the most threads that the library takes'
run parse -m "$model" --threads 256 reads.conllu
status 0
run parse -m "$model" -j 2 --verbose reads.conllu
status 0
claim grep -q 'words/s with 2 threads$' err
# As many as the process may use: here it may use one core.
python3 -c 'import os, sys
os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:1])
os.execv(sys.argv[1], sys.argv[1:])' "$program" parse -m "$model" -j auto --verbose reads.conllu >out 2>err
claim grep -q 'words/s with 1 thread$' err
run parse -m "$model" --threads 257 reads.conllu
status 2
stderr <<'END'
dodona parse: option '--threads': '257' is not a whole number from 1 to 256, or auto
END

begin 'a beam of 1 is the greedy parser, whatever the model'
run train --only parser --system arc-eager -q --beam 4 --iterations 3 -o beam.model "$train"
for file in "$model" beam.model; do
    for options in '' --scores; do
        run parse -m $file --beam 1 $options "$test"
        status 0
        cp out greedy
        run parse -m $file --beam 1 --nbest 1 $options "$test"
        claim cmp greedy <(grep -vE '^# (nbest|score) = ' out)
    done
done
run parse -m "$model" "$test"
claim cmp out <("$program" parse -m "$model" --beam 1 "$test")

begin 'a model parses with the beam that it was trained with'
run train --only parser --system arc-eager -q --beam 4 --iterations 3 -o beam.model "$train"
run parse -m beam.model "$test"
status 0
cp out expected
run parse -m beam.model --beam 4 "$test"
claim cmp out expected
run parse -m beam.model --beam 1 "$test"
claim test "$(cmp -s out expected; echo $?)" -eq 1

begin 'several trees a sentence, the best first'
printf '%s\n' S0.form B0.form S0.upos B0.upos 'S0.upos B0.upos' S0.label >small.templates
run train --only parser --system arc-eager -q --beam 4 --iterations 3 --templates small.templates -o beam.model "$train"
run parse -m beam.model --beam 8 --nbest 3 reads.conllu
status 0
stdout <<'END'
# sent_id = reads
# text = She reads books
# nbest = 1
# score = 71.2478
1	She	she	PRON	_	_	2	nsubj	_	_
2	reads	reads	VERB	_	_	0	root	_	_
3	books	books	NOUN	_	_	2	obj	_	_

# sent_id = reads
# text = She reads books
# nbest = 2
# score = 64.4970
1	She	she	PRON	_	_	2	nsubj	_	_
2	reads	reads	VERB	_	_	0	root	_	_
3	books	books	NOUN	_	_	2	obl	_	_

# sent_id = reads
# text = She reads books
# nbest = 3
# score = 59.2031
1	She	she	PRON	_	_	2	nsubj	_	_
2	reads	reads	VERB	_	_	0	root	_	_
3	books	books	NOUN	_	_	2	iobj	_	_

END

begin 'no tree is listed twice, and the best one is the one that is written without a list'
run train --only parser -q --beam 8 --iterations 3 --system arc-standard -o beam.model "$train"
run parse -m beam.model "$test"
cp out best
run parse -m beam.model --nbest 8 "$test"
status 0
cp out listed
claim python3 "$here/check_nbest.py" listed best 8
for threads in 2 3; do
    run parse -m beam.model --nbest 8 --threads $threads "$test"
    claim cmp out listed
done

begin 'a sentence of too many words is parsed in pieces and joined'
awk -F '\t' -v OFS='\t' '$1 ~ /^[0-9]+$/ { $1 = ++n; $7 = $8 = $9 = "_"; print }' "$test" >joined
echo >>joined
words=$(awk -F '\t' 'NF == 10' joined | wc -l)
run parse -m "$model" --max-words 20 joined
status 0
cp out cut
stderr <<'END'
dodona: warning: 1 sentence of more than 20 words was parsed in pieces
END
claim test "$(awk -F '\t' '$7 == 0' cut | wc -l)" -eq 1
run stats cut
claim grep -qE '^no tree +0 ' out
run parse -q -m "$model" --max-words 20 --threads 2 "$test" joined "$test"
status 0
stderr </dev/null
run parse -m "$model" --max-words 20 joined joined
stderr <<'END'
dodona: warning: 2 sentences of more than 20 words were parsed in pieces
END
run parse -m "$model" --max-words "$words" joined
status 0
stderr </dev/null
claim test "$(cmp -s out cut; echo $?)" -eq 1
run parse -m "$model" joined
stderr </dev/null
(echo '# constraint = arc 0 _ 1' && cat joined) >constrained
run parse -m "$model" --max-words 20 constrained
status 1
stderr <<END
dodona: constrained:1: sentence '1': constraint 'arc 0 _ 1': a sentence with constraints can have up to 20 words, this one has $words; longer ones are parsed in pieces
END
run parse --skip-bad -m "$model" --max-words 20 constrained
status 0
claim cmp out constrained
stderr <<'END'
dodona: warning: 1 sentence whose constraints cannot hold passed through unparsed
END
run parse -m "$model" --max-words 0 joined
status 2
stderr <<'END'
dodona parse: option '--max-words': '0' is not a whole number from 1 to 2147483647
END

begin 'more trees than the beam is wide'
run parse -m "$model" --nbest 2 "$test"
status 2
stderr <<'END'
dodona parse: option '--nbest': a beam of 1 cannot give 2 trees; the model's own is used without '--beam'
END
run parse -m "$model" --beam 4 --nbest 5 "$test"
status 2
stderr <<'END'
dodona parse: option '--nbest': a beam of 4 cannot give 5 trees
END
run parse -m "$model" --beam 0 "$test"
status 2
stderr <<'END'
dodona parse: option '--beam': '0' is not a whole number from 1 to 1000
END
run parse -m "$model" --beam 1001 "$test"
status 2
