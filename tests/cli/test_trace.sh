# Traces: the static oracle's way worked out by hand, and models against parse and oracle.

examples=$here/../../examples
train=$examples/demo-train.conllu
test=$examples/demo-test.conllu

begin 'the static oracle step by step'
run trace --system arc-eager reads.conllu
status 0
stderr </dev/null
stdout <<'END'
sentence reads, 3 words
step 0: SH
  stack   -
  buffer  She/1 reads/2 books/3 ROOT
  loss 0, costs: SH 0
step 1: LA nsubj, reads/2 -> She/1
  stack   She/1
  buffer  reads/2 books/3 ROOT
  loss 0, costs: SH 1, LA 0, RA 2
step 2: SH
  stack   -
  buffer  reads/2 books/3 ROOT
  loss 0, costs: SH 0
step 3: RA obj, reads/2 -> books/3
  stack   reads/2
  buffer  books/3 ROOT
  loss 0, costs: SH 1, LA 2, RA 0
step 4: RE
  stack   reads/2 books/3
  buffer  ROOT
  loss 0, costs: RE 0
step 5: LA root, ROOT -> reads/2
  stack   reads/2
  buffer  ROOT
  loss 0, costs: LA 0
end: 3 of 3 heads right, 3 of them with the right label

END

begin 'the same as JSON'
run trace --system arc-eager --to json reads.conllu
status 0
stdout <<'END'
{"sent":"reads","n":3,"step":0,"stack":[],"buffer":[1,2,3,0],"transition":"SH","loss":0,"cost":{"SH":0},"wrong_label":false}
{"sent":"reads","n":3,"step":1,"stack":[1],"buffer":[2,3,0],"transition":"LA","label":"nsubj","head":2,"dependent":1,"loss":0,"cost":{"SH":1,"LA":0,"RA":2},"wrong_label":false}
{"sent":"reads","n":3,"step":2,"stack":[],"buffer":[2,3,0],"transition":"SH","loss":0,"cost":{"SH":0},"wrong_label":false}
{"sent":"reads","n":3,"step":3,"stack":[2],"buffer":[3,0],"transition":"RA","label":"obj","head":2,"dependent":3,"loss":0,"cost":{"SH":1,"LA":2,"RA":0},"wrong_label":false}
{"sent":"reads","n":3,"step":4,"stack":[2,3],"buffer":[0],"transition":"RE","loss":0,"cost":{"RE":0},"wrong_label":false}
{"sent":"reads","n":3,"step":5,"stack":[2],"buffer":[0],"transition":"LA","label":"root","head":0,"dependent":2,"loss":0,"cost":{"LA":0},"wrong_label":false}
{"sent":"reads","n":3,"step":6,"stack":[],"buffer":[0],"heads":[2,0,2],"loss":0,"right_heads":3,"right_labels":3}
END

begin 'a partial tree'
run trace --system arc-eager partial.conllu
status 0
stdout <<'END'
sentence some, 3 words
step 0: SH
  stack   -
  buffer  She/1 reads/2 books/3 ROOT
  loss 0, costs: SH 0
step 1: LA nsubj, reads/2 -> She/1
  stack   She/1
  buffer  reads/2 books/3 ROOT
  loss 0, costs: SH 1, LA 0, RA 1
step 2: SH
  stack   -
  buffer  reads/2 books/3 ROOT
  loss 0, costs: SH 0
step 3: RA _, reads/2 -> books/3
  stack   reads/2
  buffer  books/3 ROOT
  loss 0, costs: SH 1, LA 1, RA 0
step 4: RE
  stack   reads/2 books/3
  buffer  ROOT
  loss 0, costs: RE 0
step 5: LA _, ROOT -> reads/2
  stack   reads/2
  buffer  ROOT
  loss 0, costs: LA 0
end: 2 of 2 heads right, 2 of them with the right label

sentence none skipped: no head is known

sentence whole, 2 words
step 0: SH
  stack   -
  buffer  He/1 sings/2 ROOT
  loss 0, costs: SH 0
step 1: LA nsubj, sings/2 -> He/1
  stack   He/1
  buffer  sings/2 ROOT
  loss 0, costs: SH 1, LA 0, RA 2
step 2: SH
  stack   -
  buffer  sings/2 ROOT
  loss 0, costs: SH 0
step 3: LA root, ROOT -> sings/2
  stack   sings/2
  buffer  ROOT
  loss 0, costs: LA 0
end: 2 of 2 heads right, 2 of them with the right label

END
for system in $("$program" systems | awk 'NF == 0 { exit } NR > 1 { print $1 }'); do
    run trace --system "$system" --to json partial.conllu
    status 0
    claim grep -qE '"loss":0,"right_heads":2,"right_labels":2,"known_heads":2}$' out
done

begin 'a tree that cannot be built is skipped with the reason'
run trace --system arc-hybrid mixed.conllu
status 0
claim grep -qx 'sentence hearing skipped: non-projective tree' out
claim test "$(grep -c '^end: ' out)" -eq 3
run trace --system arc-hybrid --single-root yes --to json mixed.conllu
status 0
claim grep -qxF '{"sent":"two \"roots\" \\ ü","skipped":"several roots"}' out

begin 'long stacks, buffers and words are cut'
awk 'BEGIN { for (i = 1; i <= 9; i++) printf "%d\t%s\t_\t_\t_\t_\t%d\tdep\t_\t_\n", i, i == 1 ? "žžžžžžžžžžžžžžžžžžžž" : "w", i == 9 ? 0 : 9; print "" }' >long.conllu
run trace --system arc-eager long.conllu
status 0
claim grep -qxF '  buffer  žžžžžžžžžžžžžžžž.../1 w/2 w/3 w/4 w/5 w/6 (4 more)' out
claim grep -qxF '  stack   (2 more) w/3 w/4 w/5 w/6 w/7 w/8' out

for system in $("$program" systems | awk 'NF == 0 { exit } NR > 1 { print $1 }'); do
    begin "$system: traces agree with parse, and with themselves"
    for how in auto lift; do
        run train --only parser -q --iterations 2 --system $system --unbuildable $how -o model "$train"
        run parse -q -m model -o parsed.conllu "$test"
        run trace -m model --to json "$test"
        status 0
        stderr </dev/null
        claim python3 "$here/check_traces.py" out parsed.conllu
        run trace -m model --to json --gold no "$test"
        status 0
        claim test "$(grep -cE '"(cost|loss|right_heads)"' out)" -eq 0
        claim test "$(grep -cE '"margin":-' out)" -eq 0
        claim python3 "$here/check_traces.py" out parsed.conllu
        run parse -q -m model --beam 5 -o parsed.conllu "$test"
        run trace -m model --to json --beam 5 "$test"
        status 0
        claim python3 "$here/check_traces.py" out parsed.conllu
    done
    run trace --system $system --to json "$test"
    claim python3 "$here/check_traces.py" out "$test"
    claim test "$(grep -c first_mistake out)" -eq 0
done

begin 'margins, mistakes and replaced heads of a model'
run train --only parser -q --iterations 2 --system arc-eager-nm -o model "$train"
run trace -m model "$test"
status 0
claim grep -qE '^step 0: SH, the only one$' out
claim grep -qE '^step [0-9]+: SH, margin [0-9]+\.[0-9]{2}$' out
claim grep -qE '^step [0-9]+: [A-Z]{2} [a-z:]+, margin [0-9.]+, .+/[0-9]+ -> .+/[0-9]+ in place of .+/[0-9]+' out
claim grep -qE ': cost [0-9]+, the first mistake$' out
claim grep -qE '^end: [0-9]+ of [0-9]+ heads right, [0-9]+ of them with the right label; first mistake in step [0-9]+$' out

begin 'the beam of the model, and another'
run train --only parser -q --iterations 2 --beam 4 -o model "$train"
sed '/^# text/a # constraint = arc 0 _ 1' "$test" >constrained.conllu
for file in "$test" constrained.conllu; do
    for beam in '' '--beam 1' '--beam 16'; do
        # shellcheck disable=SC2086 # the options are words
        run parse -q -m model $beam -o parsed.conllu "$file"
        # shellcheck disable=SC2086
        run trace -m model --to json $beam "$file"
        status 0
        claim python3 "$here/check_traces.py" out parsed.conllu
    done
done
run trace -m model --beam 16 "$test"
claim grep -qE '^step [0-9]+: .*, margin -[0-9]+\.[0-9]{2}' out
run trace --system arc-eager --beam 2 "$test"
status 2
claim grep -q "option '--beam' needs a model" err

begin 'a choice of losses'
run trace --system covington-nm --loss exact --to json "$test"
status 0
claim python3 "$here/check_traces.py" out "$test"
run trace --system covington-nm --loss uper "$test"
status 2
claim grep -q "covington-nm has no loss 'uper'" err

begin 'a gold tree that cannot be compared with'
run train --only parser --system arc-eager -q --iterations 1 -o model reads.conllu
run trace -q -m model hearing.conllu
status 0
claim grep -qx 'sentence [^,]*, 8 words; no costs: non-projective tree' out
claim grep -qE '^end: [0-9] of 8 heads right' out
run trace -q -m model --gold yes hearing.conllu
status 0
claim grep -qx 'sentence .* skipped: non-projective tree' out
cut -f 1-6 reads.conllu | sed '/^[0-9]/s/$/\t_\t_\t_\t_/' >plain.conllu
run trace -q -m model plain.conllu
status 0
claim grep -qx 'sentence [^,]*, 3 words; no costs: no head is known' out
claim grep -qx 'end' out

begin 'plain text, cut and tagged by the model'
run train -q --only all --iterations 2 -o all "$train"
sed -n 's/^# text = //p' "$test" | tr '\n' ' ' >test.txt
run parse -q -m all test.txt
awk -F '\t' '$1 ~ /^[0-9]+$/ { heads = heads "," $7 } /^$/ { print substr(heads, 2); heads = "" }' out >heads
run trace -q -m all --to json test.txt
status 0
claim cmp heads <(sed -n 's/.*"heads":\[\([^]]*\)\].*/\1/p' out)
claim test "$(wc -l <heads)" -ge 16
# Words without tags get those that they get when they are parsed.
cut -f 1,2 "$test" | sed '/^[0-9]/s/$/\t_\t_\t_\t_\t_\t_\t_\t_/' >bare.conllu
run parse -q -m all bare.conllu
awk -F '\t' '$1 ~ /^[0-9]+$/ { heads = heads "," $7 } /^$/ { print substr(heads, 2); heads = "" }' out >heads
run trace -q -m all --to json bare.conllu
claim cmp heads <(sed -n 's/.*"heads":\[\([^]]*\)\].*/\1/p' out)
printf 'Birds\nsing\n\n' >vertical
run trace -q -m all --from vertical vertical
status 0
claim test "$(sed -n 1p out)" = 'sentence 1, 2 words; no costs: no head is known'
printf 'Birds \377 sing.\n' >broken.txt
run trace -m all broken.txt
status 0
stderr <<'END'
dodona: warning: broken.txt:1: invalid UTF-8 (code point beyond U+10FFFF) at offset 6, replaced by U+FFFD
END
run trace -q -m all broken.txt
stderr </dev/null

begin 'without -m or --system it is the default model, of which info tells too'
run train --only parser -q --iterations 1 -o model "$train"
run trace -m model "$test"
mv out wanted
DODONA_MODEL=model run trace "$test"
status 0
claim cmp out wanted
DODONA_MODEL=model run trace --to html -o page.html "$test"
status 0
claim grep -qF '"source":"model"' page.html
run info model
mv out wanted
DODONA_MODEL=model run info
status 0
claim cmp out wanted
run info -m model
status 0
claim cmp out wanted
run info -m model other
status 2
stderr <<'END'
dodona info: --model and the operand 'other' both name a model
END
DODONA_MODEL=absent run trace "$test"
status 1
DODONA_MODEL=absent run info
status 1

begin 'one sentence of several'
run trace --system arc-eager --sentence plain mixed.conllu
status 0
claim grep -q '^sentence plain' out
claim test "$(grep -c '^sentence ' out)" -eq 1
run trace --system arc-eager --to html --sentence plain mixed.conllu
claim test "$(grep -o '^{"id":"[a-z]*"' out)" = '{"id":"plain"'
run trace --system arc-eager --sentence absent mixed.conllu
status 1
stdout </dev/null
stderr <<'END'
dodona: there is no sentence 'absent'
END

begin 'a sentence that is typed is traced before the next'
run train -q --only tokenizer,parser --iterations 1 -o model "$train"
claim python3 -B "$here/coprocess.py" terminal 'Birds sing.\n\n' 'The oak rustles.\n\n' -- \
    timeout 300 "$program" trace -q -m model >out
claim test "$(grep -c '^sentence ' out)" -eq 2

begin 'wrong usage'
run trace -m model --system arc-eager reads.conllu
status 2
stderr <<'END'
dodona trace: options '--model' and '--system' cannot be combined
END
run trace --system arc-eager --beam 2 reads.conllu
status 2
run trace --system arc-eager --from text reads.conllu
status 2
stderr <<'END'
dodona trace: option '--from text' needs a model, not '--system'
END
run trace --system arc-eagre reads.conllu
status 2
claim grep -q "did you mean 'arc-eager'" err
run trace -m absent reads.conllu
status 1
