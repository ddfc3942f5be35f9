# Completion in bash and zsh: what follows the words typed so far.

# The answers to words of which the last is to be completed, in one line.
answers() {
    "$program" complete bash >completion.bash
    bash -c '. ./completion.bash
        compopt() { :; }
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        _dodona
        echo "${COMPREPLY[*]}"' bash "$@"
}
expect() { # ANSWERS WORDS...
    local expected=$1 got
    shift
    got=$(answers "$@")
    [ "$got" = "$expected" ] || complain "$*: '$got', not '$expected'"
}

begin 'bash: subcommands, options and values'
expect 'train trace' dodona tra
expect 'draw' dodona help dr
expect '--from' dodona draw --fr
expect 'text svg html tikz dot' dodona draw --to ''
expect 'text svg html tikz dot' dodona draw -t ''
expect 'tikz' dodona draw --to = ti
expect 'text svg html tikz dot' dodona draw --to =
expect 'lr-spine' dodona oracle --system lr
expect 'auto no yes' dodona trace --gold ''
expect 'static nondet dynamic auto' dodona train --oracle ''
expect 'lr-spine' dodona train --system lr
expect 'tokenizer tagger lemmatizer parser all' dodona train --only ''
expect '' dodona train --beam ''
expect '' dodona train --templates ''
expect 'eager' dodona templates eag
expect 'deps-order' dodona check --only deps-o
expect 'bash zsh' dodona complete ''
expect '' dodona systems ''
# An empty answer leaves it to bash to complete the name of a file.
expect '' dodona parse -m ''
expect 'get remove index' dodona models ''
expect '' dodona models index ''
expect '' dodona parse ''
expect 'auto' dodona parse --threads ''
expect 'auto' dodona train -j a

begin 'bash: models by name, and files'
mkdir shelf
touch shelf/welsh.dodona shelf/welsh2.dodona weft
export DODONA_MODELS=shelf
expect 'welsh welsh2 weft' "$program" parse -m we
expect 'welsh welsh2' "$program" parse --model wel
expect 'welsh welsh2' "$program" info wel
expect 'welsh2' "$program" models remove welsh2
unset DODONA_MODELS

begin 'bash: every option of every subcommand'
for topic in $("$program" --help | sed -n '/^Subcommands/,/^$/s/^  \([a-z]\+\) .*/\1/p'); do
    "$program" "$topic" --help | grep -oE '^  .{4}--[a-z-]+' | grep -oE -e '--[a-z-]+' | sort >expected
    answers dodona "$topic" -- | tr ' ' '\n' | sort >got
    claim cmp expected got
done
claim test "$topic" = complete

begin 'zsh'
if command -v zsh >/dev/null; then
    mkdir functions
    run complete zsh
    status 0
    mv out functions/_dodona
    claim zsh -n functions/_dodona
    while IFS='|' read -r line expected; do
        got=$(python3 "$here/complete_zsh.py" "$PWD/functions" "$line")
        [ "$got" = "$expected" ] || complain "$line: '$got', not '$expected'"
    done <<'END'
dodona dr|dodona draw 
dodona draw --fr|dodona draw --from=
dodona draw --to=ti|dodona draw --to=tikz 
dodona draw -t do|dodona draw -t dot 
dodona train --system lr|dodona train --system lr-spine 
dodona help temp|dodona help templates 
dodona complete z|dodona complete zsh 
dodona models rem|dodona models remove 
END
else
    skip 'zsh is not installed'
fi

begin 'wrong usage'
run complete
status 2
run complete fish
status 2
stderr <<'END'
dodona complete: there is no completion for 'fish', only for bash and zsh
END
