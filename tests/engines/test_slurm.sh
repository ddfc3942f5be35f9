#!/bin/bash
# trial_slurm.sh with a small model and a small text:
#     test_slurm.sh PROGRAM
set -u
program=$(realpath "$1")
here=$(dirname "$(realpath "$0")")
train=$here/../../examples/demo-train.conllu
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
"$program" train -q --only all --iterations 2 -o "$root/demo.dodona" "$train" || exit 1
sed -n 's/^# text = //p' "$train" | awk '{ print } NR % 3 == 0 { print "" }' >"$root/few.txt"
for ((i = 0; i < 2000; i++)); do cat "$root/few.txt"; done >"$root/many.txt"
"$here/trial_slurm.sh" "$program" "$root/demo.dodona" 300K "$root/single" "$root/many.txt" "$root/few.txt"
