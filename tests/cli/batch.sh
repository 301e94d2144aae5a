#!/bin/sh
# Many sources at once: folders and lists, names of outputs, failures, any number of workers, several targets,
# clips, reports, what is left after a signal.
. "$(dirname "$0")/lib/common"
model=$samples/model.pmx
cd "$scratch" || exit 1
mounted=
trap '[ -z "$mounted" ] || umount "$scratch/small"; chmod -R u+w "$scratch"; rm -rf "$scratch"' EXIT
short_dance 30 >a.bvh
short_dance 40 >b.bvh
short_dance 50 "$samples/second.bvh" >c.bvh
echo 'HIERARCHY of nothing' >wrong.bvh
"$odori" convert a.bvh -t "$model" -q -o a.vmd || bad 'a.bvh'
"$odori" convert b.bvh -t "$model" -q -o b.vmd || bad 'b.bvh'
"$odori" convert c.bvh -t "$model" -q -o c.vmd || bad 'c.bvh'

# only NAME...: below out there are these files and the list of what is done, then none.
only() {
    is 'files in out' "$*" "$(cd out && find . -type f ! -name '.odori.done*' | sed 's|^\./||' | LC_ALL=C sort |
        tr '\n' ' ' | sed 's/ $//')"
    rm -rf out
}

# converts CODE WORD...: to out, with the usual model.
converts() {
    code=$1
    shift
    run "$odori" convert -t "$model" --output-dir out "$@"
    is "exit code of: convert $*" "$code" "$status"
}

# refuses TEXT WORD...
refuses() {
    text=$1
    shift
    run "$odori" convert "$@"
    is "exit code of: convert $*" 2 "$status"
    says "$text"
}

# ---- the command line ----------------------------------------------------------------------------

for words in -r '--filelist b.bvh' --output-dir-mirror --resume '--shard 1/2'; do
    refuses 'needs --output-dir' a.bvh $words
done
refuses 'needs --output-dir' --retry-failed r.json
refuses 'several targets need' a.bvh -t "$model" -t "$model"
refuses '--include needs -r' a.bvh --output-dir out --include '*.bvh'
refuses 'give no other' a.bvh --output-dir out --retry-failed r.json
refuses 'standard input (-) can be read only once' - --filelist - --output-dir out
for value in 0 -1 1.5 x '' 1e9; do refuses '--jobs' a.bvh -j "$value"; done
for value in 0/2 3/2 1 1/ /2 1/2/3 a/b 1.5/2 ''; do refuses '--shard' a.bvh --output-dir out --shard "$value"; done
for value in yes '' jsonn; do refuses '--progress' a.bvh "--progress=$value"; done
refuses 'empty text' a.bvh --output-dir out -r --include ''
holds 'nothing is made of all that' test ! -e out

# ---- folders and lists ---------------------------------------------------------------------------

mkdir -p in/sub/deep in/.hidden 'in/with blank'
cp a.bvh in/a.bvh
cp b.bvh in/sub/B.BVH
cp c.bvh in/sub/deep/a.bvh
cp c.bvh 'in/with blank/it'"'"'s "c".bvh'
cp a.bvh in/.hidden/hidden.bvh
cp a.bvh in/.dot.bvh
echo text >in/notes.txt
cp a.bvh in/motion.dat
ln -s ../in in/loop
ln -s ../../c.bvh in/sub/linked.bvh
: >empty.vmd
cp a.vmd in/old.vmd
converts 1 in
says 'in: is a folder; -r converts'
only ''
converts 0 -r in
says 'sub/deep/a.bvh: the name a is that of in/a.bvh already: this becomes a-2'
holds 'the first of one name' cmp a.vmd out/a.vmd
holds 'the second of one name' cmp c.vmd out/a-2.vmd
holds 'an ending in capitals' cmp b.vmd out/B.vmd
only B.vmd a-2.vmd a.vmd 'it'"'"'s "c".vmd' linked.vmd
converts 0 -r in/ --output-dir-mirror
holds 'a folder is mirrored' cmp c.vmd out/sub/deep/a.vmd
only a.vmd sub/B.vmd sub/deep/a.vmd sub/linked.vmd 'with blank/it'"'"'s "c".vmd'
converts 0 -r in --include 'm*.dat' --include '[B]*'
only B.vmd motion.vmd
converts 0 -r in a.bvh ./in/a.bvh a.bvh
says 'a.bvh: is there twice'
only B.vmd a-2.vmd a-3.vmd a-4.vmd a.vmd 'it'"'"'s "c".vmd' linked.vmd
converts 0 in/sub/B.BVH ../"$(basename "$scratch")"/c.bvh "$scratch/a.bvh" --output-dir-mirror
is 'nothing leaves the folder' 3 "$(find out -name '*.vmd' | wc -l | tr -d ' ')"
holds 'folders of a name are mirrored' cmp b.vmd out/in/sub/B.vmd
rm -rf out
converts 1 -r in/.hidden/none
says 'cannot be read'
rm -rf out
mkdir nothing
converts 1 -r nothing
says 'there is nothing to convert'
rm -rf out
# The outputs of a run before are no sources, though they end as such.
run "$odori" convert -r in --source-model "$model" -t "$model" --output-dir in/sub/out -q
is 'a folder with its own output' 0 "$status"
run "$odori" convert -r in --source-model "$model" -t "$model" --output-dir in/sub/out -q -f
is 'again' 0 "$status"
is 'outputs are not converted again' 6 "$(find in/sub/out -name '*.vmd' | wc -l | tr -d ' ')"
rm -rf in/sub/out

# Names that are hard to handle.
newline='new
line'
cp a.bvh "$newline.bvh"
cp b.bvh ./-dash.bvh
cp c.bvh "$(printf 'no\377utf8').bvh"
printf '%s\n' a.bvh '' -dash.bvh "$(printf 'no\377utf8').bvh" >lines
converts 0 --filelist lines
holds 'a leading dash' cmp b.vmd out/-dash.vmd
holds 'bytes that are no UTF-8' cmp c.vmd "out/$(printf 'no\377utf8').vmd"
rm -rf out
sed 's/$/\r/' lines >crlf
converts 0 --filelist crlf
is 'lines as Windows ends them' 3 "$(find out -name '*.vmd' | wc -l | tr -d ' ')"
rm -rf out
printf '%s\0' a.bvh "$newline.bvh" >nuls
converts 1 --filelist -
says 'there is nothing to convert'
run sh -c '"$1" convert -t "$2" --output-dir out --filelist - <nuls' sh "$odori" "$model"
is 'a list on standard input' 0 "$status"
holds 'a name with a line feed' cmp a.vmd "out/$newline.vmd"
rm -rf out
run sh -c 'find in -name "*.bvh" -print0 | sort -z | xargs -0 "$1" convert -t "$2" --output-dir out' sh "$odori" "$model"
is 'find -print0 | xargs -0' 0 "$status"
rm -rf out
converts 1 a.bvh vanished.bvh b.bvh
says 'vanished.bvh: cannot be read'
only a.vmd b.vmd
mkdir -p out/a.vmd
converts 4 a.bvh b.bvh
says 'out/a.vmd: is a folder'
rmdir out/a.vmd
only b.vmd
# What is read is not overwritten, not even with -f, when it is another source's output.
mkdir -p out
cp a.bvh out/a.vmd
converts 4 a.bvh out/a.vmd --from bvh -f
says 'is a source itself'
holds 'the source is untouched' cmp a.bvh out/a.vmd
rm -rf out

# ---- failures ------------------------------------------------------------------------------------

converts 1 a.bvh wrong.bvh none.bvh b.bvh
is 'both failures are told' 2 "$(grep -c '^odori: error' stderr)"
only a.vmd b.vmd
converts 1 -j1 a.bvh wrong.bvh b.bvh c.bvh --fail-fast
says '2 of 4 done, 2 left'
only a.vmd
converts 3 a.bvh -m none.json
only_none=$(ls out 2>/dev/null)
is 'nothing without a mapping' '' "$only_none"
rm -rf out
"$odori" map -q a.bvh -o a.json
run sh -c '"$1" convert -t "$2" --output-dir out a.bvh b.bvh -m - <a.json' sh "$odori" "$model"
is 'a mapping from standard input, for all' 0 "$status"
holds 'it is used for the first' cmp a.vmd out/a.vmd
holds 'and for the second' cmp b.vmd out/b.vmd
rm -rf out

# ---- any number of workers -----------------------------------------------------------------------

mkdir many
for i in 1 2 3 4 5 6 7 8; do
    short_dance $((i * 7)) >many/d$i.bvh
    cp c.bvh many/e$i.bvh
done
cp wrong.bvh many/d45.bvh
for jobs in 1 2 8; do
    run "$odori" convert -r many -t "$model" --output-dir out -v -j $jobs --report r$jobs.json
    is "-j$jobs" 1 "$status"
    grep -v ' workers$' stderr >words$jobs
    (cd out && find . -name '*.vmd' | sort | xargs cksum) >sums$jobs
    rm -rf out
done
is 'files of -j1' 16 "$(wc -l <sums1 | tr -d ' ')"
for jobs in 2 8; do
    holds "the words of -j$jobs" cmp words1 words$jobs
    holds "the bytes of -j$jobs" cmp sums1 sums$jobs
    holds "the report of -j$jobs" cmp r1.json r$jobs.json
done
if taskset -c 0 true 2>/dev/null; then
    run taskset -c "$(taskset -cp $$ | sed 's/.*: *//; s/[-,].*//')" "$odori" convert a.bvh -t "$model" --output-dir out -v
    says 'by 1 workers'
    rm -rf out
else
    echo 'skipped: there is no taskset to take processors away with'
fi

# ---- several targets, several clips --------------------------------------------------------------

mkdir other
cp "$samples/model.pmd" other/model.pmd
cp "$samples/model.pmx" other/second.pmx
run "$odori" convert a.bvh b.bvh -t "$model" -t other/model.pmd -t other/second.pmx --output-dir out --report r.json -f
is 'three targets' 0 "$status"
holds 'the first target' cmp a.vmd out/model/a.vmd
"$odori" convert a.bvh -t other/model.pmd -q -o pmd.vmd
holds 'the second target, of the same name' cmp pmd.vmd out/model-2/a.vmd
only model-2/a.vmd model-2/b.vmd model/a.vmd model/b.vmd second/a.vmd second/b.vmd

# ---- resume --------------------------------------------------------------------------------------

# made NUMBER WORD...: so many were not there already.
made() {
    number=$1
    shift
    converts 0 a.bvh b.bvh c.bvh --resume "$@"
    is "converted: $*" "$number" "$(grep -c ' -> ' stderr)"
}
converts 0 a.bvh b.bvh c.bvh
made 0
cp -p out/a.vmd kept.vmd
sleep 0.01
cp a.bvh again.bvh && cp again.bvh a.bvh
made 1
holds 'the same again' cmp a.vmd out/a.vmd
rm out/b.vmd
made 1
made 3 --foot-lock hard
made 0 --foot-lock hard
made 3
made 0 -v --summary -j1
: >out/c.vmd
run "$odori" convert -t "$model" --output-dir out c.bvh --resume
is 'an output that somebody changed' 4 "$status"
says 'exists already'
made_force=$("$odori" convert -t "$model" --output-dir out c.bvh --resume -f 2>&1 | grep -c ' -> ')
is 'with -f' 1 "$made_force"
printf 'cdef 0 1 12 34.56 a.vm' >>out/.odori.done
rm out/c.vmd
made 1
made 0
: >out/.odori-0123456789abcdef
made 0
holds 'what a killed run left is swept away' test ! -e out/.odori-0123456789abcdef
if command -v flock >/dev/null; then
    : >out/.odori-fedcba9876543210
    flock out/.odori-fedcba9876543210 sleep 5 &
    sleeper=$!
    sleep 0.2
    made 0
    holds 'but not what a run works on' test -e out/.odori-fedcba9876543210
    kill $sleeper
fi
rm -rf out

# ---- retry ---------------------------------------------------------------------------------------

mkdir -p tries/x tries/y
cp a.bvh tries/x/m.bvh
cp wrong.bvh tries/y/m.bvh
cp wrong.bvh "tries/y/$(printf 'n\377').bvh"
cp b.bvh tries/y/o.bvh
converts 1 -r tries --report r.json -f
only m.vmd o.vmd
cp c.bvh tries/y/m.bvh
run "$odori" convert -t "$model" --output-dir out --retry-failed r.json --report tried.json
is 'one more succeeds' 1 "$status"
is 'only what failed' 1 "$(grep -c ' -> ' stderr)"
holds 'under the name that it would have had' cmp c.vmd out/m-2.vmd
cp c.bvh "tries/y/$(printf 'n\377').bvh"
run "$odori" convert -t "$model" --output-dir out --retry-failed tried.json
is 'all is done' 0 "$status"
only m-2.vmd "$(printf 'n\377').vmd"
run "$odori" report merge r.json tried.json
is 'a run and its retry' 0 "$status"
is 'what succeeded counts' 1 "$(grep -c '"status": 1' stdout)"
is 'each file once' 4 "$(grep -c '"status": ' stdout)"
run "$odori" convert -t "$model" --output-dir out --retry-failed a.json
is 'a mapping is no report' 1 "$status"
says 'expected a report'
sed 's/"name": "m-2"/"name": "..\/..\/m"/' r.json >evil.json
run "$odori" convert -t "$model" --output-dir out --retry-failed evil.json
is 'a report that leads astray' 1 "$status"
rm -rf out

# ---- shards --------------------------------------------------------------------------------------

for i in 1 2 3; do
    run "$odori" convert -r many -t "$model" --output-dir out --shard $i/3 --report shard$i.json -q -f
    find out -name '*.vmd' | wc -l >count$i
done
(cd out && find . -name '*.vmd' | sort | xargs cksum) >sums
holds 'all shards together' cmp sums1 sums
holds 'no shard does all' test "$(cat count1)" -lt 16
run "$odori" report merge shard2.json shard3.json shard1.json -o merged.json
is 'reports of shards are merged' 0 "$status"
holds 'they make the report of the whole' cmp r1.json merged.json
sed 's/"options": {}/"options": {"legs": "fk"}/' shard1.json >otherwise.json
run "$odori" report merge shard2.json otherwise.json
is 'reports of other options' 1 "$status"
says 'expected the options of shard2.json'
run "$odori" report merge shard2.json a.json
is 'what is no report' 1 "$status"
run "$odori" report split shard2.json
is 'report split' 2 "$status"
rm -rf out
cp a.bvh many/a-new-one.bvh
"$odori" convert -r many -t "$model" --output-dir out --shard 1/3 -q 2>stderr
is 'shards stay when a file is added' "$(tr -d ' ' <count1)" "$(find out -name '[de]*.vmd' | wc -l | tr -d ' ')"
rm -rf out many/a-new-one.bvh

# ---- progress and summary ------------------------------------------------------------------------

converts 1 a.bvh wrong.bvh --summary
is 'lines of the summary' 3 "$(wc -l <stdout | tr -d ' ')"
holds 'the worst comes first' sh -c 'sed -n 2p stdout | grep -q "^failed.*wrong.bvh$"'
rm -rf out
converts 1 a.bvh wrong.bvh
holds 'no bar in a file' sh -c '! grep -q "frames/s" stderr'
rm -rf out
converts 1 a.bvh wrong.bvh --progress
holds 'a bar when it is asked for' grep -q '/2 .*frames/s' stderr
rm -rf out
converts 1 a.bvh wrong.bvh b.bvh --progress=json
is 'objects' 5 "$(wc -l <stderr | tr -d ' ')"
if python3 -c '' 2>/dev/null; then
    is 'what they say' 'begin output output output end 2 1' "$(python3 -c 'import json
rows = [json.loads(line) for line in open("stderr", encoding="utf-8")]
print(*(row["event"] for row in rows), sum(row["status"] == 0 for row in rows[1:-1]), rows[-1]["failed"])')"
fi
rm -rf out
if script -qec true /dev/null >/dev/null 2>&1 </dev/null; then
    script -qec "'$odori' convert -r many -t '$model' --output-dir out" /dev/null >typed 2>&1 </dev/null
    holds 'a bar on a terminal' grep -q 'frames/s' typed
    rm -rf out
fi

# ---- what cannot be written ----------------------------------------------------------------------

mkdir small
if mount -t tmpfs -o size=256k none small 2>/dev/null; then
    mounted=yes
    run "$odori" convert a.bvh "$samples/dance.bvh" b.bvh -t "$model" --output-dir small/out -j1
    is 'a full disk' 4 "$status"
    is 'what fits is there, whole' 'a.vmd b.vmd' "$(ls small/out | tr '\n' ' ' | sed 's/ $//')"
    holds 'the first' cmp a.vmd small/out/a.vmd
    is 'no rest is there' '' "$(ls -A small/out | grep '^\.odori-')"
    umount small && mounted=
else
    echo 'skipped: no small disk can be mounted here'
fi
if mount -t tmpfs -o size=256k,ro none small 2>/dev/null; then
    mounted=yes
    run "$odori" convert a.bvh b.bvh -t "$model" --output-dir small
    is 'a folder that cannot be written to' 4 "$status"
    is 'it is told once' 1 "$(grep -c '^odori: error' stderr)"
    umount small && mounted=
else
    echo 'skipped: no disk that only reads can be mounted here'
fi

# ---- signals -------------------------------------------------------------------------------------

mkdir long
for i in 1 2 3 4 5 6 7 8 9; do cp "$samples/dance.bvh" long/d$i.bvh; done
"$odori" convert "$samples/dance.bvh" -t "$model" -q -o dance.vmd

# stopped SIGNAL CODE
stopped() {
    rm -rf out
    "$odori" convert -r long -t "$model" --output-dir out -j2 --report left.json -f 2>stderr &
    program=$!
    while kill -0 $program 2>/dev/null && [ "$(ls out/*.vmd 2>/dev/null | wc -l)" -lt 2 ]; do :; done
    kill -"$1" $program 2>/dev/null
    { wait $program; } 2>/dev/null
    code=$?
    if [ $code = 0 ]; then
        echo "skipped: done before $1 came"
        return
    fi
    is "exit code after $1" "$2" $code
    says ' left; --resume does the rest'
    done=$(ls out/*.vmd | wc -l)
    holds "$1 stops it" test "$done" -lt 9
    for file in out/*.vmd; do holds "$file is whole" cmp dance.vmd "$file"; done
    is 'no rest is there' '' "$(ls -A out | grep '^\.odori-')"
    holds 'the report is there' grep -q "\"left\": $((9 - done))" left.json
    is 'it says what is left' "$((9 - done))" "$(grep -c '"not begun"' left.json)"
    converts 0 -r long --resume --report rest.json
    is '--resume does the rest' "$((9 - done))" "$(grep -c ' -> ' stderr)"
    run "$odori" report merge left.json rest.json
    holds 'both reports together say that all is done' grep -q '"left": 0' stdout
    is 'each file once' 9 "$(grep -c '"status": 0' stdout)"
    is 'all are there' 9 "$(ls out/*.vmd | wc -l)"
}
stopped TERM 143
rm -rf out
finish
