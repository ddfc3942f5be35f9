# Scores worked out by hand: of eight words one has a wrong head and another a wrong label; both
# belong to the four content words.

begin 'the CoNLL 2018 scores'
run eval hearing.conllu hearing-parsed.conllu
status 0
stderr </dev/null
stdout_file eval.txt

begin 'the CoNLL-X scores'
run eval --conllx hearing.conllu hearing-parsed.conllu
status 0
stdout_file eval-conllx.txt

begin 'JSON'
run eval --to json hearing.conllu hearing-parsed.conllu
status 0
claim python3 - <<'END'
import json
scores = json.load(open("out"))["metrics"]
f1 = {name: scores[name]["f1"] for name in ("UAS", "LAS", "CLAS", "LabelAcc")}
assert f1 == {"UAS": 87.5, "LAS": 75, "CLAS": 50, "LabelAcc": 87.5}, f1
END

begin 'a file against itself'
run eval --to json hearing.conllu hearing.conllu
status 0
claim grep -q '"LAS":{"precision":100,"recall":100,"f1":100,' out

begin 'one of the files from standard input, the other compressed'
run eval hearing.conllu hearing-parsed.conllu
cp out expected
gzip hearing.conllu
"$program" eval hearing.conllu.gz - <hearing-parsed.conllu >out 2>err
exit_status=$? ran='dodona eval hearing.conllu.gz -'
status 0
claim cmp out expected
run eval - -
status 2
stderr <<'END'
dodona eval: standard input ('-') can be read only once
END

begin 'a comparison repeats with its seed'
run eval --compare hearing.conllu --shuffles 100 --seed 5 hearing.conllu hearing-parsed.conllu
status 0
cp out expected
claim grep -qE '^LAS +\| +75\.00 \| +100\.00 \| +-25\.00 \| +1\.0000$' out
run eval --compare hearing.conllu --shuffles 100 --seed 5 hearing.conllu hearing-parsed.conllu
claim cmp out expected

begin 'files that cannot be compared'
run eval hearing.conllu reads.conllu
status 1
stdout </dev/null
claim grep -qE '^dodona: reads\.conllu:3: the characters of the words differ' err
run eval hearing.conllu bad.conllu
status 1
stderr <<'END'
dodona: bad.conllu:8: column 7 (HEAD): 'x' is neither a number nor _
END
run eval mixed.conllu mixed.conllu
status 1
stderr <<'END'
dodona: mixed.conllu:22: column 7 (HEAD): a second root
END

begin 'a model is scored on a treebank'
examples=$here/../../examples
"$program" train -q --system arc-eager --iterations 3 -o model "$examples/demo-train.conllu"
for given in text words tags; do
    case $given in
    text)
        sed -n 's/^# text = //p' "$examples/demo-test.conllu" | tr '\n' ' ' >text
        "$program" parse -q -m model --from text -o parsed.conllu text ;;
    words) "$program" parse -q -m model --tag -o parsed.conllu "$examples/demo-test.conllu" ;;
    tags) "$program" parse -q -m model -o parsed.conllu "$examples/demo-test.conllu" ;;
    esac
    "$program" eval "$examples/demo-test.conllu" parsed.conllu | grep '|' >expected
    run eval -m model --given $given "$examples/demo-test.conllu"
    status 0
    grep '|' out >table
    claim cmp -s expected table
    claim grep -q '^Given to the model: ' out
done
run eval -m model -t json "$examples/demo-test.conllu"
claim grep -q '"given":"text"' out
run eval -m model one two
status 2
run eval -m absent "$examples/demo-test.conllu"
status 1

begin 'a file too few'
run eval hearing.conllu
status 2
stdout </dev/null
stderr <<'END'
dodona eval: SYSTEM is missing; usage: dodona eval [OPTION]... GOLD [SYSTEM | -m MODEL]
END

begin 'two models are parsed with and compared'
for system in arc-eager covington; do
    run train --only parser --quiet --iterations 1 --system $system -o $system.dodona "$here/../../examples/demo-train.conllu"
    run parse -m $system.dodona -o $system.conllu "$here/../../examples/demo-test.conllu"
done
run eval --shuffles 100 --compare covington.conllu "$here/../../examples/demo-test.conllu" arc-eager.conllu
grep -E '^(LAS|UAS) .*\|.*\|' out | grep -v nan >expected
run eval --shuffles 100 -m arc-eager.dodona --compare-model covington.dodona "$here/../../examples/demo-test.conllu"
status 0
grep -E '^(LAS|UAS) .*\|.*\|' out >same
claim cmp same expected
claim grep -qF 'SYSTEM is arc-eager.dodona, OTHER is covington.dodona.' out
run eval --compare-model covington.dodona hearing.conllu hearing-parsed.conllu
status 2
claim grep -q 'compare-model needs --model' err
