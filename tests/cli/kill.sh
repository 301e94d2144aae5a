#!/bin/sh
# Killed at any moment, a batch leaves whole files only, and --resume makes the rest, byte for byte.
# ODORI_KILLS: how often; 50 is what a release is tested with.
. "$(dirname "$0")/lib/common"
model=$samples/model.pmx
cd "$scratch" || exit 1
if ! python3 -c '' 2>/dev/null; then
    echo 'skipped: there is no python3 to kill at random moments'
    exit 77
fi
mkdir in
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do short_dance $((50 * i)) >in/d$i.bvh; done
cp in/d3.bvh in/e.bvh
"$odori" convert -r in -t "$model" --reduce off --output-dir whole -q -j2 || bad 'the undisturbed run'
(cd whole && cksum ./*.vmd) >whole.sums
cat >kill.py <<'EOF'
import os, random, shutil, signal, subprocess, sys, time
odori, model, kills = sys.argv[1], sys.argv[2], int(sys.argv[3])
command = [odori, "convert", "-r", "in", "-t", model, "--reduce", "off", "--output-dir", "out", "-q", "-j2"]
whole = {name: open("whole/" + name, "rb").read() for name in os.listdir("whole") if name.endswith(".vmd")}
begin = time.time()
subprocess.run(command, check=True)
usual = time.time() - begin
random.seed(20)
faults = partly = killed = tries = 0

def fault(*words):
    global faults
    faults += 1
    print("FAILED:", *words)

def check(exactly):
    made = [name for name in os.listdir("out") if not name.startswith(".")] if os.path.isdir("out") else []
    for name in made:
        if open("out/" + name, "rb").read() != whole.get(name):
            fault("try", tries, name, "is not as it should be")
    if exactly and sorted(os.listdir("out")) != sorted(list(whole) + [".odori.done"]):
        fault("try", tries, "files", sorted(os.listdir("out")))
    return len(made)

while killed < kills and tries < 6 * kills:
    tries += 1
    if tries % 3 == 0:
        shutil.rmtree("out", ignore_errors=True)
    else:  # all that a run before made is out of date
        for name in os.listdir("in"):
            os.utime("in/" + name)
    child = subprocess.Popen(command + ["--resume"], stderr=subprocess.DEVNULL)
    time.sleep(random.uniform(0, usual))
    child.send_signal(signal.SIGKILL)
    if child.wait() != -signal.SIGKILL:
        usual *= 0.9  # it was done already
        continue
    killed += 1
    partly += 0 < check(False) < len(whole)
    if tries % 4 == 0:
        continue  # the next one comes before anything is put right
    code = subprocess.run(command + ["--resume"]).returncode
    if code:
        fault("try", tries, "--resume ends with", code)
    check(True)
print(killed, "kills,", partly, "with a part of the files there,", faults, "faults")
sys.exit(1 if faults or not killed else 0)
EOF
checks=$((checks + 1))
python3 kill.py "$odori" "$model" "${ODORI_KILLS:-12}" || bad 'killed runs'
finish
