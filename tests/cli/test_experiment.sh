# Plans, runs that go on where they stopped, and the report.
examples=$here/../../examples

sentences() { # FIRST LAST FILE
    awk -v first="$1" -v last="$2" 'BEGIN { RS = ""; ORS = "\n\n" } NR >= first && NR <= last' "$3"
}

# A treebank in the folder treebanks: small parts of the example treebank.
treebank() { # CODE
    mkdir -p "treebanks/$1"
    sentences 1 15 "$examples/demo-train.conllu" >"treebanks/$1/train.conllu"
    sentences 1 3 "$examples/demo-test.conllu" >"treebanks/$1/dev.conllu"
    sentences 4 8 "$examples/demo-test.conllu" >"treebanks/$1/test.conllu"
}

plan() { cat >p.plan; }

small_plan() {
    plan <<'END'
seeds = 1 2
iterations = 2
[treebanks]
folder = treebanks
codes = one two
[runs]
systems = arc-hybrid covington-nm
oracles = static dynamic
END
}

# What does not depend on the machine, in one order.
same_part() { sed 's/,"cost":{[^}]*}//' "$1" | sort; }

refuse() { # MESSAGE, with the plan on standard input
    cat >p.plan
    run experiment p.plan
    status 1
    printf '%s\n' "dodona: p.plan:$1" >expected
    same stderr expected err
}

good_treebanks='[treebanks]
folder = treebanks
codes = one'
good_runs='[runs]
systems = arc-eager
oracles = static'

begin 'a plan with every mistake there is, one at a time'
treebank one
refuse "1: 'seeds 1 2' is neither [SECTION] nor KEY = VALUES" <<<'seeds 1 2'
refuse "1: 'seeds' has no value" <<<'seeds =   # none'
refuse "2: there is no key 'seed'; did you mean 'seeds'?" <<<$'\nseed = 1'
refuse "1: there is no key 'systems'" <<<'systems = arc-eager'
refuse "2: 'seeds' appears twice in its section" <<<$'seeds = 1\nseeds = 2'
refuse "1: '[run]' is neither [treebanks] nor [runs]" <<<'[run]'
refuse "1: [treebanks] has no 'codes'" <<<$'[treebanks]\nfolder = treebanks'
refuse "1: [treebanks] has no 'folder'" <<<$'[treebanks]\ncodes = one'
refuse "3: treebank 'one' appears twice" <<<"${good_treebanks} one"
refuse "3: '../one' cannot name a treebank: only letters, digits, '_', '-' and '.', fewer than 64 of them" \
    <<<$'[treebanks]\nfolder = treebanks\ncodes = ../one'
refuse "3: treebank 'three': no train.conllu or train.conll in treebanks/three" \
    <<<$'[treebanks]\nfolder = treebanks\ncodes = one three'
refuse "1: [runs] has no 'systems'" <<<$'[runs]\noracles = static'
refuse "1: [runs] has no 'oracles'" <<<$'[runs]\nsystems = arc-eager'
refuse "2: there is no system 'arc-eagre'; did you mean 'arc-eager'?" \
    <<<$'[runs]\nsystems = arc-eagre\noracles = static'
refuse "3: there is no oracle 'dynamc'; did you mean 'dynamic'?" \
    <<<$'[runs]\nsystems = arc-eager\noracles = static dynamc'
refuse "4: arc-eager has no loss 'upper'; it has only one, the exact one" \
    <<<$'[runs]\nsystems = arc-eager\noracles = dynamic\nlosses = upper'
refuse "2: arc-eager with the static oracle appears twice" \
    <<<$'[runs]\nsystems = arc-eager arc-eager\noracles = static'
refuse "7: the plan has no [treebanks]" <<<"$good_runs"$'\n\n\n'
refuse "4: the plan has no [runs]" <<<"$good_treebanks"
refuse "1: '0' is not a whole number from 1 to 1000" \
    <<<"iterations = 0"$'\n'"$good_treebanks"$'\n'"$good_runs"
refuse "1: 'iterations' takes one number" \
    <<<"iterations = 3 4"$'\n'"$good_treebanks"$'\n'"$good_runs"
refuse "4: '-3' is not a whole number from 1 to 1000" <<<"$good_treebanks"$'\niterations = -3'
refuse "1: 'x' is not a whole number from 0 to 9007199254740992" \
    <<<"seeds = 1 x"$'\n'"$good_treebanks"$'\n'"$good_runs"
refuse "1: '0' is not a whole number from 1 to 4294967295" \
    <<<"parser-bytes = 0"$'\n'"$good_treebanks"$'\n'"$good_runs"
refuse "1: 'parser-bytes' takes one number" \
    <<<"parser-bytes = 1 2"$'\n'"$good_treebanks"$'\n'"$good_runs"
refuse "1: 'neural' is not of the form NAME=VALUE" \
    <<<"settings = neural"$'\n'"$good_treebanks"$'\n'"$good_runs"
refuse "1: 'seed' has a key of its own in plans" \
    <<<"settings = seed=3"$'\n'"$good_treebanks"$'\n'"$good_runs"
refuse "1: there is no setting 'widht'; did you mean 'width'?" \
    <<<"settings = widht=8"$'\n'"$good_treebanks"$'\n'"$good_runs"
refuse "1: seed 2 appears twice" <<<"seeds = 2 1 2"$'\n'"$good_treebanks"$'\n'"$good_runs"
claim test ! -e p.plan.jsonl
run experiment absent.plan
status 1
stderr <<'END'
dodona: absent.plan: No such file or directory
END

begin 'a plan is the product of its lists, and comments and blanks are nothing'
treebank one
treebank two
mkdir plans && mv treebanks plans
printf '%s\r\n' '  # a comment' 'iterations=1' '' '[treebanks]  # here' 'folder = treebanks' \
    'codes = one' '[treebanks]' 'folder = treebanks' 'codes =	two ' 'iterations = 2' '[runs]' \
    'systems = covington-nm' 'oracles = static dynamic' 'losses = upper lower' >plans/p.plan
run experiment plans/p.plan
status 0
claim test "$(sed 's/^{"treebank":"\(.*\),"version".*/\1/' plans/p.plan.jsonl | tr -d '"')" = \
'one,system:covington-nm,oracle:static,loss:null,seed:1,iterations:1,parser_bytes:0
one,system:covington-nm,oracle:dynamic,loss:upper,seed:1,iterations:1,parser_bytes:0
one,system:covington-nm,oracle:dynamic,loss:lower,seed:1,iterations:1,parser_bytes:0
two,system:covington-nm,oracle:static,loss:null,seed:1,iterations:2,parser_bytes:0
two,system:covington-nm,oracle:dynamic,loss:upper,seed:1,iterations:2,parser_bytes:0
two,system:covington-nm,oracle:dynamic,loss:lower,seed:1,iterations:2,parser_bytes:0'
claim grep -q '^6 runs, 0 of them made before$' err
claim grep -q '^two covington-nm dynamic lower seed 1: dev LAS [0-9.]*, test LAS [0-9.]*, 0:0[0-9]$' err
claim grep -q '^6 of 6 runs are in plans/p.plan.jsonl$' err

begin 'the same results with any number of processes'
treebank one
treebank two
small_plan
run experiment --quiet p.plan
status 0
stderr </dev/null
run experiment --quiet --jobs 2 -o two.jsonl p.plan
status 0
run experiment --quiet -j 5 -o five.jsonl p.plan
status 0
claim test "$(wc -l <p.plan.jsonl)" -eq 16
claim cmp <(same_part p.plan.jsonl) <(same_part two.jsonl)
claim cmp <(same_part p.plan.jsonl) <(same_part five.jsonl)
claim python3 -c 'import json; [json.loads(line) for line in open("p.plan.jsonl")]'

begin 'scores are those of train, parse and eval'
treebank one
plan <<<"iterations = 3"$'\n'"$good_treebanks"$'\n[runs]\nsystems = arc-eager\noracles = dynamic'
run experiment -q p.plan
status 0
run train --only parser --system arc-eager -q --oracle dynamic --iterations 3 --dev treebanks/one/dev.conllu -o m treebanks/one/train.conllu
run parse -m m -o parsed treebanks/one/test.conllu
run eval --to json treebanks/one/test.conllu parsed
claim python3 - <<'END'
import json
result = json.loads(open("p.plan.jsonl").read())
metrics = json.load(open("out"))["metrics"]
for name in ("UAS", "LAS", "CLAS"):
    assert abs(result["test"][name.lower()] - metrics[name]["f1"]) < 1e-6, name
arcs, sentences = result["arcs"], result["sentences"]
assert sum(row[1] for row in arcs["length"]) == metrics["UAS"]["correct"] == sum(sentences["heads"])
assert sum(sentences["labelled"]) == metrics["LAS"]["correct"]
assert sum(row[0] for row in arcs["length"]) == metrics["UAS"]["gold"] == sum(sentences["words"])
assert arcs["projective"][1] + arcs["nonprojective"][1] == metrics["UAS"]["correct"]
assert len(result["curve"]) == 3
END

begin 'the size of the weights is the one that the plan says, and part of what a run is'
treebank one
few=$'iterations = 4\nparser-bytes = 3000\n'
rest="$good_treebanks"$'\n[runs]\nsystems = arc-eager\noracles = dynamic'
plan <<<"$few$rest"
run experiment -q p.plan
status 0
run train --only parser --system arc-eager -q --oracle dynamic --iterations 4 --parser-bytes 3000 --dev treebanks/one/dev.conllu -o m treebanks/one/train.conllu
run parse -m m -o parsed treebanks/one/test.conllu
run eval --to json treebanks/one/test.conllu parsed
claim python3 - <<'END'
import json
result = json.loads(open("p.plan.jsonl").read())
assert result["parser_bytes"] == 3000
assert abs(result["test"]["las"] - json.load(open("out"))["metrics"]["LAS"]["f1"]) < 1e-6
END
run experiment p.plan
claim grep -qx '1 runs, 1 of them made before' err
plan <<<"iterations = 4"$'\n'"$rest"
run experiment p.plan
claim grep -qx '1 runs, 0 of them made before' err

begin 'other settings are those of training, and part of what a run is'
treebank one
plan <<<$'settings = scorer=neural   width=16 hidden=16\n'"iterations = 2"$'\n'"$rest"
run experiment -q p.plan
status 0
run train --only parser --scorer neural --width 16 --hidden 16 --system arc-eager -q --oracle dynamic --iterations 2 --dev treebanks/one/dev.conllu -o m treebanks/one/train.conllu
run parse -m m -o parsed treebanks/one/test.conllu
run eval --to json treebanks/one/test.conllu parsed
claim python3 - <<'END'
import json
result = json.loads(open("p.plan.jsonl").read())
assert result["settings"] == "scorer=neural width=16 hidden=16"
assert abs(result["test"]["las"] - json.load(open("out"))["metrics"]["LAS"]["f1"]) < 1e-6
END
run experiment p.plan
claim grep -qx '1 runs, 1 of them made before' err
plan <<<"iterations = 2"$'\n'"$rest"
run experiment p.plan
claim grep -qx '1 runs, 0 of them made before' err

begin 'trees that cannot be built are skipped unless the plan says otherwise'
treebank one
cp "$examples/demo-train.conllu" treebanks/one/train.conllu
plan <<<"iterations = 4"$'\n'"$rest"
run experiment -q p.plan
status 0
run experiment --report report p.plan
claim grep -q 'cannot build are skipped in training, but count in the scores' report/results.md
plan <<<$'iterations = 4\nsettings = unbuildable=partial\n'"$rest"
run experiment p.plan
status 0
claim grep -qx '1 runs, 0 of them made before' err
run experiment --report report p.plan
claim grep -q 'cannot build count in the scores' report/results.md
claim python3 - <<'END'
import json
skip, partial = map(json.loads, open("p.plan.jsonl"))
assert skip["data"]["skipped"] == 8 and partial["data"]["skipped"] == 0
assert partial["data"]["sentences"] == skip["data"]["sentences"] + 8
END

begin 'an experiment goes on where it stopped'
treebank one
treebank two
small_plan
run experiment -q -o whole.jsonl p.plan
# The line that was being written when the power went is made again, and no other.
head -n 5 whole.jsonl >cut.jsonl
sed -n 6p whole.jsonl | head -c 300 >>cut.jsonl
run experiment -o cut.jsonl p.plan
status 0
claim grep -qx 'dodona: warning: cut.jsonl:6: the last line was cut off; its run counts as not made' err
claim grep -qx '16 runs, 5 of them made before' err
claim test "$(grep -c ': dev LAS ' err)" -eq 11
claim cmp <(head -n 5 whole.jsonl) <(head -n 5 cut.jsonl)
claim cmp <(same_part whole.jsonl) <(same_part cut.jsonl)
cp cut.jsonl before
run experiment -o cut.jsonl p.plan
status 0
stderr <<'END'
16 runs, 16 of them made before
16 of 16 runs are in cut.jsonl
END
claim cmp before cut.jsonl

begin 'results that are no results are refused, and stay as they are'
treebank one
small_plan
sed -i 's/ two$//' p.plan
printf '%s\n' '{"treebank":"one","seed":1,' >p.plan.jsonl
cp p.plan.jsonl before
run experiment p.plan
status 1
stderr <<'END'
dodona: p.plan.jsonl:1: not JSON: byte 28: a string is expected
END
claim cmp before p.plan.jsonl
echo '{"treebank":"one","system":"arc-hybrid","oracle":"static","loss":null,"seed":1,"iterations":2,"parser_bytes":0,"version":"0.1.0"}' >p.plan.jsonl
run experiment p.plan
status 1
stderr <<'END'
dodona: p.plan.jsonl:1: 'best_iteration' is missing or not what it should be
END
echo '{"treebank":"one","system":"arc-hybrid","oracle":"static","loss":null,"seed":1}' >p.plan.jsonl
run experiment p.plan
status 1
stderr <<'END'
dodona: p.plan.jsonl:1: 'iterations' is missing or not what it should be
END

begin 'results of other runs do no harm'
treebank one
plan <<<"iterations = 1"$'\n'"$good_treebanks"$'\n'"$good_runs"
run experiment -q p.plan
sed -i 's/= 1/= 2/' p.plan
run experiment p.plan
status 0
claim grep -qx 'dodona: warning: p.plan.jsonl: 1 line of runs that are not in the plan' err
claim test "$(wc -l <p.plan.jsonl)" -eq 2

begin 'a run that fails is recorded, the others go on, and it is tried again'
treebank one
treebank two
small_plan
sed -i 's/seeds = 1 2/seeds = 1/' p.plan
cp treebanks/one/test.conllu good
sed '3s/\t[0-9]*\t\([a-z]*\)\t/\tx\t\1\t/' good >treebanks/one/test.conllu
run experiment -j 2 p.plan
status 1
claim grep -qx "dodona: one arc-hybrid static seed 1 failed: treebanks/one/test.conllu:3: column 7 (HEAD): 'x' is neither a number nor _" err
claim grep -qx 'dodona: 4 runs failed' err
claim grep -qx '4 of 8 runs are in p.plan.jsonl' err
claim test "$(grep -c '"failed":"treebanks/one/test.conllu:3: column 7' p.plan.jsonl)" -eq 4
cp good treebanks/one/test.conllu
run experiment p.plan
status 0
claim grep -qx '8 runs, 4 of them made before' err
claim test "$(wc -l <p.plan.jsonl)" -eq 12
run experiment -q -o again.jsonl p.plan
claim cmp <(same_part p.plan.jsonl | grep -v failed) <(same_part again.jsonl)

begin 'a run whose process comes to a bad end is recorded'
treebank one
for i in {1..90}; do cat treebanks/one/train.conllu; done >long
mv long treebanks/one/train.conllu
plan <<<"iterations = 1000"$'\n'"$good_treebanks"$'\n'"$good_runs"
# A second of processor time is not enough, and the kernel ends the process with SIGXCPU.
(
    ulimit -t 1
    exec "$program" experiment p.plan 2>err
)
claim test $? -eq 1
claim grep -qE '"failed":"its process was ended by signal [0-9]+"}$' p.plan.jsonl
claim grep -qE '^dodona: one arc-eager static seed 1 failed: its process was ended by signal' err

begin 'an interrupted experiment leaves whole lines, and goes on'
treebank one
treebank two
small_plan
sed -i 's/iterations = 2/iterations = 60/' p.plan
"$program" experiment -j 2 p.plan 2>err &
experiment=$!
for ((i = 0; i < 2400; i++)); do
    [ -s p.plan.jsonl ] && break
    sleep 0.05
done
kill -INT "$experiment"
wait "$experiment"
claim test $? -eq 130
claim grep -qx 'dodona: interrupted; run the same command again to continue' err
claim test -z "$(tail -c 1 p.plan.jsonl | tr -d '\n')"
claim python3 -c 'import json; [json.loads(line) for line in open("p.plan.jsonl")]'
claim test "$(wc -l <p.plan.jsonl)" -lt 16
run experiment -q -j 2 p.plan
status 0
run experiment -q -j 2 -o whole.jsonl p.plan
claim cmp <(same_part p.plan.jsonl) <(same_part whole.jsonl)

begin 'two experiments do not write to one file'
treebank one
plan <<<"$good_treebanks"$'\n'"$good_runs"
: >p.plan.jsonl
exec 9<p.plan.jsonl
flock 9
run experiment p.plan
exec 9<&-
status 1
stderr <<'END'
dodona: p.plan.jsonl: another experiment is writing to it
END

begin 'treebanks elsewhere, and in CoNLL-X format'
treebank one
mkdir -p elsewhere/one
for set in train dev test; do
    grep -v '^#\|^[0-9]*[-.]' treebanks/one/$set.conllu | gzip >elsewhere/one/$set.conll.gz
done
rm -r treebanks
plan <<<"iterations = 1"$'\n'"$good_treebanks"$'\n'"$good_runs"
run experiment -q p.plan
status 1
run experiment -q --treebanks elsewhere p.plan
status 0
claim grep -q '"clas":null' p.plan.jsonl

# ---- the report ----

report_plan() {
    plan <<'END'
seeds = 1 2
iterations = 2
[treebanks]
folder = nowhere
codes = aa bb cc
[runs]
systems = arc-eager covington covington-nm
oracles = static dynamic
[runs]
systems = covington-nm
oracles = dynamic
losses = lower
END
    python3 "$here/make_results.py" >p.plan.jsonl
}

begin 'the report, exactly'
report_plan
run experiment --report docs p.plan
status 0
stdout </dev/null
stderr </dev/null
claim diff -u "$here/expected/experiment/results.md" docs/results.md
claim diff -ru "$here/expected/experiment/results" docs/results
# Worked out by hand from what make_results.py says. Differences of 1, 2 and 3 points have the
# mean 2, and t(2) = 4.3027 times 1 / sqrt(3) on either side.
claim grep -qxF '| arc-eager | dynamic | +2.00 | -0.48 to +4.48 | +2.00 | -0.48 to +4.48 | +2.00 | 1 | 0 | 3 |' docs/results.md
# One word more in k of ten sentences, in both seeds: the chance is 2 / 2^k. 2 / 2^6 is below 0.05.
claim grep -q '^cc,arc-eager,dynamic,,2,.*,3.0000,0.03[0-9]*,3.0000,0.03[0-9]*,,,,$' docs/results/scores.csv
claim grep -q '^bb,arc-eager,dynamic,,2,.*,2.0000,0.12[0-9]*,2.0000,0.12[0-9]*,,,,$' docs/results/scores.csv
# 6 sentences worse, and 8 better, than the static oracle and than covington's dynamic one.
claim grep -Eq '^aa,covington-nm,dynamic,,2(,[0-9.]*){7}(,-3.0000,0.03[0-9]*){4}$' docs/results/scores.csv
claim grep -Eq '^cc,covington-nm,dynamic,,2(,[0-9.]+){7}(,4.0000,0.00[0-9]*){4}$' docs/results/scores.csv
claim grep -Eq '^cc,covington,dynamic,,2(,[0-9.]+){7}(,0.0000,1.0000){2}(,-4.0000,0.00[0-9]*){2}$' docs/results/scores.csv
claim grep -qx 'covington-nm,dynamic,,3,.*,0.3333,8.7[0-9]*,0.3333,8.7[0-9]*,0.3333,1,1,.*' docs/results/means.csv
claim grep -qxF '| covington-nm | dynamic | 40.00 | 60.00 | 5.00 |' docs/results.md
# 150 right heads: 10 from the root, 90 of length 1, 50 of 2. With 152, 154 and 156: 8, 16, 24 %.
claim grep -q '^arc-eager,static,.*,100.0000,100.0000,100.0000,0.0000,0.0000,0.0000,0.0000,75.*' docs/results/means.csv
claim grep -qxF '| arc-eager | dynamic | 100.00 | 100.00 | 100.00 | 16.00 | 0.00 | 0.00 | 0.00 |' docs/results.md
# The analyses show the best oracle of each system on dev; the first of covington's, which are equal.
claim test "$(sed -n '/^## Time and memory/,/^## Files/p' docs/results.md | grep -c '^| [a-z]')" -eq 4
claim grep -qxF '| covington | static | 1500 | 4000 | 50 | 0.00 |' docs/results.md
claim grep -qxF '| covington-nm | dynamic lower | 1500 | 4000 | 50 | 0.00 |' docs/results.md
# Covington's two have 71 LAS on dev of cc, and covington-nm 75, one more than arc-eager.
claim grep -qx 'cc,2,100,1000,30,60,covington-nm,dynamic,,75.0000,74.0000,arc-eager,1.0000' docs/results/treebanks.csv
for plot in docs/results/*.svg; do
    claim python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$plot"
done

begin 'intervals from few treebanks'
for count in 1 2 3; do
    report_plan
    codes=(aa bb cc)
    sed -i "s/^codes.*/codes = ${codes[*]:0:count}/" p.plan
    run experiment --report few p.plan
    said=$(grep -oE 'From one treebank no interval|from two treebanks is 12.7' few/results.md || true)
    case $count in
    1) claim test "$said" = 'From one treebank no interval' ;;
    2) claim test "$said" = 'from two treebanks is 12.7' ;;
    3) claim test -z "$said" ;;
    esac
done

begin 'what stands above a single panel does not overlap'
report_plan
sed -i '9,$d; s/^systems.*/systems = arc-eager/' p.plan
run experiment --report one p.plan
for plot in one/results/*.svg; do
    claim python3 -c '
import re, sys
svg = open(sys.argv[1]).read()
title, axis = re.findall(r"<text x=.([0-9.]+). y=.20.0. class=.(?:title|axis end).>([^<]*)<", svg)
# Letters are not wider than this in any usual font.
assert float(title[0]) + 9 * len(title[1]) <= float(axis[0]) - 6.6 * len(axis[1]), (title, axis)' "$plot"
done

begin 'links of the report lead somewhere'
dead_links() { # DIR
    grep -oE '\]\([^)#]+\)' "$1/results.md" | sed 's/^](//; s/)$//' | while read -r link; do
        test -e "$1/$link" || echo "$link"
    done
}
report_plan
run experiment --report docs p.plan
claim test -z "$(dead_links docs)"
claim grep -qF '`man dodona-experiment` explains it' docs/results.md
touch docs/experiments.md
run experiment --report docs p.plan
claim test -z "$(dead_links docs)"
claim grep -qF '[experiments.md](experiments.md) explains it' docs/results.md

begin "the papers' page adds their figures, sizes of configurations and comments to the report"
report_plan
run experiment --report report p.plan
mkdir -p docs/results
printf '# Old\n\n## Reading\n\nAll is *well*.\n\n## Means\n' >docs/results.md
papers=$here/../../bench/papers.py
claim test "$(python3 "$papers" report p.plan.jsonl docs 2>&1)" = \
    'papers.py: there are no sizes of lr-spine: make them with build/bench/sizes'
claim python3 "$papers" report p.plan.jsonl "$here/expected/experiment/sizes.jsonl" docs
claim test "$(grep -A 2 '^## Reading' docs/results.md | tail -n 1)" = 'All is *well*.'
claim grep -qxF '| covington | static | 75.00 / 70.00 | 82.72 / 78.39 C15, 83.48 / 76.75 N17 |' docs/results.md
claim grep -qxF '| attardi | 3.57 | 11 | 3.72 | 15 | 1.37 | 8 | 0.56 |' docs/results.md
claim grep -qxF '| longest list | 1 | 2 | 3 | 5 |' docs/results.md
claim grep -qx 'examples,lr-spine,3246,3.3632,10,3.7884,15,1.2856,4,0.5344' docs/results/sizes.csv
# Nothing of the report is lost but the two lines that the script changes.
claim test "$(diff report/results.md docs/results.md | grep -c '^<')" = 2
claim cmp report/results/means.csv docs/results/means.csv

begin 'sizes of configurations are as training has always counted them'
sizes=$(dirname "$program")/bench/sizes
if [ -x "$sizes" ]; then
    for system in arc-standard lr-spine attardi; do
        "$sizes" -i 3 $system "$examples/demo-train.conllu"
    done >sizes.jsonl
    claim cmp sizes.jsonl "$here/expected/experiment/sizes.jsonl"
    claim test "$("$sizes" arc-eager "$examples/demo-train.conllu" 2>&1 | head -n 1)" = \
        'usage: sizes [-i ITERATIONS] [-s SEED] SYSTEM TRAIN...'
else
    skip 'bench/sizes is not built'
fi

begin 'a report of a part says so'
report_plan
grep -v '"treebank": "bb"' p.plan.jsonl | head -n 27 >part.jsonl
sed -n 28p p.plan.jsonl | head -c 100 >>part.jsonl
echo '{"treebank":"bb","system":"arc-eager","oracle":"static","loss":null,"seed":1,"iterations":2,"parser_bytes":0,"version":"0.1.0","failed":"no luck"}' |
    cat - part.jsonl >more.jsonl
run experiment -o more.jsonl --report docs p.plan
status 0
stderr <<'END'
dodona: warning: more.jsonl:29: the last line was cut off; its run counts as not made
END
claim grep -qxF '**Not complete:** there are 27 of 42 runs, and 1 failed. Means are over what there is.' docs/results.md
claim grep -qxF '| bb | – | – | – | – | – | – | – |' docs/results.md
claim grep -qx 'bb,2,,,,,,,,,,,' docs/results/treebanks.csv

begin 'a report of nothing'
report_plan
run experiment -o none.jsonl --report docs p.plan
status 0
claim grep -qF '**Not complete:** there are 0 of 42 runs' docs/results.md

begin 'a report that cannot be written'
report_plan
: >file
run experiment --report file p.plan
status 1
stderr <<'END'
dodona: file: Not a directory
END

begin 'shares of the runs, joined, are what one experiment finds'
treebank one
treebank two
small_plan
run experiment -q -o single.jsonl p.plan
status 0
for share in 1/3 2/3 3/3; do
    run experiment --shard $share p.plan
    status 0
done
claim grep -q '^5 runs, 0 of them made before$' err
claim grep -q '^5 of 5 runs are in p.plan.3-of-3.jsonl$' err
claim test ! -e p.plan.jsonl
run experiment --merge p.plan
status 0
stderr <<<'16 of 16 runs are in p.plan.jsonl'
without_cost() { sed 's/,"cost":{[^}]*}//' "$1"; }
claim cmp <(without_cost single.jsonl) <(without_cost p.plan.jsonl)
cp p.plan.jsonl once.jsonl
run experiment --merge p.plan
claim cmp once.jsonl p.plan.jsonl

begin 'shares of which one is not whole, and others that overlap'
treebank one
treebank two
small_plan
run experiment -q --shard 1/2 p.plan
run experiment -q --shard 2/2 p.plan
run experiment -q --shard 1/16 p.plan
head -c -20 p.plan.2-of-2.jsonl >cut && mv cut p.plan.2-of-2.jsonl
run experiment --merge p.plan
status 0
stderr <<<'15 of 16 runs are in p.plan.jsonl'
claim test "$(wc -l <p.plan.jsonl)" -eq 15
run experiment --shard 2/2 p.plan
claim grep -q '^8 runs, 7 of them made before$' err
run experiment --merge p.plan
stderr <<<'16 of 16 runs are in p.plan.jsonl'
for wrong in 0/2 3/2 x 1/ 1/2x; do
    run experiment --shard $wrong p.plan
    status 2
    stderr <<<"dodona experiment: option '--shard': '$wrong' is not K/N, with K from 1 to N"
done
run experiment --shard 1/2 --merge p.plan
status 2
