# Training, the model file, parsing and evaluation, on the demo treebank.

examples=$here/../../examples
train=$examples/demo-train.conllu
test=$examples/demo-test.conllu

# Speeds and times differ from run to run; all else is exact.
steady() { sed -E 's/[0-9,]+ words\/s/N words\/s/; s/[0-9:]+ left/T left/' "$1"; }

begin 'the system suits the treebank, or is arc-eager where another would not do'
chosen() { # SYSTEM OPTION...
    local system=$1
    shift
    run train --only parser -q --iterations 1 "$@" -o model "$train"
    status 0
    run info model
    claim grep -qxE "system +$system" out
}
chosen covington
chosen covington --templates covington-2015
chosen graph --scorer neural --width 8 --hidden 16
chosen arc-eager --oracle static
chosen arc-eager --beam 2
chosen arc-eager --unbuildable lift-head
chosen arc-eager --templates standard
chosen arc-hybrid --beam 2 --system arc-hybrid

begin 'without options a model has all that the treebank allows'
run train --iterations 2 --dev "$test" -o whole "$train"
status 0
claim grep -qx 'making tokenizer, tagger, lemmatizer and parser (covington, linear, on tags of 5 folds) from 584 words, some seconds' err
claim grep -qE '^tags of 5 folds predicted' err
claim grep -qE '^the whole model on dev, given its text:  Sentences [0-9.]+  Words [0-9.]+  UPOS [0-9.]+  UFeats [0-9.]+  Lemmas [0-9.]+  UAS [0-9.]+  LAS [0-9.]+$' err
run info whole
claim grep -qxE 'components +tokenizer tagger lemmatizer parser' out
claim grep -qxE 'jackknife +5' out
sed -E '/^#/d; s/SpaceAfter=No/_/' "$train" | awk -F '\t' -v OFS='\t' 'NF == 10 {$3 = "_"} {print}' >bare.conllu
run train --iterations 1 --dev bare.conllu -o some bare.conllu
status 0
claim grep -qx "no tokenizer: the treebank has no text (neither '# text' nor SpaceAfter=No)" err
claim grep -qx 'no lemmatizer: the treebank has no lemmas' err
claim grep -qE '^making tagger and parser' err
claim grep -qE '^the whole model on dev, given its words:  UPOS [0-9.]+  UFeats [0-9.]+  UAS [0-9.]+  LAS [0-9.]+$' err
awk -F '\t' -v OFS='\t' 'NF == 10 {$4 = $5 = $6 = "_"} {print}' bare.conllu >bare-words.conllu
run train --iterations 1 -o some bare-words.conllu
status 0
claim grep -qx 'no tagger: the treebank has no tags (UPOS, XPOS or FEATS)' err
run info some
claim grep -qxE 'components +parser' out
run train --jackknife no --iterations 1 -o some "$train"
status 0
claim grep -qE '^making .*parser .covington, linear. from' err
run train --only all -o some bare.conllu
status 1
claim grep -q 'a tokenizer cannot be trained' err

begin 'a loss is judged by the system that is chosen, before anything is trained'
printf 'S0.form B0.form\n' >stack.templates
for options in '--beam 4' '--unbuildable lift' '--templates standard' \
    '--templates stack.templates' '--beam 4 --only all'; do
    run train --only parser $options --loss upper -o model "$train"
    status 2
    stderr <<'END'
dodona: arc-eager has no loss 'upper'; it has only one, the exact one
END
done
run train --only parser --loss upper -o model "$train"
status 2
stderr <<'END'
dodona: covington has no loss 'upper'; it has only one, the exact one
END
claim test ! -e model

begin 'a wrong template file is refused before anything is trained'
printf 'what is this\n' >wrong.templates
run train --only all --templates wrong.templates -o model "$train"
status 1
claim grep -q '^dodona: wrong.templates:1: ' err
claim test "$(grep -c trained err)" -eq 0

begin 'a column that the dev file never has is not learnt from, nor looked at when parsing'
without_xpos() { awk -F '\t' -v OFS='\t' 'NF == 10 { $5 = "_" } { print }' "$1"; }
without_xpos "$test" >dev.conllu
without_xpos "$train" >train.conllu
run train --only parser --iterations 3 --dev dev.conllu -o left-out "$train"
status 0
claim grep -qx "XPOS not learnt from: '_' in all of the dev file" err
run info left-out
claim grep -qxE 'columns +FORM LEMMA UPOS FEATS' out
run train --only parser --iterations 3 --dev dev.conllu -o never-there train.conllu
status 0
claim test "$(grep -c 'not learnt' err)" -eq 0
run parse -m left-out dev.conllu
status 0
stderr </dev/null
cut -f 7,8 out >wanted
run parse -m left-out "$test"
claim cmp <(cut -f 7,8 out) wanted
run parse -m never-there dev.conllu
claim cmp <(cut -f 7,8 out) wanted

begin 'train, info, parse and eval, one after the other'
run train --only parser --system arc-eager --iterations 3 --dev "$test" --licence MIT -o demo.dodona "$train"
status 0
stdout </dev/null
claim grep -qE '^[0-9]+ sentences, [0-9]+ words, [0-9]+ labels, [0-9]+ transitions, single root: (yes|no)$' err
claim grep -qE '^[0-9]+ sentences kept in part as arc-eager cannot build all of them, [0-9]+ arcs left out \(--verbose names them\)$' err
claim test "$(steady err | grep -cE '^parser  iteration  [123]/3  accuracy [0-9]{1,3}\.[0-9]{2}  dev UAS [0-9.]+ LAS [0-9.]+ [* ]  N words/s  T left$')" -eq 3
run info demo.dodona
status 0
claim grep -q arc-eager out
claim grep -q MIT out
run info --to json demo.dodona
status 0
claim python3 -c 'import json; facts = json.load(open("out")); assert "arc-eager" in facts.values(), facts'
run parse -m demo.dodona "$test"
status 0
stderr </dev/null
claim cmp <(cut -f 1-6,9,10 out) <(cut -f 1-6,9,10 "$test")
claim test "$(awk -F '\t' '$1 ~ /^[0-9]+$/ && $7 == "_"' out | wc -l)" -eq 0
cp out parsed.conllu
run eval "$test" parsed.conllu
status 0
claim grep -q LAS out

for system in $("$program" systems | awk 'NF == 0 { exit } NR > 1 { print $1 }'); do
    for oracle in static nondet dynamic; do
        begin "$system, $oracle: the same seed gives the same bytes"
        run train --only parser -q --iterations 2 --system $system --oracle $oracle -o one "$train"
        status 0
        stderr </dev/null
        run train --only parser -q --iterations 2 --system $system --oracle $oracle -o two "$train"
        claim cmp one two
        run parse -q -m one "$test"
        status 0
    done
done

begin 'another seed gives another model'
run train --only parser -q --iterations 2 --seed 1 -o one "$train"
run train --only parser -q --iterations 2 --seed 2 -o two "$train"
claim test "$(cmp -s one two; echo $?)" -eq 1

begin 'training data from standard input, from several files and compressed'
gzip -c "$train" >train.conllu.gz
run train --only parser -q --iterations 2 -o whole "$train"
"$program" train --only parser -q --iterations 2 -o piped - <train.conllu.gz 2>err
exit_status=$? ran='dodona train - <train.conllu.gz'
status 0
run parse -m whole "$test"
cp out expected
run parse -m piped "$test"
claim cmp out expected
run train --only parser -q --iterations 1 -o both "$train" "$test"
status 0

begin 'skipped sentences are named with --verbose'
run train --only parser --system arc-eager --unbuildable skip --verbose --iterations 1 -o model mixed.conllu
status 0
claim grep -qx 'dodona: mixed.conllu:7: sentence hearing skipped: non-projective tree' err
claim grep -qx '1 sentence skipped that arc-eager cannot build' err
claim test "$(grep -c 'in part' err)" -eq 0
run info model
claim grep -qx 'skipped      1' out

begin 'a part is kept of a tree that cannot be built, unless the oracle needs whole ones'
for options in '' '--unbuildable auto' '--unbuildable partial' '--oracle nondet'; do
    run train --only parser --system arc-eager $options --verbose --iterations 1 -o model mixed.conllu
    status 0
    claim grep -qx 'dodona: mixed.conllu:7: sentence hearing kept in part: non-projective tree, 1 arc left out' err
    claim grep -qx '1 sentence kept in part as arc-eager cannot build all of it, 1 arc left out' err
    claim test "$(grep -cE 'skipped|no head' err)" -eq 0
    run info model
    claim grep -qx 'kept in part   1' out
    claim grep -qx 'arcs left out  1' out
    claim grep -qx 'skipped        0' out
    claim test "$(grep -c 'unknown heads' out)" -eq 0
done
for options in '--oracle static' '--beam 2' '--beam 2 --unbuildable auto'; do
    run train --only parser --system arc-eager $options --iterations 1 -o model mixed.conllu
    status 0
    claim grep -qx '1 sentence skipped that arc-eager cannot build (--verbose names them)' err
    claim test "$(grep -c 'in part' err)" -eq 0
done
for system in arc-eager arc-hybrid arc-standard arc-eager-nm; do
    run train --only parser --system $system --unbuildable whole --iterations 3 -o model mixed.conllu
    status 0
    claim grep -qx "1 sentence that $system cannot build taken whole" err
    claim test "$(grep -cE 'skipped|no head|in part' err)" -eq 0
    run info model
    claim grep -qx 'unbuildable, whole  1' out
    claim grep -qx 'skipped             0' out
done
run train --only parser --system covington --single-root yes --unbuildable whole --iterations 1 -o model mixed.conllu
status 0
claim grep -qx '1 sentence that covington cannot build taken whole' err
run train --only parser --system attardi --unbuildable whole -o model mixed.conllu
status 2
stderr <<'END'
dodona train: option '--unbuildable': attardi has no loss against trees that it cannot build
END
run train --only parser --system arc-eager --oracle static --unbuildable whole -o model mixed.conllu
status 2
claim grep -qx "dodona train: option '--unbuildable': whole needs the nondet or dynamic oracle" err
run train --only parser --scorer neural --system arc-eager --unbuildable whole --silver mixed.conllu --silver-probabilities -o model mixed.conllu
status 2
claim grep -qx "dodona train: option '--unbuildable': whole and silver-probabilities cannot be combined" err
run train --only parser --system arc-eager --oracle static --unbuildable partial -o model mixed.conllu
status 2
stderr <<'END'
dodona train: option '--unbuildable': partial needs the nondet or dynamic oracle
END
run train --only parser --system arc-eager --beam 2 --unbuildable partial -o model mixed.conllu
status 2
claim grep -qx "dodona train: option '--unbuildable': partial needs the nondet or dynamic oracle; with a beam, auto is static" err
run train --only parser --system arc-eager --single-root yes --verbose --iterations 1 -o model mixed.conllu
status 0
claim grep -qE '^dodona: mixed\.conllu:[0-9]+: sentence two .* kept in part: several roots, 1 arc left out$' err
run train --only parser --system covington --single-root yes --iterations 1 -o model mixed.conllu
status 0
claim grep -qx '1 sentence kept in part as covington cannot build all of it, 1 arc left out (--verbose names them)' err

for how in head path head+path; do
    begin "pseudo-projective parsing, $how: every tree is trained on and comes back"
    value=lift-$how
    run train --only parser --system arc-eager --unbuildable ${value%-head+path} --iterations 20 --dev mixed.conllu -o model mixed.conllu
    status 0
    claim grep -qx '1 sentence lifted for arc-eager to build' err
    claim test "$(grep -c skipped err)" -eq 0
    claim grep -q 'dev UAS 100.00 LAS 100.00' err
    run info model
    claim grep -qxF "pseudo-projective  $how" out
    claim grep -qx 'lifted             1' out
    claim grep -qx 'skipped            0' out
    run parse -q -m model mixed.conllu
    status 0
    claim cmp out mixed.conllu
done

begin 'probabilities of heads are learnt from if asked for'
awk -F '\t' -v OFS='\t' 'NF == 10 { $10 = "HeadProbs=" $7 ":100" } 1' mixed.conllu >soft.conllu
run train --only parser --system arc-hybrid --soft --iterations 2 -o model soft.conllu
status 0
claim grep -qE '^[0-9]+ sentences with probabilities of heads$' err
claim test "$(grep -cE 'skipped|in part' err)" -eq 0
run info model
claim grep -qE '^soft +[1-9]' out
run train --only parser --system arc-hybrid --iterations 2 -o model soft.conllu
status 0
claim test "$(grep -c 'probabilities' err)" -eq 0
sed 's/HeadProbs=0:100/HeadProbs=0:101/' soft.conllu >bad.conllu
run train --only parser --system arc-hybrid --soft -o model bad.conllu
status 1
claim grep -qE '^dodona: bad.conllu:[0-9]+: word [0-9]+: HeadProbs is not a list of HEAD:PERCENTAGE, of at most 100 per cent in all$' err
run train --only parser --system lr-spine --soft -o model soft.conllu
status 2
stderr <<'END'
dodona train: option '--soft': lr-spine has no loss against probabilities of heads
END

begin 'no label tells how it was lifted'
for system in arc-standard arc-eager arc-eager-nm arc-hybrid; do
    run train --only parser -q --unbuildable lift --system $system --iterations 2 -o model "$train"
    status 0
    run parse -m model "$test"
    status 0
    claim test "$(awk -F '\t' 'NF > 0 && !/^#/ && NF != 10' out | wc -l)" -eq 0
    claim test "$(awk -F '\t' 'NF == 10 && $1 ~ /^[0-9]+$/ && $8 !~ /^[a-z:]+$/' out | wc -l)" -eq 0
    cp out parsed.conllu
    run eval "$test" parsed.conllu
    status 0
done

begin 'malformed training data'
run train --only parser -o model bad.conllu
status 1
stderr <<'END'
dodona: bad.conllu:8: column 7 (HEAD): 'x' is neither a number nor _
END
claim test ! -e model
run train --only parser --skip-bad --iterations 1 -o model bad.conllu
status 0
claim grep -qx '1 malformed sentence skipped (--verbose names them)' err
run train --only parser --skip-bad --verbose --iterations 1 -o model bad.conllu
status 0
claim grep -q "^dodona: warning: bad.conllu:8: column 7 (HEAD): 'x' is neither a number nor _" err

begin 'training data that cannot serve'
: >empty.conllu
run train --only parser -o model empty.conllu
status 1
claim grep -qE '^dodona: .+' err
cut -f 1-6 reads.conllu | sed '/^[0-9]/s/$/\t_\t_\t_\t_/' >heads-missing.conllu
run train --only parser --system arc-eager -o model heads-missing.conllu
status 1
stderr <<'END'
dodona: heads-missing.conllu: no heads to train on
END
run train --only parser --system arc-eager --dev heads-missing.conllu -o model reads.conllu
status 1
stderr <<'END'
dodona: heads-missing.conllu: no heads to evaluate on
END
claim test ! -e model

begin 'partial trees'
for system in $("$program" systems | awk 'NF == 0 { exit } NR > 1 { print $1 }'); do
    for oracle in nondet dynamic; do
        run train --only parser --system "$system" --oracle $oracle --iterations 3 --dev partial.conllu \
            -o partial.model partial.conllu
        status 0
        claim grep -qE '^2 sentences, 5 words, 2 labels, [0-9]+ transitions, single root: yes$' err
        claim grep -qx '1 of these words have no head (_): nothing is learnt from them' err
        claim grep -qx '1 sentence left out in which no head is known' err
        claim grep -qF 'dev UAS 100.00 LAS 100.00 *' err
    done
done
run info partial.model
status 0
claim grep -qx 'unknown heads  1' out
claim grep -qx 'skipped        0' out
run parse -m partial.model partial.conllu
status 0
claim test "$(grep -c never out)" -eq 0
run train --only parser --system arc-eager --oracle static -o model partial.conllu
status 1
stderr <<'END'
dodona: partial.conllu:3: column 7 (HEAD): a word has no head; the static oracle needs whole trees, the dynamic one does not
END
claim test ! -e model

begin 'partial trees: what cannot be'
forget='/^[0-9]/ && $1 !~ known { $7 = $8 = "_" } { print }'
awk -F '\t' -v OFS='\t' -v known='^7$' "$forget" hearing.conllu >part.conllu
awk -F '\t' -v OFS='\t' -v known='^[27]$' "$forget" hearing.conllu >crossed.conllu
run train --only parser --system arc-eager --iterations 1 -o model part.conllu
status 0
run train --only parser --system arc-eager --verbose --unbuildable skip -o model crossed.conllu part.conllu
status 0
claim grep -qx 'dodona: crossed.conllu:1: sentence hearing skipped: non-projective tree' err
# What cannot be lifted is kept in part.
run train --only parser --system arc-eager --verbose --unbuildable lift -o model crossed.conllu part.conllu
status 0
claim grep -qx 'dodona: crossed.conllu:1: sentence hearing kept in part: non-projective tree, 1 arc left out' err
claim grep -qx '13 of these words have no head (_): nothing is learnt from them' err
awk -F '\t' -v OFS='\t' '/^[0-9]/ { $7 = $1 == 1 ? 2 : $1 == 2 ? 1 : "_" } { print }' reads.conllu >cycle.conllu
run train --only parser --system arc-eager -o model cycle.conllu
status 1
claim grep -qE '^dodona: cycle.conllu:[0-9]+: column 7 \(HEAD\): the heads form a cycle$' err

begin 'without any label beside a head, _ is the label'
awk -F '\t' -v OFS='\t' '/^[0-9]/ { $8 = "_" } { print }' reads.conllu >unlabelled.conllu
run train --only parser --system arc-eager --quiet --iterations 1 -o unlabelled.model unlabelled.conllu
run parse -m unlabelled.model reads.conllu
status 0
claim test "$(awk -F '\t' '/^[0-9]/ && $8 == "_"' out | wc -l)" -eq 3

begin 'an output that cannot be written is told before training'
run train --only parser -o absent/model "$train"
status 1
stderr <<'END'
dodona: absent/model: cannot be written: No such file or directory
END
mkdir folder
run train --only parser -o folder "$train"
status 1
stderr <<'END'
dodona: folder: cannot be written: Is a directory
END
run train --only parser -o /dev/null "$train"
status 1
stderr <<'END'
dodona: /dev/null: cannot be written: Not a regular file
END
claim test -c /dev/null
run train --only parser -o - "$train"
status 2
stderr <<'END'
dodona train: a model cannot be written to standard output
END
cp "$train" copy.conllu
run train --only parser -o copy.conllu copy.conllu
status 2
claim cmp copy.conllu "$train"

begin 'standard input serves once'
run train --only parser -o model --dev - -
status 2
stderr <<'END'
dodona train: standard input ('-') can be read only once
END

begin 'templates from a file'
run train --only parser --templates absent -o model "$train"
status 1
stderr <<'END'
dodona: absent: No such file or directory
END
printf 'what is this\n' >wrong.templates
run train --only parser --templates wrong.templates -o model "$train"
status 1
claim grep -q '^dodona: wrong.templates:1: ' err
printf 'S0.form\n\0B0.form\n' >nul.templates
run train --only parser --templates nul.templates -o model "$train"
status 1
stderr <<'END'
dodona: nul.templates:2: NUL byte
END
claim test ! -e model
printf 'S0.form B0.form\n' | tee plain.templates | gzip >packed.templates
run train --only parser -q --iterations 1 --templates plain.templates -o plain "$train"
status 0
run train --only parser -q --iterations 1 --templates packed.templates -o packed "$train"
status 0
claim cmp plain packed

begin 'more features than a tagger takes'
{
    cat "$train"
    printf '1\ta\ta\tX\t_\tA=b\t0\troot\t_\t_\n2\ta\ta\tX\t_\tF0=a'
    printf '|F%d=a' {1..500}
    printf '\t1\tdep\t_\t_\n\n'
} >many.conllu
run train --only tagger -o model many.conllu
status 1
stderr <<END
dodona: many.conllu:$(($(wc -l <many.conllu) - 1)): column 6 (FEATS): 501 features; a tagger takes at most 500
END
run train -q --only parser --iterations 1 -o model many.conllu
status 0
sed 's/|F500=a//' many.conllu >most.conllu
run train -q --only tagger -o model most.conllu
status 0
"$program" train --only tagger -o model - <many.conllu 2>err
claim grep -q '^dodona: <stdin>:' err

begin 'Ctrl-C saves what was learnt'
mkfifo progress
"$program" train --only parser --iterations 1000000 --dev "$test" -o model "$train" 2>progress &
pid=$!
exec 3<progress
while read -r line <&3; do case $line in *iteration*) break ;; esac done
kill -INT $pid
cat <&3 >err
exec 3<&-
wait $pid
exit_status=$? ran='dodona train, interrupted'
status 130
claim grep -qE '^dodona: interrupted in iteration [0-9]+; saved the best of [0-9]+ finished iterations? to model$' err
run parse -q -m model "$test"
status 0

begin 'Ctrl-C without dev'
mkfifo progress
"$program" train --only parser --iterations 1000000 -o model "$train" 2>progress &
pid=$!
exec 3<progress
while read -r line <&3; do case $line in *iteration*) break ;; esac done
kill -INT $pid
cat <&3 >err
exec 3<&-
wait $pid
exit_status=$? ran='dodona train, interrupted'
status 130
claim grep -qE '^dodona: interrupted in iteration [0-9]+; saved what was learnt so far to model$' err
run info model
status 0

begin 'on a terminal a line tells how components go'
python3 -c 'import pty, sys; pty.spawn(sys.argv[1:])' \
    "$program" train --only all --jackknife 2 --iterations 1 -o model "$train" >seen
for part in tokenizer tagger lemmatizer 'fold +[12]/2  tagger' 'fold +[12]/2  lemmatizer'; do
    claim grep -qE $'\r'"$part  iteration +[0-9]+/[0-9]+  accuracy [0-9.]+(  [0-9,]+ words/s)?  [0-9:]+ left"$'\033''\[K' seen
done
claim grep -qE 'tagger  iteration .* words/s' seen
claim grep -qE '^(.*\[K)?parser  iteration +1/1  accuracy .* words/s  0:00 left' seen
claim grep -qE $'\033''\[K''tagger trained in' seen
claim grep -qE $'\033''\[K''tags of 2 folds predicted in' seen

begin 'beside a neural parser the dev file chooses the tokenizer'
echo "The birds sing... (the king doesn't) U.S. trees; the leaves-they fall. no. the End" >text
for kind in linear neural; do
    "$program" train -q --only tokenizer --tokenizer $kind -o $kind "$train"
    "$program" parse -q -m $kind --from text text |
        awk 'BEGIN { FS = OFS = "\t" } /^[0-9]+\t/ { $7 = $1 > 1; $8 = $1 > 1 ? "dep" : "root" } 1' >$kind.conllu
done
claim test "$(cmp linear.conllu neural.conllu 2>&1 | wc -l)" -eq 1
f1() { "$program" eval "$1" "$2" | awk -F '|' -v metric="$3" '{ gsub(/ /, "") } $1 == metric { print $4 }'; }
for dev in linear neural; do
    run train --scorer neural --width 16 --iterations 1 --only tokenizer,parser --dev $dev.conllu -o model "$train"
    status 0
    other=neural taken=linear
    [ $dev = linear ] || other=linear taken='neural, 1 x 64'
    scores="tokens $(f1 $dev.conllu $other.conllu Tokens), sentences $(f1 $dev.conllu $other.conllu Sentences)"
    told="$taken; dev: tokens 100.00, sentences 100.00; $other: $scores"
    claim grep -qx "tokenizer taken: $told" err
    run info model
    claim grep -qx "tokenizer *$told" out
    run train -q --components-from model --iterations 1 -o other "$train"
    run info other
    claim grep -qx "tokenizer *$told" out
done

begin 'one sentence is told in the singular'
run train --only parser --system arc-eager --iterations 1 -o model reads.conllu
status 0
claim grep -q '^1 sentence, 3 words, ' err

begin 'built-in templates'
run templates
status 0
claim grep -qx eager out
claim grep -qx covington-2015 out
run templates standard
status 0
claim grep -qx 'S1.form S0.form' out
run templates standrad
status 2
stderr <<'END'
dodona templates: there is no set 'standrad'; did you mean 'standard'?
END
run train --only parser --system arc-eager --templates standard --iterations 1 --quiet -o model "$train"
status 0
run train --only parser --templates standrad -o model "$train"
status 1
stderr <<'END'
dodona: standrad: No such file or directory; did you mean the set 'standard'?
END

for system in $("$program" systems | awk 'NF == 0 { exit } NR > 1 { print $1 }'); do
    begin "$system: with a beam the same seed gives the same bytes"
    run train --only parser -q --iterations 2 --beam 4 --system $system -o one "$train"
    status 0
    stderr </dev/null
    run train --only parser -q --iterations 2 --beam 4 --system $system -o two "$train"
    claim cmp one two
    run parse -q -m one "$test"
    status 0
done

begin 'a beam, its update and its margin are facts of the model'
run train --only parser --system arc-eager -q --iterations 2 --beam 4 --update early --margin 7 -o beam.model "$train"
status 0
run info beam.model
claim grep -qx 'oracle       static' out
claim grep -qx 'beam         4' out
claim grep -qx 'update       early' out
claim grep -qx 'margin       7' out
claim test "$(grep -c explore out)" -eq 0
run train --only parser --system arc-eager -q --iterations 2 --beam 4 --oracle dynamic -o other.model "$train"
run info other.model
claim grep -qxE 'oracle +dynamic' out
claim test "$(cmp -s beam.model other.model; echo $?)" -eq 1
run train --only parser --system arc-eager -q --iterations 2 -o greedy.model "$train"
run info greedy.model
claim grep -qxE 'oracle +dynamic' out
claim test "$(grep -cE '^(beam|update|margin)' out)" -eq 0

begin 'a beam is measured on the dev data as it will parse'
run train --only parser --system arc-eager --iterations 2 --beam 4 --dev "$test" -o beam.model "$train"
status 0
las=$("$program" info beam.model | awk '$1 == "dev" && $2 == "LAS" { print $3 }')
"$program" parse -m beam.model -o parsed "$test"
run eval --conllx "$test" parsed
claim grep -qE "^LAS .* $las *\|" out

begin 'a beam out of its bounds'
run train --only parser --beam 0 -o beam.model "$train"
status 2
stderr <<'END'
dodona train: option '--beam': '0' is not a whole number from 1 to 1000
END

begin 'sentences over --max-words are skipped and counted'
run train --only parser --system attardi --iterations 1 --max-words 5 --verbose -o short.model "$train"
status 0
claim grep -qE '^dodona: .*: sentence .* skipped: it has more words than max-words allows$' err
claim grep -qE '^[0-9]+ sentences of more than 5 words skipped \(see --max-words\)$' err
run info short.model
claim grep -qx 'skipped      0' out
claim grep -qE '^too long +[1-9][0-9]*$' out
run train --only parser --system attardi --iterations 1 --max-words 1 -o short.model "$train"
status 1
claim grep -qE '^dodona: attardi can learn from none of the [0-9]+ training sentences' err

begin 'long sentences are skipped unless told otherwise where losses take long'
{ printf '# sent_id = long\n1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n'
  awk 'BEGIN { for (i = 2; i <= 501; i++) printf "%d\ta\t_\tX\t_\t_\t%d\tdep\t_\t_\n", i, i - 1 }'
  printf '\n1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n\n'; } >long.conllu
run train --only parser --system attardi --iterations 1 -o short.model long.conllu
claim grep -qx '1 sentence of more than 500 words skipped, which --verbose names (see --max-words)' err
run train --only parser --system attardi --iterations 1 --max-words 0 -o short.model long.conllu
claim test "$(grep -c skipped err)" -eq 0
run train --only parser --system attardi --oracle static --iterations 1 -o short.model long.conllu
claim test "$(grep -c skipped err)" -eq 0

begin 'silver trees are learnt from beside the treebank, and are facts of the model'
run train --only parser --system arc-eager --iterations 2 --silver "$test" --silver-weight 0.5 --verbose -o silver.model "$train"
status 0
claim grep -qx 'silver: 16 sentences, 142 words, 2 kept in part' err
claim grep -qE "^dodona: $test:[0-9]+: sentence .* kept in part: non-projective tree, 1 arc left out\$" err
run info silver.model
claim grep -qx 'silver         demo-test.conllu' out
claim grep -qx 'silver words   142' out
claim grep -qx 'silver weight  0.5' out
claim grep -qxE 'silver hash    xxh3:[0-9a-f]{16}' out
claim grep -qx 'words          584' out
run train --only parser --system arc-eager -q --iterations 2 --silver - --silver-weight 0.5 -o same.model "$train" <"$test"
status 0
"$program" parse -m silver.model -o one "$test"
"$program" parse -m same.model -o two "$test"
claim cmp one two
run train --only parser --system arc-eager -q --iterations 2 -o without.model "$train"
run info without.model
claim test "$(grep -c silver out)" -eq 0

begin 'a silver file larger than its window is read window by window, plain or packed'
windows='--only parser --system arc-eager -q --iterations 3 --silver-weight 0.5 --silver-window 40'
gzip -c "$test" >silver.gz
run train $windows --silver "$test" -o silver.model "$train"
status 0
run train $windows --silver silver.gz -o packed.model "$train"
status 0
run info silver.model
claim grep -qx 'silver words   142' out
claim grep -qx 'silver window  40' out
"$program" parse -m silver.model -o one "$test"
"$program" parse -m packed.model -o two "$test"
claim cmp one two
run train $windows --silver - -o other "$train" <"$test"
status 1
stderr <<'END'
dodona: <stdin>: more than 40 words must come from a file, as they are read several times
END
claim test ! -e other

begin 'silver trees that cannot be learnt from'
printf '1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n\n1\ta\n\n' >bad.conllu
run train --only parser --system arc-eager --silver bad.conllu -o model "$train"
status 1
stderr <<'END'
dodona: bad.conllu:3: expected 10 columns separated by tabs, found 2
END
run train --only parser --system arc-eager --silver bad.conllu --skip-bad --iterations 1 -o model "$train"
status 0
claim grep -qx 'silver: 1 sentence, 1 words, 1 malformed' err
run train --only all --silver nowhere.conllu -o other "$train"
status 1
stderr <<'END'
dodona: nowhere.conllu: No such file or directory
END
run train --only parser --silver - -o other - <"$train"
status 2
stderr <<'END'
dodona train: standard input ('-') can be read only once
END
run train --silver "$test" --only tagger -o other "$train"
status 2
stderr <<'END'
dodona train: option '--silver': needs 'only' with parser
END
run train --only parser --silver "$test" --silver-weight 0 -o other "$train"
status 2
stderr <<'END'
dodona train: option '--silver-weight': '0' is not a number from 0.001 to 100
END
cp "$test" same
run train --only parser --silver same -o same "$train"
status 2
claim cmp same "$test"
claim test ! -e other

begin 'a neural model can be gone on with, also in its place'
neural='--scorer neural --batch-words 60 --iterations 2'
run train --only parser $neural -q --width 16 --system arc-hybrid -o first.model "$train"
status 0
run train $neural -q --start-from first.model -o second.model "$test"
status 0
run info second.model
claim grep -qxE 'started from +first.model' out
claim grep -qxE 'system +arc-hybrid' out
claim grep -qxE 'network +2 x 16, hidden 128' out
run train $neural -q --start-from first.model -o first.model "$test"
status 0
run parse -q -m first.model "$test"
status 0
run train -q --start-from first.model -o second.model "$test"
status 2
stderr <<'END'
dodona train: option '--start-from': the scorer linear cannot be fine-tuned
END

begin 'neural training leaves a checkpoint when it is ended, and none when it ends'
neural='--scorer neural --width 16 --batch-words 60 --iterations 400 --system arc-hybrid'
wait_for() { for _ in $(seq 600); do [ -e "$1" ] && return; sleep 0.1; done; false; }
"$program" train --only parser -q $neural -o model "$train" &
claim wait_for model.checkpoint
kill -KILL $!
wait $! 2>/dev/null
claim test -e model.checkpoint -a ! -e model
run train --only parser $neural --seed 2 --resume -o model "$train"
status 2
stderr <<'END'
dodona: model.checkpoint: was made with seed 1, not 2
END
"$program" train --only parser $neural --resume --threads 2 -o model "$train" 2>err &
for _ in $(seq 600); do grep -q '^parser  iteration' err && break; sleep 0.1; done
kill -INT $!
wait $!
claim test $? -eq 130
claim grep -qE '^resumed after iteration [0-9]+$' err
claim grep -qE '^dodona: interrupted in iteration [0-9]+; saved what was learnt so far to model$' err
claim grep -qx 'dodona: --resume continues from model.checkpoint' err
claim test -e model.checkpoint -a -e model
run train --only parser -q --scorer neural --width 16 --iterations 2 --checkpoint other -o model "$train"
status 0
claim test ! -e other
run train --only parser --resume -o model "$train"
status 2
stderr <<'END'
dodona train: option '--resume': training with the scorer linear cannot be resumed
END
run train --only parser --system arc-hybrid --scorer neural --resume -o another "$train"
status 1
stderr <<'END'
dodona: another.checkpoint: No such file or directory
END
