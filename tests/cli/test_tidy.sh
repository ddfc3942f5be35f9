# Tidy trees: no words below punctuation, no two subjects or objects, unless something else is asked
# for.

examples=$here/../../examples
test=$examples/demo-test.conllu
for system in arc-eager covington; do
    "$program" train --only parser --system $system -q --iterations 1 -o "$root/$system.model" \
        "$examples/demo-train.conllu" || { echo "Bail out! no model"; exit 1; }
done
model=$root/arc-eager.model
stops=$root/stops.conllu
awk -F '\t' -v OFS='\t' 'NF == 10 && $1 % 3 == 1 { $4 = "PUNCT" } { print }' "$test" >"$stops"

# Words whose head is punctuation.
below() { awk -F '\t' '
    NF == 10 && $1 ~ /^[0-9]+$/ { tag[$1] = $4; head[$1] = $7; n = $1 }
    /^$/ { for (i = 1; i <= n; i++) count += tag[head[i]] == "PUNCT"; delete tag; delete head; n = 0 }
    END { print count + 0 }' "$1"; }
# HEAD and DEPREL of each sentence in a line.
heads() { awk -F '\t' '
    NF == 10 && $1 ~ /^[0-9]+$/ { printf "%s%s:%s", sep, $7, $8; sep = " " }
    /^$/ { print ""; sep = "" }' "$1"; }

begin 'a bad model with gold tags: what check finds without --tidy is gone with it'
for system in arc-eager covington; do
    for beam in 1 4; do
        run parse -q -m "$root/$system.model" --beam $beam "$stops"
        status 0
        claim test "$(below out)" -gt 10
        cp out plain
        run parse -q -m "$root/$system.model" --beam $beam --no-tidy "$stops"
        claim cmp out plain
        run parse -q -m "$root/$system.model" --beam $beam --tidy "$stops"
        status 0
        claim test "$(below out)" = 0
        claim cmp <(cut -f 1-6,9,10 out) <(cut -f 1-6,9,10 "$stops")
        cp out tidy.conllu
        run check -q --only subjects,objects tidy.conllu
        status 0
        run parse -q -m "$root/$system.model" --beam $beam --tidy --threads 3 "$stops"
        claim cmp out tidy.conllu
    done
done
run parse -q -m "$model" "$test"
cp out plain.conllu
run check -q --only subjects,objects plain.conllu
status 1

begin 'each of several trees is tidy'
run parse -q -m "$model" --beam 8 --nbest 4 --tidy "$stops"
status 0
claim test "$(below out)" = 0
claim test "$(grep -c '# nbest = 2' out)" -gt 5
cp out list.conllu
run check -q --only subjects,objects list.conllu
status 0

begin 'constraints come first, and without other words punctuation has a tree'
printf '%d\tw\tw\tPUNCT\t.\t_\t_\t_\t_\t_\n' 1 2 3 >only.conllu
echo >>only.conllu
run parse -q -m "$model" only.conllu
cp out plain
run parse -q -m "$model" --tidy only.conllu
status 0
claim cmp out plain
sed 's/^1\tw\tw\tPUNCT/1\tw\tw\tNOUN/; 1i # constraint = arc 2 _ 1' only.conllu >in.conllu
run parse -q -m "$model" --tidy in.conllu
status 0
claim grep -qE '^2:[^ ]+ [03]:[^ ]+ [02]:' <(heads out)
sed 's/arc 2 _ 1/leaf 1/' in.conllu >leaf.conllu
run parse -q -m "$model" --tidy leaf.conllu
status 0
claim test "$(heads out | tr -dc '0-9 ' | tr ' ' '\n' | sort -u | wc -l)" = 2
sed 's/arc 2 _ 1/arc 1 _ 1/' in.conllu >bad.conllu
run parse -q -m "$model" --tidy bad.conllu
status 1
stderr <<'END'
dodona: bad.conllu:1: sentence '1': constraint 'arc 1 _ 1': a word cannot be its own head
END

begin 'traces show the moves that are left, and end with the same heads'
for system in arc-eager covington; do
    for beam in 1 4; do
        run parse -q -m "$root/$system.model" --beam $beam --tidy "$stops"
        heads out | sed 's/:[^ ]*//g; s/ /,/g; s/^/[/; s/$/]/' >expected
        run trace -q -m "$root/$system.model" --beam $beam --tidy --to json "$stops"
        status 0
        claim cmp <(grep -o '"heads":[^]]*]' out | cut -d : -f 2) expected
    done
done
run trace -q -m "$model" --no-tidy --to json "$stops"
status 0

begin 'a model that is tidy by default'
run train --only parser --tidy --system arc-eager -q --iterations 1 -o tidy.model "$examples/demo-train.conllu"
status 0
run info tidy.model
claim grep -qE '^tidy +yes$' out
run info "$model"
claim test "$(grep -c tidy out)" = 0
run parse -q -m "$model" --tidy "$stops"
cp out expected
run parse -q -m tidy.model "$stops"
claim cmp out expected
run parse -q -m "$model" "$stops"
cp out expected
run parse -q -m tidy.model --no-tidy "$stops"
claim cmp out expected

begin 'wrong usage'
run parse -m "$model" --tidy --no-tidy "$stops"
status 2
stderr <<'END'
dodona parse: options '--tidy' and '--no-tidy' cannot be combined
END
run trace -m "$model" --tidy --no-tidy "$stops"
status 2
stderr <<'END'
dodona trace: options '--tidy' and '--no-tidy' cannot be combined
END
run trace --system arc-eager --tidy "$stops"
status 2
stderr <<'END'
dodona trace: option '--tidy' needs a model
END
