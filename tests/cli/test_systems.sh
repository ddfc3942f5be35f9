# The registry, and the oracles' costs worked out by hand from the systems' definitions.

begin 'systems as a table'
run systems
status 0
stdout_file systems.txt
stderr </dev/null

begin 'systems as JSON'
run systems --to json
status 0
claim python3 - <<'END'
import json
systems = json.load(open("out"))
assert [s["name"] for s in systems][:4] == ["arc-standard", "arc-eager", "arc-hybrid", "arc-eager-nm"], systems
assert systems[1]["transitions"] == ["SH", "LA", "RA", "RE"], systems[1]
assert all(s["trees"] and s["summary"] for s in systems)
END

begin 'arc-standard: the gold walk'
run oracle --system arc-standard reads.conllu
status 0
stderr </dev/null
stdout <<'END'
{"sent":"reads","n":3,"step":0,"history":[],"loss":0,"cost":{"SH":0}}
{"sent":"reads","n":3,"step":1,"history":["SH"],"loss":0,"cost":{"SH":0}}
{"sent":"reads","n":3,"step":2,"history":["SH","SH"],"loss":0,"cost":{"SH":0,"RA":1}}
{"sent":"reads","n":3,"step":3,"history":["SH","SH","SH"],"loss":0,"cost":{"SH":0,"LA":0,"RA":3}}
{"sent":"reads","n":3,"step":4,"history":["SH","SH","SH","LA"],"loss":0,"cost":{"SH":0,"RA":1}}
{"sent":"reads","n":3,"step":5,"history":["SH","SH","SH","LA","SH"],"loss":0,"cost":{"LA":2,"RA":0}}
{"sent":"reads","n":3,"step":6,"history":["SH","SH","SH","LA","SH","RA"],"loss":0,"cost":{"RA":0}}
END

begin 'arc-eager: the gold walk'
run oracle --system arc-eager reads.conllu
status 0
stderr </dev/null
stdout <<'END'
{"sent":"reads","n":3,"step":0,"history":[],"loss":0,"cost":{"SH":0}}
{"sent":"reads","n":3,"step":1,"history":["SH"],"loss":0,"cost":{"SH":1,"LA":0,"RA":2}}
{"sent":"reads","n":3,"step":2,"history":["SH","LA"],"loss":0,"cost":{"SH":0}}
{"sent":"reads","n":3,"step":3,"history":["SH","LA","SH"],"loss":0,"cost":{"SH":1,"LA":2,"RA":0}}
{"sent":"reads","n":3,"step":4,"history":["SH","LA","SH","RA"],"loss":0,"cost":{"RE":0}}
{"sent":"reads","n":3,"step":5,"history":["SH","LA","SH","RA","RE"],"loss":0,"cost":{"LA":0}}
END

begin 'arc-eager-nm: the gold walk'
run oracle --system arc-eager-nm reads.conllu
status 0
stderr </dev/null
stdout <<'END'
{"sent":"reads","n":3,"step":0,"history":[],"loss":0,"cost":{"SH":0}}
{"sent":"reads","n":3,"step":1,"history":["SH"],"loss":0,"cost":{"SH":1,"LA":0,"RA":1}}
{"sent":"reads","n":3,"step":2,"history":["SH","LA"],"loss":0,"cost":{"SH":0}}
{"sent":"reads","n":3,"step":3,"history":["SH","LA","SH"],"loss":0,"cost":{"SH":0,"LA":2,"RA":0}}
{"sent":"reads","n":3,"step":4,"history":["SH","LA","SH","RA"],"loss":0,"cost":{"LA":1,"RE":0}}
{"sent":"reads","n":3,"step":5,"history":["SH","LA","SH","RA","RE"],"loss":0,"cost":{"LA":0}}
END

begin 'arc-hybrid: the gold walk'
run oracle --system arc-hybrid reads.conllu
status 0
stderr </dev/null
stdout <<'END'
{"sent":"reads","n":3,"step":0,"history":[],"loss":0,"cost":{"SH":0}}
{"sent":"reads","n":3,"step":1,"history":["SH"],"loss":0,"cost":{"SH":2,"LA":0,"RA":1}}
{"sent":"reads","n":3,"step":2,"history":["SH","LA"],"loss":0,"cost":{"SH":0}}
{"sent":"reads","n":3,"step":3,"history":["SH","LA","SH"],"loss":0,"cost":{"SH":0,"LA":2,"RA":1}}
{"sent":"reads","n":3,"step":4,"history":["SH","LA","SH","SH"],"loss":0,"cost":{"RA":0}}
{"sent":"reads","n":3,"step":5,"history":["SH","LA","SH","SH","RA"],"loss":0,"cost":{"RA":0}}
END

begin 'lr-spine: the gold walk'
run oracle --system lr-spine reads.conllu
status 0
stderr </dev/null
stdout <<'END'
{"sent":"reads","n":3,"step":0,"history":[],"loss":0,"cost":{"SH":0}}
{"sent":"reads","n":3,"step":1,"history":["SH"],"loss":0,"cost":{"SH":0}}
{"sent":"reads","n":3,"step":2,"history":["SH","SH"],"loss":0,"cost":{"SH":0,"RA@1":1}}
{"sent":"reads","n":3,"step":3,"history":["SH","SH","SH"],"loss":0,"cost":{"SH":0,"LA@1":0,"RA@1":2}}
{"sent":"reads","n":3,"step":4,"history":["SH","SH","SH","LA@1"],"loss":0,"cost":{"SH":0,"RA@1":0}}
{"sent":"reads","n":3,"step":5,"history":["SH","SH","SH","LA@1","RA@1"],"loss":0,"cost":{"SH":0}}
{"sent":"reads","n":3,"step":6,"history":["SH","SH","SH","LA@1","RA@1","SH"],"loss":0,"cost":{"RA@1":1,"RA@2":0}}
END

begin 'a partial tree: what is not known costs nothing'
run oracle --system arc-eager partial.conllu
status 0
claim test "$(head -n 7 out)" = "$(cat <<'END'
{"sent":"some","n":3,"step":0,"history":[],"loss":0,"cost":{"SH":0}}
{"sent":"some","n":3,"step":1,"history":["SH"],"loss":0,"cost":{"SH":1,"LA":0,"RA":1}}
{"sent":"some","n":3,"step":2,"history":["SH","LA"],"loss":0,"cost":{"SH":0}}
{"sent":"some","n":3,"step":3,"history":["SH","LA","SH"],"loss":0,"cost":{"SH":1,"LA":1,"RA":0}}
{"sent":"some","n":3,"step":4,"history":["SH","LA","SH","RA"],"loss":0,"cost":{"RE":0}}
{"sent":"some","n":3,"step":5,"history":["SH","LA","SH","RA","RE"],"loss":0,"cost":{"LA":0}}
{"sent":"none","skipped":"no head is known"}
END
)"
for system in $("$program" systems | awk 'NF == 0 { exit } NR > 1 { print $1 }'); do
    for rule in no yes; do
        run oracle --system "$system" --single-root $rule partial.conllu
        status 0
        claim test "$(grep -cE '"loss":[1-9]' out)" -eq 0
        run oracle --system "$system" --single-root $rule --walk random --seed 5 partial.conllu
        status 0
        claim grep -qF '{"sent":"whole","n":2,"step":1,' out
    done
done

begin 'a tree that the system cannot build gives one line with the reason'
run oracle mixed.conllu
status 0
stderr </dev/null
claim test "$(grep -c '"sent":"hearing"' out)" -eq 1
claim grep -qE '^\{"sent":"hearing","skipped":"[^"]+"\}$' out

begin 'of such a tree the largest part is walked if that is asked for'
run oracle --unbuildable partial mixed.conllu
status 0
stderr </dev/null
claim grep -qxF '{"sent":"hearing","partial":"non-projective tree","left_out":[[2,7]]}' out
claim test "$(grep -c skipped out)" -eq 0
claim test "$(grep -c left_out out)" -eq 1
for system in $("$program" systems | awk 'NF == 0 { exit } NR > 1 { print $1 }'); do
    run oracle --system "$system" --single-root yes --unbuildable partial --walk random mixed.conllu
    status 0
    claim grep -qE '^\{"sent":"two [^}]*","partial":"several roots","left_out":\[\[0,[0-9]\]\]\}$' out
    grep -v left_out out >walks
    claim python3 "$here/check_walks.py" --approximate walks
done

begin 'ids are escaped as JSON asks, and numbered where there are none'
run oracle mixed.conllu
claim grep -qF '{"sent":"two \"roots\" \\ ü","n":3,"step":0,"history":[],"loss":0,"cost":{' out
claim grep -qF '{"sent":"4","n":3,"step":0,' out

begin 'under the single-root rule a tree of two roots is not built'
run oracle --single-root yes mixed.conllu
status 0
claim grep -qE '^\{"sent":"two [^}]*","skipped":"[^"]+"\}$' out

begin 'a random walk repeats with its seed'
for system in $("$program" systems | awk 'NF == 0 { exit } NR > 1 { print $1 }'); do
    run oracle --system $system --walk random --seed 7 mixed.conllu
    status 0
    cp out first
    run oracle --system $system --walk=random --seed=7 mixed.conllu
    claim cmp out first
done

begin 'each step of a random walk costs what the loss grows by'
double 8 mixed.conllu
for system in $("$program" systems | awk 'NF == 0 { exit } NR > 1 && $1 != "covington-nm" { print $1 }'); do
    for rule in no yes; do
        run oracle --system $system --walk random --seed 3 --single-root $rule mixed.conllu
        status 0
        claim python3 "$here/check_walks.py" out
    done
done

begin 'an approximate loss: costs are differences, none need be 0'
double 8 mixed.conllu
for loss in upper lower pc-upper exact; do
    for rule in no yes; do
        run oracle --system covington-nm --loss $loss --walk random --seed 3 --single-root $rule mixed.conllu
        status 0
        claim python3 "$here/check_walks.py" --approximate out
    done
done

begin 'covington: the gold walk'
run oracle --system covington reads.conllu
status 0
stderr </dev/null
stdout <<'END'
{"sent":"reads","n":3,"step":0,"history":[],"loss":0,"cost":{"SH":0}}
{"sent":"reads","n":3,"step":1,"history":["SH"],"loss":0,"cost":{"SH":1,"NA":1,"LA":0,"RA":2}}
{"sent":"reads","n":3,"step":2,"history":["SH","LA"],"loss":0,"cost":{"SH":0}}
{"sent":"reads","n":3,"step":3,"history":["SH","LA","SH"],"loss":0,"cost":{"SH":1,"NA":1,"LA":2,"RA":0}}
{"sent":"reads","n":3,"step":4,"history":["SH","LA","SH","RA"],"loss":0,"cost":{"SH":0,"NA":0}}
END

begin 'covington-nm: the gold walk'
run oracle --system covington-nm --loss exact reads.conllu
status 0
stderr </dev/null
stdout <<'END'
{"sent":"reads","n":3,"step":0,"history":[],"loss":0,"cost":{"SH":0}}
{"sent":"reads","n":3,"step":1,"history":["SH"],"loss":0,"cost":{"SH":1,"NA":1,"LA":0,"RA":2}}
{"sent":"reads","n":3,"step":2,"history":["SH","LA"],"loss":0,"cost":{"SH":0}}
{"sent":"reads","n":3,"step":3,"history":["SH","LA","SH"],"loss":0,"cost":{"SH":1,"NA":1,"LA":2,"RA":0}}
{"sent":"reads","n":3,"step":4,"history":["SH","LA","SH","RA"],"loss":0,"cost":{"SH":0,"NA":0,"LA":1,"RA":1}}
END

begin 'pointer: the gold walk'
run oracle --system pointer reads.conllu
status 0
stderr </dev/null
stdout <<'END'
{"sent":"reads","n":3,"step":0,"history":[],"loss":0,"cost":{"RA":1,"LA@2":0,"LA@3":1}}
{"sent":"reads","n":3,"step":1,"history":["LA@2"],"loss":0,"cost":{"RA":0,"LA@3":2}}
{"sent":"reads","n":3,"step":2,"history":["LA@2","RA"],"loss":0,"cost":{"RA":1,"RA@1":1,"RA@2":0}}
END

begin 'optimal derivations: counted and listed'
run oracle --system arc-standard --all-optimal --list 5 reads.conllu
status 0
stderr </dev/null
stdout <<'END'
{"sent":"reads","n":3,"derivations":2,"configurations":10}
{"sent":"reads","derivation":1,"transitions":["SH","SH","SH","SH","RA","LA","RA"]}
{"sent":"reads","derivation":2,"transitions":["SH","SH","SH","LA","SH","RA","RA"]}
END
run oracle --system arc-standard --all-optimal --list 1 reads.conllu
status 0
claim test "$(wc -l <out)" -eq 2
run oracle --system covington-nm --all-optimal --loss exact reads.conllu
status 0
claim grep -q '"derivations":[1-9]' out

begin 'optimal derivations: what cannot be built, and too many configurations'
double 8 mixed.conllu
run oracle --all-optimal --unbuildable partial mixed.conllu
status 0
claim grep -q '"left_out":\[\[' out
claim grep -q '"derivations":[1-9]' out
run oracle --all-optimal mixed.conllu
status 0
claim grep -q '"skipped":' out
for i in $(seq 30); do printf '%d\tw\t_\t_\t_\t_\t%d\tdep\t_\t_\n' "$i" $((i < 30 ? 30 : 0)); done >last.conllu
echo >>last.conllu
run oracle --system covington-nm --all-optimal last.conllu
status 0
stdout <<'END'
{"sent":"1","n":30,"derivations":null,"uncounted":"more than 262144 configurations"}
END

begin 'optimal derivations: options that do not go together'
run oracle --list 3 reads.conllu
status 2
claim grep -q "option '--list' needs '--all-optimal'" err
run oracle --all-optimal --walk random reads.conllu
status 2
claim grep -q "counts derivations instead of a walk" err
run oracle --system covington-nm --all-optimal --loss upper reads.conllu
status 2
claim grep -q "counts by the exact loss alone" err

begin 'standard input, an output file and its compression'
"$program" oracle <reads.conllu >out 2>err
exit_status=$? ran='dodona oracle <reads.conllu'
status 0
cp out expected
<reads.conllu "$program" oracle -o lines.gz -
claim test -s lines.gz
gzip -dc lines.gz >out
claim cmp out expected

begin 'soft: the expected loss by one annotator is the loss'
for system in arc-standard arc-eager arc-hybrid arc-eager-nm covington; do
    run oracle --system "$system" --walk random --seed 7 reads.conllu
    mv out hard
    run oracle --system "$system" --walk random --seed 7 --soft reads.conllu
    status 0
    claim cmp -s hard out
done

begin 'soft: two annotators, one of whom is unsure'
sed 's/^1\(.*\)2\tnsubj/1\13\tnsubj/; s/^3\(.*\)_$/3\1HeadProb=70.5/' reads.conllu >unsure.conllu
run oracle --system arc-hybrid --soft reads.conllu unsure.conllu
status 0
stderr </dev/null
stdout <<'END'
{"sent":"reads","n":3,"step":0,"history":[],"loss":0.6475,"cost":{"SH":0}}
{"sent":"reads","n":3,"step":1,"history":["SH"],"loss":0.6475,"cost":{"SH":1.5,"LA":0,"RA":0.5}}
{"sent":"reads","n":3,"step":2,"history":["SH","LA"],"loss":0.6475,"cost":{"SH":0}}
{"sent":"reads","n":3,"step":3,"history":["SH","LA","SH"],"loss":0.6475,"cost":{"SH":0,"LA":1.8525,"RA":0.8525}}
{"sent":"reads","n":3,"step":4,"history":["SH","LA","SH","SH"],"loss":0.6475,"cost":{"RA":0}}
{"sent":"reads","n":3,"step":5,"history":["SH","LA","SH","SH","RA"],"loss":0.6475,"cost":{"RA":0}}
END

begin 'soft: likely heads that are no tree, and a word of which nothing is said'
printf '1\ta\t_\t_\t_\t_\t_\t_\t_\tHeadProbs=0:40,2:60\n2\tb\t_\t_\t_\t_\t_\t_\t_\tHeadProbs=1:70.25\n3\tc\t_\t_\t_\t_\t_\t_\t_\t_\n\n' >cycle.conllu
run oracle --system arc-eager --soft cycle.conllu
status 0
claim test "$(head -n 2 out)" = "$(cat <<'END'
{"sent":"1","n":3,"step":0,"history":[],"loss":0.8975,"cost":{"SH":0}}
{"sent":"1","n":3,"step":1,"history":["SH"],"loss":0.8975,"cost":{"SH":0.7025,"LA":0.5025,"RA":0}}
END
)"

begin 'soft: what cannot be'
printf '1\ta\t_\t_\t_\t_\t_\t_\t_\tHeadProbs=0:40,2:60\n2\tb\t_\t_\t_\t_\t_\t_\t_\tHeadProbs=1:70.25\n3\tc\t_\t_\t_\t_\t_\t_\t_\t_\n\n' >cycle.conllu
for probabilities in 0:60,1:70 0:60,2:5 0:6,5:5 0:101 0: 0:5,5 0:5x x 0:1.234; do
    sed "2s/HeadProbs=.*/HeadProbs=$probabilities/" cycle.conllu >bad.conllu
    run oracle --soft bad.conllu
    status 0
    claim grep -qxF '{"sent":"1","skipped":"word 2: HeadProbs is not a list of HEAD:PERCENTAGE, of at most 100 per cent in all"}' out
done
sed 's/_$/HeadProb=x/' reads.conllu >bad.conllu
run oracle --soft bad.conllu
claim grep -qxF '{"sent":"reads","skipped":"word 1: HeadProb is not a number from 0 to 100"}' out
run oracle --soft reads.conllu mixed.conllu
status 1
stderr <<'END'
dodona: reads.conllu and mixed.conllu do not have the same number of sentences
END
run oracle --soft --system attardi reads.conllu
status 2
stderr <<'END'
dodona: attardi has no loss against weights of all arcs
END
run oracle --soft --all-optimal reads.conllu
status 2
stderr <<'END'
dodona oracle: options '--soft' and '--all-optimal' cannot be combined
END
