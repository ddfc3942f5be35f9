# A Slurm of one machine, for tests: munged, slurmctld and slurmd, which listen on the loopback
# address only, and keep all that they write in one folder. To be sourced.

slurm_is_here() {
    local part
    for part in munged slurmctld slurmd sbatch squeue; do
        command -v $part >/dev/null || return 1
    done
}

slurm_port() {
    python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

# The folder must not be there. Sets SLURM_CONF.
slurm_start() { # FOLDER
    slurm_folder=$1
    mkdir -m 755 "$1" && mkdir "$1/state" "$1/spool" || return 1
    head -c 1024 /dev/urandom >"$1/munge.key"
    chmod 400 "$1/munge.key"
    sed -e "s|@ROOT@|$1|; s|@HOST@|$(hostname -s)|; s|@USER@|$(id -un)|" \
        -e "s|@CONTROL_PORT@|$(slurm_port)|; s|@NODE_PORT@|$(slurm_port)|" \
        "$(dirname "${BASH_SOURCE[0]}")/slurm.conf.in" >"$1/slurm.conf"
    export SLURM_CONF=$1/slurm.conf
    munged --force --foreground --socket="$1/munge.socket" --key-file="$1/munge.key" \
        --pid-file="$1/munge.pid" --seed-file="$1/munge.seed" >"$1/munge.log" 2>&1 &
    slurm_processes=$!
    for ((i = 0; i < 1200; i++)); do [ -S "$1/munge.socket" ] && break; sleep 0.1; done
    slurmctld -D -i >/dev/null 2>&1 &
    slurm_processes+=" $!"
    slurmd -D >/dev/null 2>&1 &
    slurm_processes+=" $!"
    for ((i = 0; i < 1800; i++)); do
        [ "$(sinfo -h -o %T 2>/dev/null)" = idle ] && return 0
        sleep 0.1
    done
    tail -n 5 "$1"/*.log >&2
    return 1
}

slurm_stop() {
    # shellcheck disable=SC2086 # the processes are words
    [ -z "${slurm_processes:-}" ] || kill $slurm_processes 2>/dev/null
    wait 2>/dev/null
}

# Until no job is left.
slurm_wait() {
    while [ -n "$(squeue -h -o %i 2>/dev/null)" ]; do sleep 0.2; done
}
