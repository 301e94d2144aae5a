#!/bin/sh
# What odori-batch(7) shows for GNU parallel and Slurm, on this machine. Each part is skipped where the program is
# not there or does not start.
. "$(dirname "$0")/lib/common"
model=$samples/model.pmx
cd "$scratch" || exit 1
mkdir dances bin
ln -s "$odori" bin/odori
PATH=$scratch/bin:$PATH
cp "$model" miku.pmx
for i in 1 2 3 4 5 6 7 8; do short_dance $((i * 8)) >dances/d$i.bvh; done
odori convert -r dances -t miku.pmx --output-dir whole --report whole.json -q || bad 'the undisturbed run'
(cd whole && cksum ./*.vmd) >whole.sums
find dances -name '*.bvh' | sort >dances.txt
ran=0

# same FOLDER REPORT...: its files and the merged reports are those of one run.
same() {
    folder=$1
    shift
    (cd "$folder" && cksum ./*.vmd) >sums
    holds "$folder: the bytes of one run" cmp whole.sums sums
    run odori report merge "$@" -f -o merged.json
    is "$folder: the reports" 0 "$status"
    sed "s|\"output\": \"$folder/|\"output\": \"whole/|" merged.json >renamed.json
    holds "$folder: the report of one run" cmp whole.json renamed.json
}

if parallel --version 2>/dev/null | grep -q 'GNU parallel'; then
    ran=1
    parts='--shard {}/4 --resume --report out{}.json'
    # The third part fails at first: its report may not be written.
    mkdir out3.json
    parallel --will-cite -j2 --joblog jobs.log odori convert -r dances -t miku.pmx --output-dir out -j1 $parts \
        ::: 1 2 3 4 2>stderr
    is 'one part fails' 1 $?
    is 'the log of jobs says which' 3 "$(awk 'NR > 1 && $7 { print $1 }' jobs.log)"
    rmdir out3.json
    parallel --will-cite -j2 --joblog jobs.log --resume-failed odori convert -r dances -t miku.pmx --output-dir out \
        -j1 $parts ::: 1 2 3 4 2>stderr
    is '--resume-failed' 0 $?
    same out out1.json out2.json out3.json out4.json
else
    echo 'skipped: GNU parallel is not installed'
fi

# xargs and make are always there.
if printf '1\n2\n3\n' | xargs -P2 -I{} odori convert --filelist dances.txt -t miku.pmx --output-dir xout -j1 -q \
    --shard {}/3 --report xout{}.json; then
    same xout xout1.json xout2.json xout3.json
else
    bad 'xargs -P2'
fi
if command -v make >/dev/null; then
    printf '%s\n' 'all: $(patsubst dances/%.bvh,mout/%.vmd,$(wildcard dances/*.bvh))' \
        'mout/%.vmd: dances/%.bvh miku.pmx' '	@mkdir -p mout' '	@odori convert -q -f $< -t miku.pmx -o $@' >makefile
    make -j2 >log 2>&1 || bad "make -j2: $(cat log)"
    (cd mout && cksum ./*.vmd) >sums
    holds 'make: the bytes of one run' cmp whole.sums sums
fi

# ---- Slurm: one node, this one -------------------------------------------------------------------

node=$(hostname -s 2>/dev/null || hostname)

start_slurm() {
    for program in munged slurmctld slurmd sbatch sinfo; do
        command -v $program >/dev/null || { echo "skipped: $program is not installed"; return 1; }
    done
    [ "$(id -u)" = 0 ] || { echo 'skipped: Slurm starts as root only'; return 1; }
    pgrep -x slurmctld >/dev/null && { echo 'skipped: Slurm runs here already'; return 1; }
    if ! munge -n >/dev/null 2>&1; then
        mkdir -p /run/munge && chown munge: /run/munge
        munged --force >munge.log 2>&1 || { echo "skipped: munged does not start: $(tail -n 1 munge.log)"; return 1; }
        started_munge=yes
    fi
    mkdir -p slurm/state slurm/spool
    cat >slurm/slurm.conf <<EOF
ClusterName=test
SlurmctldHost=$node
SlurmUser=root
AuthType=auth/munge
StateSaveLocation=$scratch/slurm/state
SlurmdSpoolDir=$scratch/slurm/spool
SlurmctldPidFile=$scratch/slurm/slurmctld.pid
SlurmdPidFile=$scratch/slurm/slurmd.pid
SlurmctldLogFile=$scratch/slurm/slurmctld.log
SlurmdLogFile=$scratch/slurm/slurmd.log
SlurmctldPort=16817
SlurmdPort=16818
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
ReturnToService=2
NodeName=$node CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=$node Default=YES MaxTime=INFINITE State=UP
EOF
    export SLURM_CONF=$scratch/slurm/slurm.conf
    slurmctld && slurmd || { echo 'skipped: Slurm does not start'; return 1; }
    for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
        sinfo -h -o %t 2>/dev/null | grep -q idle && return 0
        sleep 1
    done
    echo "skipped: the node does not become idle: $(tail -n 1 slurm/slurmd.log slurm/slurmctld.log 2>&1)"
    return 1
}

stop_slurm() {
    for name in slurmd slurmctld; do
        [ -s slurm/$name.pid ] && kill "$(cat slurm/$name.pid)" 2>/dev/null
    done
    [ -z "${started_munge:-}" ] || kill "$(cat /run/munge/munged.pid)" 2>/dev/null
}

if start_slurm; then
    ran=1
    cat >job.sh <<'EOF'
#!/bin/sh
#SBATCH --array=1-4
exec odori convert --filelist dances.txt -t miku.pmx --output-dir sout \
    --shard $SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT \
    --resume --report sout$SLURM_ARRAY_TASK_ID.json
EOF
    run timeout 120 sbatch --wait job.sh
    is 'a job array' 0 "$status"
    same sout sout1.json sout2.json sout3.json sout4.json
fi
stop_slurm
[ $ran = 1 ] || echo 'neither GNU parallel nor Slurm is here: what was tested is xargs and make'
finish
