# What becomes of the files that the program reads and writes.
examples=$here/../../examples
train=$examples/demo-train.conllu

small_plan() { # p.plan, without an end of its last line, and its treebank
    mkdir -p t/one
    for set in train dev test; do cp reads.conllu t/one/$set.conllu; done
    printf '%s\n' 'seeds = 1' 'iterations = 1' '[treebanks]' 'folder = t' 'codes = one' '[runs]' \
        'systems = arc-eager' >p.plan
    printf 'oracles = static' >>p.plan
}

refused() { # NAME: as both input and output, and the file is as it was
    status 2
    stderr <<END
dodona: $1: is both input and output
END
    claim cmp copy.conllu reads.conllu
}

begin 'standard input is not written over'
"$program" train --only parser -q --iterations 1 -o model reads.conllu
cp reads.conllu copy.conllu
ln copy.conllu same.conllu
for command in 'parse -m model' stats oracle draw 'trace -m model' 'eval reads.conllu -' 'train'; do
    run $command -o same.conllu $([ "$command" = train ] && echo -) <copy.conllu
    refused 'standard input'
done
run parse -m model -o copy.conllu /dev/stdin <copy.conllu
refused /dev/stdin

begin 'standard output is no file that is read'
cp reads.conllu copy.conllu
"$program" stats copy.conllu >>copy.conllu 2>err
exit_status=$? ran='stats copy.conllu >>copy.conllu'
refused copy.conllu
"$program" stats <copy.conllu >>copy.conllu 2>err
exit_status=$? ran='stats <copy.conllu >>copy.conllu'
refused 'standard input'

begin 'templates, plans and treebanks are not written over'
"$program" templates standard >own.templates
cp own.templates kept
run train --only parser -q --iterations 1 --system arc-standard --templates own.templates -o own.templates reads.conllu
status 2
stderr <<'END'
dodona: own.templates: is both input and output
END
claim cmp own.templates kept
small_plan
cp p.plan kept
for output in p.plan t/one/dev.conllu; do
    run experiment -q -o $output p.plan
    status 2
    claim grep -qE "^dodona: .*${output##*/}: is both input and output\$" err
done
claim cmp p.plan kept
claim cmp t/one/dev.conllu reads.conllu

begin 'a closed standard error does not get the messages into the output'
printf '1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n\n' >bare.conllu
"$program" train --only parser -q --iterations 1 -o model reads.conllu
run parse -m model -o all bare.conllu
claim test -s err
"$program" parse -m model -o some bare.conllu 2>&-
claim test $? -eq 0
claim cmp all some
"$program" parse -m model -o none bare.conllu 0<&- 1>&- 2>&-
claim test $? -eq 0
claim cmp all none
"$program" train --only parser -q --iterations 1 -o again reads.conllu 0<&- 1>&- 2>&-
claim test $? -eq 0
claim cmp model again
small_plan
"$program" experiment -o results p.plan 2>&-
claim test $? -eq 0
claim test "$(grep -vc '^{' results)" -eq 0

begin 'a closed standard input or output is an error, not silence'
"$program" stats reads.conllu >&- 2>err
exit_status=$? ran='stats >&-'
status 1
stderr <<'END'
dodona: <stdout>: Bad file descriptor
END
"$program" --version >&- 2>err
exit_status=$? ran='--version >&-'
status 1
stderr <<'END'
dodona: standard output: Bad file descriptor
END
run stats <&-
status 1
stderr <<'END'
dodona: <stdin>: Bad file descriptor
END

begin 'the longest names can be trained to, and longer ones are refused before training'
long=$(printf 'n%.0s' {1..255})
run train --only parser -q --iterations 1 -o "$long" reads.conllu
status 0
claim test -s "$long"
run train --only parser --iterations 1 -o "n$long" reads.conllu
status 1
stderr <<END
dodona: n$long: cannot be written: File name too long
END

begin 'a link is trained to if there can be a file at its end'
mkdir d
ln -s d/model there
ln -s none/model nowhere
ln -s ring ring
run train --only parser -q --iterations 1 -o there reads.conllu
status 0
claim test -L there
claim test -f d/model -a ! -L d/model
run train --only parser --iterations 1 -o nowhere reads.conllu
status 1
stderr <<'END'
dodona: nowhere: cannot be written: No such file or directory
END
run train --only parser --iterations 1 -o ring reads.conllu
status 1
stderr <<'END'
dodona: ring: cannot be written: Too many levels of symbolic links
END

begin 'a model that cannot be saved is saved elsewhere'
"$program" train --only parser -q --iterations 1 -o model reads.conllu
mkdir gone
mkfifo data
"$program" train --only parser -q --iterations 1 -o gone/model data 2>err &
# Opening the pipe waits for the reader, who has checked the output by then.
exec 3>data
rmdir gone
cat reads.conllu >&3
exec 3>&-
wait $!
exit_status=$? ran='train -o gone/model'
status 1
claim test "$(head -n 1 err)" = 'dodona: gone/model: cannot write: No such file or directory'
claim grep -qxE 'dodona: saved to \./dodona-[A-Za-z0-9]{6}/model\.dodona instead' err
claim cmp dodona-*/model.dodona model

begin 'a model that can be saved nowhere leaves nothing behind'
mkdir tmp
(trap '' XFSZ && ulimit -f 0 && TMPDIR=tmp exec "$program" train --only parser -q --iterations 1 -o model reads.conllu) 2>&1 |
    cat >err
ran='train with no room'
stderr <<'END'
dodona: model: cannot write: File too large
dodona: it could not be saved anywhere else; the model is lost
END
claim test "$(echo dodona-* tmp/* model*)" = 'dodona-* tmp/* model*'

# Characters that command a terminal: U+001B, U+009B, U+202E (right to left) and a stray byte.
escape=$'\x1b[31m' c1=$'\xc2\x9b2J' bidi=$'\xe2\x80\xae' stray=$'\x9b'
commands() { LC_ALL=C grep -aqP '\x1b|\xc2[\x80-\x9f]|\xe2\x80\xae|[^\x80-\xff]\x9b' "$1"; }
quiet() { ! commands "$1" || complain "a command to the terminal in $1: $(cat -v "$1")"; }
on_terminal() { # ARGS...
    ran="dodona $* on a terminal"
    python3 "$here/terminal.py" "$program" "$@" >out
    exit_status=$?
}
hostile_trees() { # FORM and DEPREL hold what is not to be sent
    printf '1\ta%s\t_\tX\t_\t_\t0\troot\t_\t_\n' "$escape$c1$bidi"
    printf '2\tb\t_\tX\t_\t_\t1\tx%s\t_\t_\n\n' "$c1$bidi"
}

begin 'messages do not command a terminal'
for file in "a$escape" "a$c1" "a$bidi" "a$stray" $'a\nb'; do
    run stats "$file"
    status 1
    claim quiet err
    claim test "$(wc -l <err)" -eq 1
done
run stats "a$escape$c1$bidi$stray"
stderr <<'END'
dodona: a\u001b[31m\u009b2J\u202e\x9b: No such file or directory
END
run "$escape"
status 2
claim quiet err
run stats "--$escape"
status 2
claim quiet err
run stats 'Ἀθῆναι'
stderr <<'END'
dodona: Ἀθῆναι: No such file or directory
END

begin 'messages are cut between characters'
for start in '' a ab abc; do
    long=$start$(printf '🌳%.0s' {1..600})
    run corpus "$long"
    status 2
    claim grep -q "^dodona corpus: '$start🌳🌳" err
    claim iconv -f UTF-8 -t UTF-16 err >/dev/null
    claim test -z "$(grep -F '\x' err)"
    run trace --system arc-eager --loss "$start$(printf '🌳%.0s' {1..40})" reads.conllu
    status 2
    claim test -z "$(grep -F '\x' err)"
done

begin 'what is read does not command a terminal'
hostile_trees >"trees$c1.conllu"
cp "trees$c1.conllu" trees.conllu
"$program" train --only parser -q --iterations 1 --licence "free$c1" -o model reads.conllu
for command in "stats trees$c1.conllu" 'eval --by-label trees.conllu trees.conllu' \
    'trace --system arc-eager trees.conllu' 'trace --system arc-eager --to json trees.conllu' \
    'draw trees.conllu' 'info model' 'parse -m model trees.conllu'; do
    on_terminal $command
    status 0
    claim test -s out
    [[ $command == draw* ]] && sed -i $'s/\x1b\\[[0-9]*m//g' out # its own colours
    claim quiet out
done
on_terminal eval --by-label trees.conllu trees.conllu
claim grep -qF 'x\u009b2J\u202e' out
for path in /dev/tty /dev/stdout; do
    on_terminal parse -q -m model -o $path trees.conllu
    status 0
    claim grep -qF 'a\u001b[31m\u009b2J\u202e' out
    claim quiet out
done

begin 'reports do not command the terminal that a pager passes them on to'
hostile_trees >"trees$c1.conllu"
cp "trees$c1.conllu" trees.conllu
"$program" train --only parser -q --iterations 1 --licence "free$c1" -o model reads.conllu
mkdir -p models data/dodona/models
cp model "models/own$bidi.dodona"
cp model "data/dodona/models/old.dodona"
touch "data/dodona/models/old.dodona.1$c1.part"
for command in "stats trees$c1.conllu" 'eval --by-label trees.conllu trees.conllu' 'info model' \
    'trace --system arc-eager trees.conllu' 'draw trees.conllu' 'models' 'models remove old'; do
    XDG_DATA_HOME=$PWD/data DODONA_MODELS=models run $command
    status 0
    claim test -s out
    claim quiet out
done
run check --max 0 "trees$c1.conllu"
status 1
claim quiet out
run trace --system arc-eager trees.conllu
claim grep -qF 'ROOT -> a\u001b[31m\u009b2J\u202e/1' out

begin 'what other programs read goes to a file or a pipe as it is'
hostile_trees >trees.conllu
"$program" train --only parser -q --iterations 1 -o model reads.conllu
run parse -m model trees.conllu
status 0
claim commands out
run trace --system arc-eager --to json trees.conllu
claim commands out
on_terminal trace --system arc-eager --to json -o saved trees.conllu
claim cmp saved <("$program" trace --system arc-eager --to json trees.conllu)

begin 'a terminal is shown whole characters, however much there is'
"$program" train --only parser -q --iterations 1 -o model reads.conllu
awk 'BEGIN { for (i = 1; i <= 9000; i++) {
    printf "# x%0*d\n", i % 7, 0
    printf "1\tἈθῆναι\t_\tX\t_\t_\t0\troot\t_\t_\n\n" } }' >greek.conllu
run parse -q -m model greek.conllu
mv out expected
on_terminal parse -q -m model greek.conllu
status 0
claim cmp expected out

begin 'a file is not replaced by what a failure leaves'
"$program" train --only parser -q --iterations 1 -o model reads.conllu
printf '1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n\n1\tb\tmalformed\n\n' >half.conllu
for command in 'parse -m model' 'draw' 'oracle --system arc-eager' 'trace --system arc-eager' stats; do
    echo older >kept
    run $command -o kept half.conllu
    status 1
    claim test "$(cat kept)" = older
    run $command -o new half.conllu
    status 1
    claim test ! -e new
    claim test "$(echo *.part)" = '*.part'
done
run parse -m model half.conllu
status 1
claim grep -q '^1' out
