#!/bin/bash
# A corpus on a real Slurm, with all that can go wrong: workers killed with SIGKILL at random
# moments, a disk that is full, a file that cannot be read. In TAP:
#     trial_slurm.sh PROGRAM MODEL SIZE SINGLE FILE...
# SINGLE is what one process writes of the files; it is made if it is not there. WITHIN (1) is in how many
# seconds each worker is killed.
set -u
program=$(realpath "$1") model=$(realpath "$2") size=$3 single=$4
shift 4
here=$(dirname "$(realpath "$0")")
. "$here/../claim.sh"
. "$here/slurm.sh"
if ! slurm_is_here; then
    echo '1..0 # SKIP there is no Slurm (Debian: slurmctld, slurmd, slurm-client, munge)'
    exit 0
fi

root=$(mktemp -d)
chmod 755 "$root"
mounted=
trap 'slurm_stop; [ -z "$mounted" ] || umount "$root/disk"; rm -rf "$root"' EXIT
export DODONA_MODEL=$model PATH=$(dirname "$program"):$PATH
[ -e "$single" ] || "$program" parse -q "$@" >"$single"

# The workers' numbers, so that they can be killed.
mkdir "$root/disk" "$root/workers"
cat >"$root/job.sh" <<END
#!/bin/bash
#SBATCH --no-requeue
echo \$\$ >$root/workers/\$SLURM_JOB_ID
exec $here/../../examples/slurm/parse.sh "\$@"
END
chmod +x "$root/job.sh"

kill_one() { # whichever process of those that run
    local found
    found=$(cd "$root/workers" && for job in $(squeue -h -t R -o %A); do cat "$job"; done 2>/dev/null |
        shuf -n 1)
    [ -n "$found" ] && kill -KILL "$found" 2>/dev/null && killed=$((killed + 1))
}
submit() { sbatch -Q -o "$root/jobs.log" --open-mode=append "$@" || echo 'sbatch failed' >&2; }
missing() { "$program" corpus missing -q "$root/disk/p"; }

# Not by `claim`, whose subshell would be the parent of the processes.
if slurm_start "$root/slurm"; then claim 'Slurm runs' sinfo; else claim 'Slurm runs' false; exit 1; fi

output=$(stat -c %s "$single")
printf '1\tpoison\n\n' >"$root/poison.conllu"
if mount -t tmpfs -o size=$((output / 2)) tmpfs "$root/disk" 2>/dev/null; then mounted=yes; fi
claim 'a plan' "$program" corpus plan -q --size "$size" --into "$root/disk/p" "$@" "$root/poison.conllu"
killed=0

# Two shares, of which both are killed; then what is missing, again and again.
submit --array=1-2 "$root/job.sh" "$root/disk/p" 2
sleep 2
for ((i = 0; i < 40 && killed < 2; i++)); do
    sleep "$((RANDOM % (10 * ${WITHIN:-1})))e-1"
    kill_one
done
slurm_wait
claim 'two workers were killed' test $killed -eq 2
first=$(missing)
claim 'they left work to do' test -n "$first"

if [ -n "$mounted" ]; then
    submit --array="$(missing)" "$root/job.sh" "$root/disk/p"
    slurm_wait
    claim 'then the disk was full' grep -q 'No space left on device' "$root/jobs.log"
    claim 'what is on it is right' bash -c "! '$program' corpus verify -q --quick '$root/disk/p' 2>&1 |
        grep -v 'is not there'"
    mount -o remount,size=$((3 * output)) "$root/disk"
else
    skip 'then the disk was full' 'this user cannot mount a small disk'
fi
last=$(grep -c '^task' "$root/disk/p/plan")
for ((round = 0; round < 3; round++)); do
    [ "$(missing)" != "$last" ] || break
    submit --array="$(missing)" "$root/job.sh" "$root/disk/p"
    slurm_wait
done
claim 'all is done but the file that cannot be read' test "$(missing)" = "$last"
claim 'it is named' grep -q 'poison.conllu:1: ' "$root"/disk/p/*.failed
claim 'nothing is left behind' test -z "$(find "$root/disk" -name '*.part')"
claim 'all outputs are right' bash -c "! '$program' corpus verify -q '$root/disk/p' 2>&1 | grep -v '^dodona: task $last: '"
claim 'they can be joined' "$program" corpus merge -q --without-failed "$root/disk/p" -o "$root/merged"
claim 'joined, they are what one process writes' cmp "$root/merged" "$single"
echo "1..$number"
[ "$failures" -eq 0 ]
