# Help, versions, options and their mistakes: what a person meets first.

for topic in train parse corpus eval oracle trace draw check stats systems templates info models serve experiment complete; do
    begin "help on $topic"
    run $topic --help
    status 0
    stdout_file "help-$topic.txt"
    stderr </dev/null
    claim test "$(awk 'length > 80' out | wc -l)" -eq 0
    cp out long
    run $topic -h
    claim cmp out long
    run help $topic
    claim cmp out long
done

begin 'help on the program'
run --help
status 0
stdout_file help.txt
cp out long
run help
claim cmp out long

begin 'version'
run --version
status 0
claim grep -Eqx 'dodona [0-9]+\.[0-9]+\.[0-9]+' out

begin 'no subcommand'
run
status 2
stdout </dev/null
stderr <<'END'
dodona: no subcommand; see 'dodona --help'
END

begin 'a misspelt subcommand names the nearest'
run trian
status 2
stderr <<'END'
dodona: unknown subcommand 'trian'; did you mean 'train'?
END
run help pasre
status 2
stderr <<'END'
dodona: unknown subcommand 'pasre'; did you mean 'parse'?
END

begin 'a subcommand like no other gets no guess'
run frobnicate
status 2
stderr <<'END'
dodona: unknown subcommand 'frobnicate'; see 'dodona --help'
END

begin 'options before the subcommand'
run --verison
status 2
stderr <<'END'
dodona: unknown option '--verison'; did you mean '--version'?
END
run --threads 4
status 2
stderr <<'END'
dodona: unknown option '--threads'; options follow the subcommand, see 'dodona --help'
END

begin 'a misspelt option names the nearest'
run train --only parser --iteratoins 3 -o model reads.conllu
status 2
stdout </dev/null
stderr <<'END'
dodona train: unknown option '--iteratoins'; did you mean '--iterations'?
END
run train --only parser --iteratoins=3 -o model reads.conllu
status 2
stderr <<'END'
dodona train: unknown option '--iteratoins'; did you mean '--iterations'?
END
run parse -thread 3
status 2
stderr <<'END'
dodona parse: unknown option '-thread'; did you mean '--threads'?
END

begin 'an option like no other gets no guess'
run train --only parser --xyzzy
status 2
stderr <<'END'
dodona train: unknown option '--xyzzy'; see 'dodona train --help'
END
begin 'lists of tokens are in models'
run corpus plan --keep-tokens list texts
status 2
stderr <<'END'
dodona corpus: '--keep-tokens' is an option of 'dodona parse', and of 'dodona train', whose model keeps it; see 'dodona corpus --help'
END
run train --only parser -z
status 2
stderr <<'END'
dodona train: unknown option '-z'; see 'dodona train --help'
END

begin 'a prefix is not an option'
run train --only parser --iter 3
status 2
stderr <<'END'
dodona train: unknown option '--iter'; did you mean '--iterations'?
END

begin 'a whole number out of its bounds'
for value in 0 1000001 3.5 x '' 99999999999999999999; do
    run train --only parser --iterations "$value"
    status 2
    stderr <<END
dodona train: option '--iterations': '$value' is not a whole number from 1 to 1000000
END
done

begin 'a real number out of its bounds'
for value in 1.01 -0.1 nan 0x1 half ' 1'; do
    run train --only parser "--explore=$value"
    status 2
    stderr <<END
dodona train: option '--explore': '$value' is not a number from 0 to 1
END
done

begin 'a choice that does not exist'
run train --only parser --oracle dinamic
status 2
stderr <<'END'
dodona train: option '--oracle': 'dinamic' is not one of static, nondet, dynamic, auto; did you mean 'dynamic'?
END
run train --only parser --oracle magic
status 2
stderr <<'END'
dodona train: option '--oracle': 'magic' is not one of static, nondet, dynamic, auto
END

begin 'a loss that the system does not have'
run oracle --system covington-nm --loss uper reads.conllu
status 2
stderr <<'END'
dodona: covington-nm has no loss 'uper'; it has upper, lower, pc-upper, exact
END
run train --only parser --system arc-eager --loss upper -o model reads.conllu
status 2
stderr <<'END'
dodona: arc-eager has no loss 'upper'; it has only one, the exact one
END

begin 'a system that does not exist'
run oracle --system arc-eagre reads.conllu
status 2
claim grep -q "^dodona oracle: option '--system': 'arc-eagre' is not one of .*; did you mean 'arc-eager'?$" err

begin 'a value that is missing, empty or too much'
run train --only parser --dev
status 2
stderr <<'END'
dodona train: option '--dev' needs a value: FILE
END
run train --only parser --dev=
status 2
stderr <<'END'
dodona train: option '--dev': its value is empty
END
run stats --skip-bad=yes
status 2
stderr <<'END'
dodona stats: option '--skip-bad' takes no value
END
run train --only parser --skip-bad=yes
status 2
stderr <<'END'
dodona train: option '--skip-bad' takes no value
END
run train --only parser --beam
status 2
stderr <<'END'
dodona train: option '--beam' needs a value: N
END
run train --only parser --licence=
status 2
stderr <<'END'
dodona train: option '--licence': its value is empty
END

begin 'a number without an upper bound, a system and a list of components'
run train --only parser --parser-bytes 0
status 2
stderr <<'END'
dodona train: option '--parser-bytes': '0' is not a whole number from 1 to 9223372036854775807
END
run train --only parser --system arc-eagre
status 2
stderr <<'END'
dodona train: option '--system': 'arc-eagre' is not one of arc-standard, arc-eager, arc-hybrid, arc-eager-nm, lr-spine, attardi, covington, covington-nm, pointer, graph; did you mean 'arc-eager'?
END
run train --only parser,all,paser
status 2
stderr <<'END'
dodona train: option '--only': 'paser' is not one of tokenizer, tagger, lemmatizer, parser, all; did you mean 'parser'?
END

begin 'of an option given twice the last holds'
run train --only parser -q --beam 4 --iterations 1 --beam=1 --system lr-spine --system arc-hybrid -o model reads.conllu
status 0
run info model
claim grep -qxE 'system +arc-hybrid' out
claim test "$(grep -c beam out)" -eq 0

begin 'required options and operands'
run train --only parser reads.conllu
status 2
stderr <<'END'
dodona train: option '--output MODEL' is missing
END
run train --only parser -o model
status 2
stderr <<'END'
dodona train: TRAIN is missing; usage: dodona train [OPTION]... -o MODEL TRAIN...
END
run systems surplus
status 2
stderr <<'END'
dodona systems: unexpected operand 'surplus'; usage: dodona systems [OPTION]...
END

begin 'options may follow operands, and -- ends them'
cp reads.conllu ./--to
run stats reads.conllu --to json
status 0
claim grep -q '^{' out
run stats -- --to
status 0
claim grep -qx -- --to out

begin 'a full disk is a failure'
claim test -c /dev/full
"$program" --help >/dev/full 2>err
exit_status=$? ran='dodona --help >/dev/full'
status 1
stderr <<'END'
dodona: standard output: No space left on device
END
"$program" systems >/dev/full 2>err
exit_status=$?
status 1
claim grep -q 'No space left on device' err

begin 'a closed pipe ends the program quietly'
double 11 mixed.conllu
"$program" oracle mixed.conllu 2>err | head -n 1 >out
exit_status=${PIPESTATUS[0]} ran='dodona oracle | head'
status 141
stderr </dev/null

begin 'standard input serves once'
for command in 'parse -m model' stats oracle 'train -o new' eval; do
    run $command - -
    status 2
    stderr <<END
dodona ${command%% *}: standard input ('-') can be read only once
END
done
run eval --compare other.conllu - reads.conllu
status 2
stderr <<'END'
dodona eval: GOLD cannot be standard input ('-') with --compare
END

begin 'nothing that is read is written over'
"$program" train --only parser -q --iterations 1 -o model reads.conllu
cp model kept
ln -s model link
cp reads.conllu copy.conllu
for command in 'parse -m model -o link' 'parse -m kept -o copy.conllu' 'oracle -o copy.conllu' \
    'stats -o copy.conllu' 'eval -o copy.conllu reads.conllu' 'train -o copy.conllu' \
    'eval -o copy.conllu --compare copy.conllu reads.conllu reads.conllu #' 'info -o link model #'; do
    run ${command%#} $([ "${command%#}" = "$command" ] && echo copy.conllu)
    status 2
    claim grep -qE '^dodona: (model|copy.conllu): is both input and output$' err
    claim cmp model kept
    claim cmp copy.conllu reads.conllu
done
