#!/bin/sh
# Four tasks of a job array rerun the tests; a job that waits for them joins what they found:
#   array=$(sbatch --parsable slurm.sh)
#   sbatch --dependency="afterok:$array" --wrap 'steady merge results-* --out results'
#SBATCH --job-name=steady-rerun
#SBATCH --array=0-3
#SBATCH --output=steady-%A_%a.log
set -eu

# A requeued task has the same number and starts again with an empty folder.
results="results-$SLURM_ARRAY_TASK_ID"
rm -rf "$results"
steady rerun --until-stable --shard auto --out "$results" -- pytest || [ $? -eq 1 ]
