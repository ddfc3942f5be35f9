#!/bin/bash
# A corpus as a job array of Slurm, one core and one task of the plan at a time:
#
#     dodona corpus plan --into parsed texts/*.txt
#     sbatch --array=$(dodona corpus missing parsed) parse.sh parsed
#     dodona corpus merge parsed -o parsed.conllu
#
# The second line can be given again after whatever went wrong; it does what is missing. Where the
# plan has more tasks than Slurm's MaxArraySize (1001 unless it was set), give the number of shares,
# and each job does many tasks one after the other:
#
#     sbatch --array=1-500 parse.sh parsed 500
#
#SBATCH --job-name=dodona
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=1
#SBATCH --mem=400M
#SBATCH --requeue
set -eu
plan=$1 shares=${2:-}
exec dodona corpus run "$plan" "$SLURM_ARRAY_TASK_ID${shares:+/$shares}"
