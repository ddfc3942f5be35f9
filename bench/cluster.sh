#!/bin/bash
# The demonstration of docs/cluster.md: real text on a real Slurm and a real Dask, with workers that are
# killed, a full disk and a file that cannot be read; and what tasks cost beside one process.
#     bench/cluster.sh BUILD SIZE FILE...
# SIZE, of a task, in bytes. WITHIN, in how many seconds each worker is killed, MODEL (the English one) and SINGLE,
# what one process writes of the files, can be set. The Dask part needs a Python, $PYTHON, with the packages
# dodona and distributed. Needs memory for twelve times the text, and disk for 24 times as much.
set -eu
build=$(realpath "$1") size=$2
shift 2
here=$(dirname "$(realpath "$0")")
program=$build/dodona model=${MODEL:-$build/models/english.dodona}
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
export DODONA_MODEL=$model
single=${SINGLE:-$root/single}
if [ ! -e "$single" ]; then
    echo '# one process'
    TIMEFORMAT='# %U s of a core, %R s in all'
    time "$program" parse -q "$@" >"$single"
fi
"$here/../tests/engines/trial_slurm.sh" "$program" "$model" "$size" "$single" "$@"
"${PYTHON:-python3}" "$here/../tests/engines/trial_dask.py" "$program" "$model" "$size" "$single" "$@"
