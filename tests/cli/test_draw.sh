# Drawings: exact pictures of small sentences in each format, and what is refused.

examples=$here/../../examples

begin 'a small tree as text'
run draw reads.conllu
status 0
stderr </dev/null
stdout <<'END'
sentence reads
         root
 ┌─nsubj─┐ │ ┌─obj─┐
 ▼       │ ▼ │     ▼
She      reads   books
PRON     VERB    NOUN

END
run draw --no-tags <reads.conllu
status 0
claim test "$(sed -n '5,6p' out)" = 'She      reads   books'

begin 'crossing arcs'
run draw hearing.conllu
status 0
stdout <<'END'
sentence hearing
                        root
         ┌────────────────┼─nmod────────────────┐
         │                │ ┌──────────obl──────┼────┐
         │ ┌───nsubj────┐ │ │    ┌────case────┐ │    │
 ┌─det─┐ │ │    ┌─aux─┐ │ │ │    │    ┌─det─┐ │ │    │
 ▼     │ │ ▼    ▼     │ │ ▼ │    ▼    ▼     │ │ ▼    ▼
 A    hearing  is    scheduled  on   the    issue  today
DET    NOUN    AUX     VERB     ADP  DET    NOUN   NOUN

END

begin 'a long sentence in rows, arcs carried over the break'
run draw --width 40 hearing.conllu
status 0
stdout <<'END'
sentence hearing
                        root
         ┌──────────nmod──┼────────
         │ ┌───nsubj────┐ │
 ┌─det─┐ │ │    ┌─aux─┐ │ │ ┌─obl──
 ▼     │ │ ▼    ▼     │ │ ▼ │
 A    hearing  is    scheduled
DET    NOUN    AUX     VERB

───────nmod───────┐
──────────obl─────┼────┐
   ┌────case────┐ │    │
   │    ┌─det─┐ │ │    │
   ▼    ▼     │ │ ▼    ▼
  on   the    issue  today
  ADP  DET    NOUN   NOUN

END
run draw --width 40 --one-row hearing.conllu
cp out one
run draw hearing.conllu
claim cmp out one

begin 'heads that are not known'
run draw partial.conllu
status 0
stdout <<'END'
sentence some
 ┌─nsubj─┐ ┌─────┐
 ▼       │ │     ▼
She     reads  books
PRON    VERB   NOUN

sentence none
Come  here
VERB  ADV

sentence whole
         root
 ┌─nsubj─┐ │
 ▼       │ ▼
 He     sings
PRON    VERB

END

begin 'wide characters, and words from right to left'
run draw scripts.conllu
status 0
stdout_file draw-scripts.txt
run draw --direction ltr --sentence arabic scripts.conllu
status 0
claim grep -qx ' *VERB *NOUN *X' out
run draw --direction rtl --sentence reads reads.conllu
status 0
claim grep -qx ' *NOUN *VERB *PRON' out

begin 'gold and constraints are marked'
run draw --gold marked-gold.conllu marked.conllu
status 0
stdout_file draw-marked.txt
run draw --no-constraints --gold marked-gold.conllu marked.conllu
claim grep -qx '━━━ wrong   ╌╌╌ gold   a (b): label a, gold b' out
run draw --no-constraints marked.conllu
claim test "$(grep -cE '━|╌|═|┈' out)" -eq 0
for format in tikz dot; do
    run draw --to $format --gold marked-gold.conllu marked.conllu
    status 0
    stdout_file draw-marked.$format
done
run draw --to svg --gold marked-gold.conllu marked.conllu
status 0
stdout_file draw-marked.svg # which docs/drawing.md shows
cp out out.svg
claim python3 "$here/check_svg.py" out.svg svg 8 10
for entry in wrong gold 'a (b): label a, gold b' required forbidden 'span that is one subtree'; do
    claim grep -qF ">$entry</text>" out.svg
done

begin 'multiword tokens have a bracket with their form, and room for it'
token() { printf '%s\t%s\t_\t_\t_\t_\t%s\t%s\t_\t_\n' "$@"; }
{
    echo '# constraint = span 1 2 any'
    token 1-2 doesnotfitatall _ _ 1 a 2 x 2 b 0 root 3-4 cd _ _ 3 c 2 x 4 d 2 x
    echo
} >tokens.conllu
run draw tokens.conllu
status 0
stdout <<'END'
sentence 1
          root
            │ ┌───x────┐
┌────x────┐ │ │ ┌─x─┐  │
▼         │ ▼ │ │   ▼  ▼
a            b      c  d
└doesnotfitatall┘   └cd┘
└──────any──────┘
└─┘ span

END
run draw --direction rtl --no-constraints tokens.conllu
claim grep -qxF '└cd┘   └doesnotfitatall┘' out
run draw --width 40 --sentence demo-test-005 "$here/../../examples/demo-test.conllu"
status 0
claim grep -qE "└─*doesn't─*┘" out
run draw --to svg tokens.conllu
status 0
cp out tokens.svg
claim python3 "$here/check_svg.py" tokens.svg svg 4 4
claim grep -q '<g class="token"><path .*>doesnotfitatall</text></g>' tokens.svg
run draw --to tikz tokens.conllu
status 0
claim grep -qF '\draw[gray] (\wordref{1}{1}.south west)' out
claim grep -qF ']{doesnotfitatall} (\wordref{1}{2}.south east);' out
run draw --to tikz --direction rtl tokens.conllu
claim grep -qE 'wordref\{1\}\{3\}.*\{doesnotfitatall\}.*wordref\{1\}\{4\}' out
run draw --to dot tokens.conllu
status 0
claim grep -q '^  token1 \[label="doesnotfitatall", shape=box' out
claim test "$(grep -cE '^  [12] -> token1 \[dir=none' out)" = 2

begin 'empty nodes and enhanced arcs stand below the words, where they differ from the tree'
for format in text svg tikz dot; do
    run draw --to $format graph.conllu
    status 0
    stdout_file draw-enhanced.${format/text/txt}
done
run draw --to svg -o enhanced.svg graph.conllu
claim python3 "$here/check_svg.py" enhanced.svg svg 13 19
run draw --no-enhanced graph.conllu
status 0
claim test "$(grep -cE '┈|\(sings\)' out)" = 0
run draw --gold graph.conllu graph.conllu
claim test "$(grep -cE '┈|\(sings\)' out)" = 0

begin 'columns of a word and the text of the sentence'
run draw --to html graph.conllu
status 0
claim grep -qF "<span dir=\"auto\">Anna sings, and Jon too; they don't dance.</span></figcaption>" out
claim grep -qF '<td>Mood=Ind|Number=Sing|Person=3</td>' out
claim grep -qF '<tr><td>9-10</td><td colspan="9">don' out
claim grep -qx 'FEATS Mood=Ind|Number=Sing|Person=3' out
claim grep -qF '<g class="word"><title>6.1 sings' out
run draw --to html reads.conllu
claim grep -qF '<span dir="auto">She reads books</span>' out

begin 'long words are whole, in lines of forty columns'
{
    token 1 'https://example.org/a/very/long/address/with/many/parts?and=1&query=2' 0 root 2 short 1 dep
    echo
} >long.conllu
run draw long.conllu
status 0
stdout <<'END'
sentence 1
                root
                  │ ┌──────────dep──────────┐
                  ▼ │                       ▼
https://example.org/a/very/long/address/  short
     with/many/parts?and=1&query=2

END
run draw --to svg -o long.svg long.conllu
claim python3 "$here/check_svg.py" long.svg svg 2 2
claim grep -qE '>https://example.org/a/very/long/address/<tspan x="[0-9]+" dy="22">with/many' long.svg
run draw --to dot long.conllu
claim grep -qF 'address/\nwith/many' out
run draw --to tikz long.conllu
claim grep -qF 'address/with/many/parts?and=1{\char38}query=2' out

begin 'leaves have a sign below them, also in spans'
{
    printf '# constraint = %s\n' 'leaf 1' 'span 1 2 any' 'leaf 3' 'leaf 3'
    token 1 one 2 det 2 two 0 root 3 . 2 punct
    echo
} >leaves.conllu
run draw leaves.conllu
status 0
stdout <<'END'
sentence 1
       root
 ┌─det─┐ │ ┌─punct─┐
 ▼     │ ▼ │       ▼
one     two        .
 ∅                 ∅
└───any────┘
└─┘ span   ∅ no dependents

END
run draw --to svg leaves.conllu
claim test "$(grep -c '^<g class="span leaf"><text .*>∅</text></g>$' out)" = 2
claim grep -qF '>no dependents</text>' out
run draw --to dot leaves.conllu
claim test "$(grep -c '^  [13] .*, shape=box, color=blue, style=dashed];$' out)" = 2
claim test "$(grep -c cluster out)" = 1
run draw --to tikz leaves.conllu
claim test "$(grep -c '^.wordgroup.*,dashed' out)" = 2
sed 's/leaf 3/leaf 4/' leaves.conllu >none.conllu
run draw none.conllu
status 1
stderr <<'END'
dodona: none.conllu:3: sentence '1': constraint 'leaf 4': there is no such word
END

begin 'a required arc that the tree lacks'
sed 's/arc 4 aux 3/arc 4 obj 7/' marked.conllu >lacks.conllu
run draw --no-tags lacks.conllu
status 0
claim grep -qF '┈┈┈ required, not in the tree' out
claim grep -qF '┈obj┈' out

begin 'SVG, exactly'
run draw --to svg reads.conllu
status 0
stdout_file draw-reads.svg
cp out reads.svg
claim python3 "$here/check_svg.py" reads.svg svg 3 3

begin 'a page'
run draw --to html -o page.html mixed.conllu
status 0
claim python3 "$here/check_svg.py" page.html html 18 18
claim grep -q prefers-color-scheme:dark page.html
# Names of XML, but nothing to fetch.
claim test "$(grep -cE 'https?://' page.html)" -eq "$(grep -c 'xmlns="http://www.w3.org/' page.html)"
run draw --to html scripts.conllu
claim grep -q '^<figure dir="rtl">' out

begin 'whole files, in rows and in one'
for width in '--width 300' '--width 700' --one-row; do
    # shellcheck disable=SC2086 # an option and its value
    run draw --to html $width -o page.html "$examples/demo-test.conllu"
    status 0
    claim python3 "$here/check_svg.py" page.html html 143 143
done

begin 'what looks like markup, control characters and escape sequences'
run draw --colour never hostile.conllu
status 0
stdout_file draw-hostile.txt
for format in tikz dot; do
    run draw --to $format hostile.conllu
    status 0
    stdout_file draw-hostile.$format
done
run draw --to svg -o hostile.svg hostile.conllu
status 0
claim python3 "$here/check_svg.py" hostile.svg svg 4 4
run draw --to html -o hostile.html hostile.conllu
claim python3 "$here/check_svg.py" hostile.html html 4 4

begin 'colours only where they are asked for'
run draw --gold marked-gold.conllu marked.conllu
claim test "$(grep -c $'\x1b' out)" -eq 0
run draw --colour always --gold marked-gold.conllu marked.conllu
status 0
claim grep -q $'\x1b\[31m' out
sed 's/\x1b\[[0-9]*m//g' out >plain
run draw --gold marked-gold.conllu marked.conllu
claim cmp plain out

begin 'on a terminal'
on_terminal() { python3 -c 'import pty, sys; pty.spawn(sys.argv[1:])' "$@" | tr -d '\r' >seen; }
on_terminal "$program" draw --gold marked-gold.conllu marked.conllu
claim grep -q $'\x1b\[31m' seen
NO_COLOR=1 on_terminal "$program" draw --gold marked-gold.conllu marked.conllu
claim grep -q '^sentence marked' seen
claim test "$(grep -c $'\x1b' seen)" -eq 0

begin 'drawn by Graphviz'
if command -v dot >/dev/null; then
    run draw --to dot --gold marked-gold.conllu marked.conllu
    claim dot -Tsvg -o /dev/null out
    for file in hostile graph; do
        run draw --to dot $file.conllu
        claim dot -Tsvg -o /dev/null out
    done
else
    skip 'dot is not installed'
fi

begin 'drawn by a program that knows no CSS variables'
if command -v rsvg-convert >/dev/null; then
    run draw --to svg -o enhanced.svg graph.conllu
    claim rsvg-convert -o enhanced.png enhanced.svg
    claim python3 "$here/check_paper.py" enhanced.png
else
    skip 'rsvg-convert is not installed'
fi

begin 'one sentence of several'
run draw --sentence plain mixed.conllu
status 0
claim grep -qx 'sentence plain' out
claim test "$(grep -c ^sentence out)" -eq 1
run draw --sentence absent mixed.conllu
status 1
stderr <<'END'
dodona: there is no sentence 'absent'
END
run draw --to svg mixed.conllu
status 1
stderr <<'END'
dodona: mixed.conllu:7: sentence 'hearing': an SVG holds one sentence; choose one with --sentence, or write html
END

begin 'a gold file that does not fit'
run draw --gold reads.conllu hearing.conllu
status 1
stderr <<'END'
dodona: hearing.conllu:1: sentence 'hearing': 8 words, but 3 in the gold sentence
END
run draw --gold reads.conllu mixed.conllu
status 1
stderr <<'END'
dodona: mixed.conllu:7: sentence 'hearing': the gold file has no more sentences
END
run draw --gold mixed.conllu reads.conllu
status 1
stderr <<'END'
dodona: mixed.conllu:7: more sentences than there are to draw
END
sed 's/books/book/' reads.conllu >other.conllu
run draw --gold other.conllu reads.conllu
status 1
stderr <<'END'
dodona: reads.conllu:1: sentence 'reads': word 3 differs from the gold sentence's
END
run draw --gold absent reads.conllu
status 1

begin 'trees that cannot be drawn'
sed 's/\t2\tnsubj/\t1\tnsubj/' reads.conllu >own.conllu
run draw own.conllu
status 1
stderr <<'END'
dodona: own.conllu:1: sentence 'reads': word 1 is its own head
END
sed '1i # constraint = span 2 9 any' reads.conllu >span.conllu
run draw span.conllu
status 1
stderr <<'END'
dodona: span.conllu:1: sentence 'reads': constraint 'span 2 9 any': there is no such word
END
run draw bad.conllu
status 1
run draw --skip-bad bad.conllu
status 0

begin 'wrong usage'
run draw --width 39 reads.conllu
status 2
run draw --to svg --width 100 reads.conllu
status 2
stderr <<'END'
dodona: the width must lie between 300 and 100000
END
run draw --to pdf reads.conllu
status 2
run draw --gold - -
status 2
run draw --gold reads.conllu --skip-bad reads.conllu
status 2
run draw -o reads.conllu reads.conllu
status 2

begin 'CoNLL-X'
run draw reads.conll
status 0
claim grep -q '┌─.*─┐' out

begin 'a text in place of trees'
echo 'Birds sing.' >birds.txt
run draw birds.txt
status 1
stderr <<'END'
dodona: birds.txt:1: expected 10 columns separated by tabs, found 1
dodona: note: 'dodona draw' draws trees; for a text, say: dodona parse birds.txt | dodona draw
END
printf '1\tBirds\n' >short.conllu
run draw short.conllu
status 1
stderr <<'END'
dodona: short.conllu:1: expected 10 columns separated by tabs, found 2
END
