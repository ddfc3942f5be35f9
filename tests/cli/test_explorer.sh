# The page of `trace --to html`: its data against the JSON lines, and the page itself in a browser.

examples=$here/../../examples
train=$examples/demo-train.conllu
test=$examples/demo-test.conllu

# Drives a page in headless Chromium; skips the case where there is none.
browse() { # PAGE WHAT
    local told
    told=$(python3 "$here/browser.py" "$@" 2>&1)
    case $? in
    0) ;;
    77) skip 'Chromium is not installed' ;;
    *) complain "$told" ;;
    esac
}

for system in $("$program" systems | awk 'NF == 0 { exit } NR > 1 { print $1 }'); do
    begin "$system: the page has what the trace tells"
    run trace --system "$system" --to html -o page.html "$test" mixed.conllu partial.conllu
    status 0
    stderr </dev/null
    run trace --system "$system" --to json "$test" mixed.conllu partial.conllu
    claim python3 "$here/check_explorer.py" page.html out
    run train --only parser -q --iterations 2 --system "$system" -o model "$train"
    run trace -m model --to html -o page.html "$test"
    status 0
    run trace -m model --to json "$test"
    claim python3 "$here/check_explorer.py" page.html out
    claim grep -q "\"system\":\"$system\",\"source\":\"model\"" page.html
done

begin 'a pseudo-projective model, and no gold'
run train --only parser -q --iterations 2 --unbuildable lift -o model "$train"
for gold in auto no; do
    run trace -m model --gold $gold --to html -o page.html "$test"
    status 0
    run trace -m model --gold $gold --to json "$test"
    claim python3 "$here/check_explorer.py" page.html out
done

begin 'nothing in the data ends the script'
run trace --system arc-eager --to html -o page.html hostile.conllu
status 0
run trace --system arc-eager --to json hostile.conllu
claim python3 "$here/check_explorer.py" page.html out
claim grep -qF '"p\u2028q"' page.html
claim grep -qF '"\u003c/script>"' page.html
claim grep -qF '"\u003c!--"' page.html

begin 'no sentences'
: >empty.conllu
run trace --system arc-eager --to html empty.conllu
status 0
claim grep -qF '"sentences":[]}</script>' out

begin 'wrong usage'
run trace --system arc-eager --to svg reads.conllu
status 2
stderr <<'END'
dodona trace: option '--to': 'svg' is not one of text, json, html
END

for system in $("$program" systems | awk 'NF == 0 { exit } NR > 1 { print $1 }'); do
    begin "$system: keys and buttons, in a browser"
    run train --only parser -q --iterations 1 --system "$system" -o model "$train"
    run trace -m model --to html -o page.html "$test"
    browse page.html explorer
done

begin 'no label on another, in a browser'
run draw --to html --width 600 -o page.html "$test"
browse page.html svg
