#!/bin/sh
# What the order of root attachments, the annotation, features, exploration and epochs do to the gains of
# dynamic oracles (docs/results.md has what came out):
#
#     bench/findings/run.sh DODONA TREEBANKS FOLDER
#
# TREEBANKS has those that docs/experiments.md lists, and conllx_da_rebuilt. In FOLDER it makes the treebanks,
# a plan and a file of results for each experiment, and prints their scores. It can be interrupted and goes on
# where it stopped. SEEDS (1 2) and EXPERIMENTS (all) can be set. An experiment takes 5 to 15 minutes.
set -eu
dodona=$1 treebanks=$2 folder=$3 here=$(dirname "$0")
ud='hu_szeged it_partut tr_imst sv_talbanken eu_bdt da_ddt'
functions=$(for code in $ud; do printf '%s-f ' "$code"; done)
"$here/treebanks.sh" "$treebanks" "$folder/treebanks"

# NAME ITERATIONS SETTINGS CODES SYSTEMS ORACLES
experiment() {
    case " ${EXPERIMENTS:-$1} " in *" $1 "*) ;; *) return ;; esac
    cat >"$folder/$1.plan" <<END
seeds = ${SEEDS:-1 2}
iterations = $2
parser-bytes = 1000000000
settings = $3
[treebanks]
folder = treebanks
codes = $4
[runs]
systems = $5
oracles = $6
END
    # A model that may give several roots can make a tree that CoNLL-U forbids; the others go on.
    "$dodona" experiment --results "$folder/$1.jsonl" "$folder/$1.plan" >"$folder/$1.log" 2>&1 || [ $? -eq 1 ]
    "$here/table.py" "$folder/$1.jsonl"
}

cat "$here/arc-standard.templates" "$here/lr-spine.templates" >"$folder/lr-spine.templates"
spine=templates=$folder/lr-spine.templates
standard=templates=$here/arc-standard.templates
all='static nondet dynamic'
experiment lr-spine 10 "$spine" "$ud conllx_da" lr-spine "$all"
experiment lr-spine-many-roots 10 "$spine single-root=no" "$ud" lr-spine "$all"
experiment lr-spine-functions-many-roots 10 "$spine single-root=no" "$functions" lr-spine "$all"
experiment lr-spine-one-root 10 "$spine single-root=yes" conllx_da lr-spine "$all"
experiment lr-spine-30 30 "$spine" "$ud conllx_da" lr-spine "$all"
experiment lr-spine-own-many-roots 10 single-root=no "$ud" lr-spine "$all"
experiment arc-standard 10 "$standard" "$ud conllx_da" arc-standard "$all"
experiment arc-standard-many-roots 10 "$standard single-root=no" "$ud" arc-standard "$all"
both='covington covington-nm'
experiment covington-2017 15 templates=covington-2017 "$ud conllx_da" "$both" 'static dynamic'
experiment covington-2015 15 templates=covington-2015 "$ud conllx_da" "$both" 'static dynamic'
experiment covington-functions 15 templates=covington-2017 "$functions" "$both" 'static dynamic'
experiment covington-many-roots 15 'templates=covington-2017 single-root=no' "$ud" "$both" dynamic
experiment covington-late 15 'templates=covington-2017 explore-from=6' "$ud conllx_da" "$both" dynamic
