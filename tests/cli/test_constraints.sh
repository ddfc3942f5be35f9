# Constraints in comments: parsing obeys them, or says why it cannot.

examples=$here/../../examples
model=$root/model
"$program" train --only parser --system arc-eager -q --iterations 3 -o "$model" "$examples/demo-train.conllu" ||
    { echo "Bail out! no model"; exit 1; }

# A sentence of N words with the constraints given, one a line.
sentence() { # N CONSTRAINT...
    local n=$1 word
    shift
    echo '# sent_id = s'
    for word; do echo "# constraint = $word"; done
    for ((word = 1; word <= n; word++)); do
        printf '%d\tw%d\tw%d\tNOUN\tNN\tA=b\t_\t_\t_\t_\n' $word $word $word
    done
    echo
}

# The sentence is refused at the line of its K-th constraint with that message.
refuses() { # K MESSAGE N CONSTRAINT...
    local k=$1 message=$2 which
    shift 2
    which=${*:$((k + 1)):1}
    sentence "$@" >in.conllu
    run parse -q -m "$model" in.conllu
    status 1
    stdout </dev/null
    stderr <<END
dodona: in.conllu:$((k + 1)): sentence 's': constraint '$which': $message
END
}

# Every sentence of the file in words "HEAD:DEPREL".
heads() { awk -F '\t' 'NF == 10 { printf "%s%s:%s", sep, $7, $8; sep = " " } /^$/ { print ""; sep = "" }' "$1"; }

begin 'arcs, labels, spans and forbidden arcs hold'
{
    sentence 4 'arc 4 nsubj 1' 'arc 0 root 4'
    sentence 4 'arc 1 _ 4' 'span 2 3 none' 'not-arc 1 2'
    sentence 4 'arc 2 root 3'
} >in.conllu
run parse -q -m "$model" in.conllu
status 0
heads out >got
claim grep -qE '^4:nsubj .* 0:root$' <(sed -n 1p got)
claim grep -qE '^[0-9]+:[^ ]+ (3:[^ ]+ [14]:|1:)' <(sed -n 2p got)
claim grep -qE ' 1:[^ ]+$' <(sed -n 2p got)
claim grep -qE ' 2:root [^ ]+$' <(sed -n 3p got)
claim cmp <(cut -f 1-6,9,10 in.conllu) <(cut -f 1-6,9,10 out)

begin 'with any number of threads, in traces, and twice the same constraint'
sentence 4 'arc 4 nsubj 1' 'arc 4 nsubj 1' 'arc 4 _ 1' 'span 1 2 any' 'span 1 2 any' >in.conllu
double 7 in.conllu
run parse -q -m "$model" in.conllu
status 0
cp out expected
run parse -q -m "$model" --threads 3 in.conllu
claim cmp out expected
claim test "$(heads out | sort -u | wc -l)" -eq 1
claim grep -qE '^4:nsubj ' <(heads out)
run trace -q -m "$model" in.conllu
status 0
claim grep -qE '^step [0-9]+: LA nsubj, .*w4/4 -> w1/1$' out

begin 'words count, not ranges and empty nodes; sentences without constraints stay as they are'
run parse -q -m "$model" mixed.conllu
cp out plain
sed '1i # constraint = arc 3 _ 1' mixed.conllu >in.conllu
run parse -q -m "$model" in.conllu
status 0
claim test "$(awk -F '\t' '$1 == 1 { print $7; exit }' out)" -eq 3
claim cmp <(sed '1,/^$/d' out) <(sed '1,/^$/d' plain)

begin 'options say the same as comments'
{ sentence 4 && sentence 5 && sentence 3; } >plain.conllu
{ sentence 4 'arc 0 root 3' 'leaf 1' && sentence 5 'span 2 4 any' && sentence 3; } >in.conllu
run parse -q -m "$model" in.conllu
status 0
mv out expected
run parse -q -m "$model" --constraint 'arc 0 root 3' --constraint '2: span 2 4 any' --constraint '1: leaf 1' plain.conllu
status 0
same expected expected out
run parse -q -m "$model" --constraint '4: leaf 1' plain.conllu
status 1
stderr <<<"dodona: constraint '4: leaf 1': there is no such sentence"
run parse -q -m "$model" --constraint 'leaf 9' plain.conllu
status 1
stderr <<<"dodona: --constraint:2: sentence 's': constraint 'leaf 9': there is no word 9 in a sentence of 4"
run parse -q -m "$model" --constraint 'leaf 1' plain.conllu in.conllu
status 2
run parse -q -m "$model" --constraint $'leaf 1\nx' plain.conllu
status 2

begin 'syntax'
refuses 1 "'edge' is not one of arc, not-arc, span, leaf" 2 'edge 1 2'
refuses 1 "expected 'arc HEAD DEPREL DEPENDENT'" 2 'arc 1 2'
refuses 1 "expected 'not-arc HEAD DEPENDENT'" 2 'not-arc 1 _ 2'
refuses 1 "expected 'span FIRST LAST any|root|none'" 2 'span 1 2'
refuses 1 "expected 'leaf WORD'" 2 'leaf'
refuses 1 "expected 'leaf WORD'" 2 'leaf 1 2'
refuses 1 "'all' is not one of any, root, none" 2 'span 1 2 all'
refuses 1 "'x' is not a word number" 2 'arc x _ 2'
refuses 1 "'1-2' is not a word number" 2 'not-arc 0 1-2'
refuses 1 "'-1' is not a word number" 2 'span -1 2 any'
sentence 2 '' >in.conllu
run parse -q -m "$model" in.conllu
status 1
stderr <<'END'
dodona: in.conllu:2: sentence 's': constraint '': '' is not one of arc, not-arc, span, leaf
END

begin 'nodes'
refuses 1 'there is no word 3 in a sentence of 2' 2 'arc 3 _ 2'
refuses 1 'there is no word 9 in a sentence of 2' 2 'not-arc 1 9'
refuses 2 'there is no word 3 in a sentence of 2' 2 'arc 1 _ 2' 'span 2 3 any'
refuses 1 'the root, 0, cannot be part of a span' 2 'span 0 2 any'
refuses 1 'the root, 0, has no head' 2 'arc 1 _ 0'
refuses 1 'the root, 0, cannot be a leaf' 2 'leaf 0'
refuses 1 'there is no word 3 in a sentence of 2' 2 'leaf 3'
refuses 1 'the last word lies before the first' 2 'span 2 1 any'
refuses 1 'a word cannot be its own head' 2 'arc 2 _ 2'

begin 'labels'
refuses 1 "unknown label 'nosuch'" 2 'arc 1 nosuch 2'
refuses 2 "two labels for one arc; the other is in 'arc 1 obj 2'" 2 'arc 1 obj 2' 'arc 1 nsubj 2'

begin 'arcs'
refuses 2 "two heads for word 2; the other is in 'arc 1 _ 2'" 3 'arc 1 _ 2' 'arc 3 _ 2'
refuses 2 'the required arcs form a cycle through word 1' 3 'arc 1 _ 2' 'arc 2 _ 1'
refuses 2 "crosses 'arc 1 _ 3', and arc-eager builds projective trees" 4 'arc 1 _ 3' 'arc 4 _ 2'
refuses 2 "crosses 'arc 0 _ 2', and arc-eager builds projective trees" 3 'arc 0 _ 2' 'arc 1 _ 3'
refuses 2 "several roots: the model's trees have one, and 'arc 0 _ 1' requires another" 2 \
    'arc 0 _ 1' 'arc 0 _ 2'
refuses 1 "the arc is forbidden by 'not-arc 1 2'" 2 'arc 1 _ 2' 'not-arc 1 2'
refuses 3 'every head of word 1 is forbidden' 3 'not-arc 0 1' 'not-arc 2 1' 'not-arc 3 1'

begin 'spans'
refuses 2 "overlaps the span of 'span 1 2 any'" 3 'span 1 2 any' 'span 2 3 any'
refuses 2 "overlaps the span of 'span 1 2 any'" 3 'span 1 2 any' 'span 1 2 none'
refuses 3 "a second head outside of 'span 1 2 any'; the first is in 'arc 3 _ 1'" 3 \
    'span 1 2 any' 'arc 3 _ 1' 'arc 3 _ 2'
refuses 2 "leaves 'span 1 2 none', whose words have no dependents outside" 3 \
    'span 1 2 none' 'arc 2 _ 3'
refuses 3 "leaves 'span 1 2 root', whose root has dependents outside, but word 1 is not the root" \
    3 'span 1 2 root' 'arc 2 _ 1' 'arc 1 _ 3'
refuses 3 "leaves 'span 1 2 root', whose root has dependents outside, but word 2 is not the root" \
    4 'span 1 2 root' 'arc 4 _ 1' 'arc 2 _ 3'

begin 'leaves'
refuses 1 "word 1 has no dependents by 'leaf 1'" 3 'arc 1 _ 2' 'leaf 1'
refuses 3 'no word of the sentence is left to be the head of the others' 3 'leaf 1' 'leaf 3' 'leaf 2'
refuses 1 'no word of it is left to be the head of the others' 3 'span 1 2 any' 'leaf 1' 'leaf 2'
refuses 2 'every head of word 1 is forbidden or has no dependents' 3 'not-arc 0 1' 'not-arc 3 1' 'leaf 2'
refuses 1 "cannot hold together with 'leaf 2'" 3 'arc 0 _ 2' 'leaf 2'
sentence 1 'leaf 1' >in.conllu
run parse -q -m "$model" in.conllu
status 0
claim test "$(heads out)" = 0:root
sentence 5 'leaf 1' 'leaf 3' 'leaf 4' 'span 2 4 root' >in.conllu
run parse -q -m "$model" in.conllu
status 0
claim grep -qE '^[25]:[^ ]+ [05]:[^ ]+ 2:[^ ]+ 2:[^ ]+ [02]:' <(heads out)
sentence 5 'leaf 1' 'leaf 3' 'leaf 4' 'leaf 5' >in.conllu
run trace -q -m "$model" in.conllu
status 0
run parse -q -m "$model" --beam 4 in.conllu
status 0
claim grep -qE '^2:[^ ]+ 0:[^ ]+ 2:[^ ]+ 2:[^ ]+ 2:' <(heads out)

begin 'what has no simple reason is told by the constraints that conflict, and only these'
refuses 2 "cannot hold together with 'arc 2 _ 3'" 4 'not-arc 0 4' 'arc 3 _ 1' 'arc 2 _ 3'
refuses 1 "cannot hold together with 'not-arc 0 2'" 2 'not-arc 0 1' 'not-arc 0 2'
refuses 1 "cannot hold together with 'not-arc 0 2', 'not-arc 0 3', 'not-arc 0 4', 'not-arc 0 5' and 1 more" \
    6 'not-arc 0 1' 'not-arc 0 2' 'not-arc 0 3' 'not-arc 0 4' 'not-arc 0 5' 'not-arc 0 6'

begin 'forbidden arcs need tables'
refuses 2 'arc-eager can forbid arcs in sentences of up to 10000 words, this one has 10001' \
    10001 'arc 1 _ 2' 'not-arc 1 3'

begin 'what stands before the problem is written, and with --skip-bad the rest too'
{
    sentence 2 'arc 2 _ 1'
    sentence 2 'arc 1 _ 1'
    sentence 2 'arc 1 _ 2'
} >in.conllu
for threads in 1 3; do
    run parse -q -m "$model" --threads $threads in.conllu
    status 1
    claim cmp <(cut -f 1-6 out) <(sed -n '1,5p' in.conllu | cut -f 1-6)
    stderr <<'END'
dodona: in.conllu:7: sentence 's': constraint 'arc 1 _ 1': a word cannot be its own head
END
    run parse -m "$model" --skip-bad --threads $threads in.conllu
    status 0
    claim cmp <(cut -f 1-6 out) <(cut -f 1-6 in.conllu)
    claim cmp <(sed -n '6,10p' out) <(sed -n '6,10p' in.conllu)
    claim test "$(heads out | sed -n 3p | cut -d ' ' -f 2 | cut -c 1-2)" = 1:
    claim grep -qx 'dodona: warning: 1 sentence whose constraints cannot hold passed through unparsed' err
done
run parse -m "$model" --skip-bad --verbose in.conllu
claim grep -qx "dodona: warning: in.conllu:7: sentence 's': constraint 'arc 1 _ 1': a word cannot be its own head" err

begin 'a malformed sentence behind one that cannot be parsed does not hide it'
{
    sentence 2 'arc 1 _ 1'
    cat bad.conllu
} >in.conllu
for threads in 1 3; do
    run parse -q -m "$model" --threads $threads in.conllu
    status 1
    stderr <<'END'
dodona: in.conllu:2: sentence 's': constraint 'arc 1 _ 1': a word cannot be its own head
END
done

begin 'constraints mean nothing where nothing is parsed'
sentence 2 'nonsense' | awk -F '\t' -v OFS='\t' 'NF == 10 { $7 = $1 - 1; $8 = "root" } { print }' >in.conllu
run stats in.conllu
status 0
run eval in.conllu in.conllu
status 0

begin 'several roots are no contradiction where the model allows them'
awk -F '\t' -v OFS='\t' 'NF == 10 && $7 == 0 && $1 > 1 { $7 = 0 } { print }' \
    "$examples/demo-train.conllu" >train.conllu
run train --only parser --system arc-eager -q --iterations 1 --single-root no -o several.model train.conllu
status 0
sentence 3 'arc 0 _ 1' 'arc 0 _ 3' >in.conllu
run parse -q -m several.model in.conllu
status 0
claim grep -qE '^0:[^ ]+ [^ ]+ 0:[^ ]+$' <(heads out)

begin 'every system obeys them'
for system in arc-standard lr-spine attardi arc-eager arc-eager-nm arc-hybrid covington covington-nm pointer; do
    run train --only parser -q --iterations 1 --system $system -o "$root/$system.model" "$examples/demo-train.conllu"
    status 0
    {
        sentence 5 'arc 4 nsubj 1' 'arc 0 obj 4' 'span 2 3 none'
        sentence 6 'span 2 4 root' 'arc 1 _ 4' 'not-arc 4 3' 'not-arc 1 6' 'not-arc 0 1'
        sentence 4 'leaf 1' 'leaf 2' 'leaf 4'
    } >in.conllu
    run parse -q -m "$root/$system.model" in.conllu
    status 0
    heads out >got
    claim grep -qE '^4:nsubj (3:[^ ]+ [145]:|[145]:[^ ]+ 2:)[^ ]+ 0:obj [14]:' <(sed -n 1p got)
    claim grep -qE '^[56]:[^ ]+ 4:[^ ]+ 2:[^ ]+ 1:[^ ]+ [0146]:[^ ]+ [045]:' <(sed -n 2p got)
    claim grep -qE '^3:[^ ]+ 3:[^ ]+ 0:[^ ]+ 3:' <(sed -n 3p got)
    sentence 4 'arc 3 _ 1' 'arc 4 _ 2' >in.conllu
    run parse -q -m "$root/$system.model" in.conllu
    case $system in
    attardi | covington* | pointer)
        status 0
        claim grep -qE '^3:[^ ]+ 4:' <(heads out)
        ;;
    *)
        status 1
        stderr <<EOF
dodona: in.conllu:3: sentence 's': constraint 'arc 4 _ 2': crosses 'arc 3 _ 1', and $system builds projective trees
EOF
        ;;
    esac
done

begin 'trees that attardi cannot build are refused'
model=$root/attardi.model
refuses 2 "cannot hold together with 'arc 7 _ 3', 'arc 8 _ 4'" 8 \
    'arc 5 _ 1' 'arc 6 _ 2' 'arc 7 _ 3' 'arc 8 _ 4'
