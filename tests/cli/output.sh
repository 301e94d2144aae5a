#!/bin/sh
# What is written: whole files or none, nothing overwritten unasked, the same bytes each time.
. "$(dirname "$0")/lib/common"
model=$samples/model.pmx
cd "$scratch" || exit 1
mounted=
trap '[ -z "$mounted" ] || umount "$scratch/small"; rm -rf "$scratch"' EXIT
short_dance 30 >a.bvh
short_dance 40 >b.bvh
mkdir out

# only NAME...: the folder out has these files and no other but the list of what is done, then is empty again.
only() {
    is "files in out" "$*" "$(ls -A out | grep -vx '\.odori\.done' | tr '\n' ' ' | sed 's/ $//')"
    rm -rf out && mkdir out
}

# refuses CODE COMMAND...
refuses() {
    code=$1
    shift
    run "$@"
    is "exit code of: $*" "$code" "$status"
    is "errors of: $*" 1 "$(grep -c '^odori: error:' stderr)"
}

# ---- files and pipelines -------------------------------------------------------------------------

run "$odori" convert a.bvh -t "$model" -o a.vmd
is 'convert with -o' 0 "$status"
is 'nothing on standard output' 0 "$(wc -c <stdout | tr -d ' ')"
is 'the head of a VMD' 'Vocaloid Motion Data 0002' "$(head -c 25 a.vmd)"
"$odori" convert a.bvh -t "$model" -o again.vmd 2>stderr2
holds 'the same bytes twice' cmp a.vmd again.vmd
sed 's/again\.vmd/a.vmd/' stderr2 >stderr3
holds 'the same words twice' cmp stderr stderr3
cat a.bvh | "$odori" convert - -t "$model" 2>stderr | cat >piped.vmd
holds 'a pipeline gives the bytes of -o' cmp a.vmd piped.vmd
cat "$model" | "$odori" convert a.bvh -t - -o - -q >piped.vmd
holds 'so does the model from a pipe' cmp a.vmd piped.vmd
cat a.bvh | "$odori" convert - -t "$model" -q >piped.vmd 2>stderr
is '-q says nothing' '' "$(cat stderr)"
refuses 2 "$odori" convert - - --output-dir out -t "$model"
refuses 2 "$odori" convert - -t -
only ''

cp a.vmd out/a.vmd
chmod 640 out/a.vmd
refuses 4 "$odori" convert b.bvh -t "$model" -o out/a.vmd
holds 'an existing file is untouched' cmp a.vmd out/a.vmd
run "$odori" convert b.bvh -t "$model" -o out/a.vmd -f
is '-f' 0 "$status"
checks=$((checks + 1))
! cmp -s a.vmd out/a.vmd || bad '-f did not replace the file'
is 'permissions stay' '-rw-r-----' "$(ls -l out/a.vmd | cut -c 1-10)"
only a.vmd
ln -s ../linked.vmd out/link.vmd
: >linked.vmd
run "$odori" convert a.bvh -t "$model" -o out/link.vmd -f
is '-f through a link' 0 "$status"
holds 'a link stays a link' test -L out/link.vmd
holds 'what it names is written' cmp a.vmd linked.vmd
only link.vmd
# Not even -f overwrites what is read, by whatever name.
"$odori" map -q a.bvh -o a.json
for file in a.bvh a.json model.pmx; do
    cp a.bvh a.json out
    cp "$model" out/model.pmx
    ln -s $file out/link
    for name in out/$file out/link out/../out/$file; do
        refuses 4 "$odori" convert out/a.bvh -t out/model.pmx -m out/a.json -o $name -f
        refuses 4 "$odori" convert out/a.bvh -t out/model.pmx -m out/a.json -o out/a.vmd --report $name -f
        refuses 4 "$odori" map out/a.bvh -t out/model.pmx -m out/a.json -o $name -f
    done
    holds 'the source is untouched' cmp a.bvh out/a.bvh
    holds 'the mapping is untouched' cmp a.json out/a.json
    holds 'the model is untouched' cmp "$model" out/model.pmx
    only a.bvh a.json link model.pmx
done
refuses 2 "$odori" convert a.bvh -t "$model" -o out/a.vmd --report out/a.vmd -f
run "$odori" convert a.bvh b.bvh -t "$model" --output-dir out --report out/a.vmd
is 'a motion and the report of one name' 4 "$status"
says 'which is the report'
only a.vmd b.vmd
refuses 4 "$odori" convert a.bvh -t "$model" -o out
refuses 4 "$odori" convert a.bvh -t "$model" -o out/there/is/none.vmd
refuses 4 "$odori" map a.bvh -o out/there/is/none.json
refuses 1 "$odori" convert out -t "$model" -o out/a.vmd
refuses 1 "$odori" convert out/none.bvh -t "$model" -o out/a.vmd
refuses 3 "$odori" convert a.bvh -t out/none.pmx -o out/a.vmd
refuses 3 "$odori" convert a.bvh -t "$model" -m out/none.json -o out/a.vmd
only ''

# ---- several sources -----------------------------------------------------------------------------

echo 'HIERARCHY of nothing' >wrong.bvh
mkdir other
cp b.bvh other/a.bvh
run "$odori" convert a.bvh wrong.bvh b.bvh -t "$model" --output-dir out
is 'one of three fails' 1 "$status"
says 'odori: error: wrong.bvh:1:'
holds 'the first of three is the same as alone' cmp a.vmd out/a.vmd
only a.vmd b.vmd
run "$odori" convert a.bvh other/a.bvh -t "$model" --output-dir out
is 'two of one name' 0 "$status"
says 'other/a.bvh'
holds 'the first of one name stays' cmp a.vmd out/a.vmd
only a-2.vmd a.vmd
run "$odori" convert a.bvh other/a.bvh -t "$model" --output-dir out -f
is 'two of one name, with -f' 0 "$status"
holds 'the first of one name stays, with -f too' cmp a.vmd out/a.vmd
only a-2.vmd a.vmd
run "$odori" convert a.bvh -t "$model" --output-dir out
run "$odori" convert a.bvh b.bvh -t "$model" --output-dir out
is 'one exists' 4 "$status"
holds 'what exists stays' cmp a.vmd out/a.vmd
only a.vmd b.vmd
run "$odori" convert a.bvh -t "$model" --output-dir new
is 'the folder is made' 0 "$status"
holds 'in a new folder' cmp a.vmd new/a.vmd
refuses 4 "$odori" convert a.bvh -t "$model" --output-dir a.vmd
refuses 2 "$odori" convert a.bvh b.bvh -t "$model"
refuses 2 "$odori" convert a.bvh -t "$model" -o out/a.vmd --output-dir out
only ''

# ---- what cannot be written ----------------------------------------------------------------------

if [ -c /dev/full ]; then
    for command in "convert a.bvh -t $model" 'map a.bvh' 'inspect a.bvh' 'inspect --json a.bvh' formats help \
        'help convert' version 'completion bash'; do
        "$odori" $command >/dev/full 2>stderr
        is "$command >/dev/full" 4 $?
        is "errors of $command >/dev/full" 1 "$(grep -c '^odori: error:' stderr)"
    done
    refuses 4 "$odori" convert a.bvh -t "$model" -o /dev/full -q
    holds '/dev/full is still there' test -c /dev/full
else
    echo 'skipped: there is no /dev/full'
fi
run "$odori" convert a.bvh -t "$model" -o /dev/null -q
is '-o /dev/null' 0 "$status"
holds '/dev/null is still there' test -c /dev/null

# A limit of the size of files stands for a full disk; small.tmp is one of 64 KiB.
(ulimit -f 40 && "$odori" convert --reduce off "$samples/dance.bvh" -t "$model" -q -o out/a.vmd) 2>stderr
is 'a file that grows too large' 4 $?
is 'its errors' 1 "$(grep -c '^odori: error:' stderr)"
only ''
mkdir small
if mount -t tmpfs -o size=64k none small 2>/dev/null; then
    mounted=yes
    refuses 4 "$odori" convert --reduce off "$samples/dance.bvh" -t "$model" -o small/a.vmd
    is 'left on the full disk' '' "$(ls -A small)"
    umount small && mounted=
else
    echo 'skipped: no small disk can be mounted here'
fi

# A disk that fails only when it is asked to hold what was written.
echo '#include <errno.h>
int fsync(int file);
int fsync(int file) { (void)file; errno = EIO; return -1; }' >disk.c
if [ "${CONFIG:-}" = release ] && ${CC:-cc} -shared -fPIC -o disk.so disk.c 2>/dev/null; then
    refuses 4 env LD_PRELOAD="$scratch/disk.so" "$odori" convert a.bvh -t "$model" -q -o out/a.vmd
    refuses 4 env LD_PRELOAD="$scratch/disk.so" "$odori" map a.bvh -q -o out/a.json
    only ''
fi

# More than fits into memory is not read to its end.
truncate -s 3G huge.bvh
refuses 1 "$odori" inspect huge.bvh
says 'at most 2 GiB'
rm huge.bvh

# What the file is counts when it is not what was asked for.
refuses 1 "$odori" convert a.bvh --from pmx -o out/a.vmd
says 'expected PMX 2.0 and 2.1 model, as asked, found BVH motion capture'
refuses 1 "$odori" inspect "$model" --from bvh
says 'found PMX'
refuses 1 "$odori" convert a.bvh --speed 1e-6 -o out/a.vmd
says 'frames at 30 fps and speed 1e-06 are too many: a motion has at most 1000000'
only ''

"$odori" convert a.bvh -t "$model" -q 2>stderr >&-
is 'a closed standard output' 4 $?
for command in "convert --reduce off $samples/dance.bvh -t $model -q" 'inspect --json a.bvh'; do
    { "$odori" $command 2>stderr; echo $? >code; } | head -c 20 >/dev/null
    case $(cat code) in
    0 | 4) ;;
    *) bad "$command | head: exit code $(cat code)" ;;
    esac
done

# ---- a terminal ----------------------------------------------------------------------------------

if script -qec true /dev/null >/dev/null 2>&1 </dev/null; then
    script -qec "'$odori' convert a.bvh -t '$model' && echo written" /dev/null >typed 2>&1 </dev/null
    checks=$((checks + 1))
    ! grep -q 'written\|Vocaloid' typed || bad 'a motion on a terminal'
    holds 'the refusal is told' grep -q 'odori: error:.*terminal' typed
    script -qec "'$odori' map a.bvh" /dev/null >typed 2>&1 </dev/null
    holds 'a mapping may go to the terminal' grep -q '"bones"' typed
else
    echo 'skipped: no script(1) that makes a terminal'
fi

# ---- signals -------------------------------------------------------------------------------------

# Long enough that a signal comes in the midst.
awk -v times=25 '
    /^Frames:/ { $2 = 0; frames_at = NR }
    { line[NR] = $0 }
    /^Frame Time:/ { first = NR + 1 }
    END {
        line[frames_at] = "Frames: " times * (NR - first + 1)
        for (i = 1; i < first; i++) print line[i]
        for (t = 0; t < times; t++) for (i = first; i <= NR; i++) print line[i]
    }' "$samples/dance.bvh" >long.bvh

writing() { ls out/.odori-* >/dev/null 2>&1; }

# ended SIGNAL WHEN NUMBER CODE
ended() {
    if [ "$4" = 0 ]; then
        echo "skipped: done before $1 came ($2)"
        only long.vmd
        return
    fi
    is "exit code after $1 ($2)" $((128 + $3)) "$4"
    only ''
}

# interrupt SIGNAL WHEN NUMBER: sends it soon, or when the temporary file is there.
interrupt() {
    "$odori" convert --reduce off --no-check long.bvh -t "$model" -q -o out/long.vmd 2>stderr &
    program=$!
    if [ "$2" = soon ]; then sleep 0.1; else while kill -0 $program && ! writing; do :; done; fi 2>/dev/null
    kill -"$1" $program 2>/dev/null
    { wait $program; } 2>/dev/null
    ended "$1" "$2" "$3" $?
}
interrupt TERM soon 15
interrupt TERM writing 15
interrupt HUP writing 1
# A shell has what runs in its background ignore INT, and the program leaves that so.
if timeout --preserve-status 5 true 2>/dev/null; then
    timeout --preserve-status -s INT 0.1 "$odori" convert --reduce off --no-check long.bvh -t "$model" -q -o out/long.vmd 2>stderr
    ended INT soon 2 $?
else
    echo 'skipped: no timeout(1) to send INT with'
fi
rm -f long.bvh

# ---- reports -------------------------------------------------------------------------------------

"$odori" convert a.bvh wrong.bvh -t "$model" --output-dir out --report r1.json -q 2>/dev/null
is 'the code with a report' 1 $?
rm -rf out && mkdir out
"$odori" convert a.bvh wrong.bvh -t "$model" --output-dir out --report r2.json -q 2>/dev/null
holds 'the same report twice' cmp r1.json r2.json
only a.vmd
cp r1.json r3.json
refuses 4 "$odori" convert a.bvh -t "$model" -o out/b.vmd --report r3.json
holds 'an existing report is untouched' cmp r1.json r3.json
only ''
run "$odori" convert a.bvh -t "$model" -o out/c.vmd --report - -q
is 'a report on standard output' 0 "$status"
cp stdout r4.json
refuses 2 "$odori" convert a.bvh -t "$model" --report -
if python3 -c '' 2>/dev/null; then
    for report in r1.json r4.json; do
        holds "$report is JSON without NaN" python3 -c 'import json, sys
def refuse(word): raise ValueError(word)
json.load(open(sys.argv[1], encoding="utf-8"), parse_constant=refuse)' $report
    done
    is 'what the report says' 'a.bvh 0 out/a.vmd wrong.bvh 1 None' "$(python3 -c 'import json
rows = next(v for v in json.load(open("r1.json", encoding="utf-8")).values() if isinstance(v, list) and v and "status" in v[0])
print(*(x for row in rows for x in (row["source"], row["status"], row["output"])))')"
else
    echo 'skipped: there is no python3 to read the reports with'
fi

finish
