#!/bin/bash
# The runs of an experiment as a job array of Slurm; as many shares as the array has jobs:
#
#     sbatch --array=1-100 experiment.sh papers.plan
#     dodona experiment --merge papers.plan
#
#SBATCH --job-name=experiment
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=1
#SBATCH --mem=8G
#SBATCH --requeue
set -eu
exec dodona experiment --quiet --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" "$1"
