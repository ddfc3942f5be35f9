# Texts in tasks: cut, parsed in any order, killed, joined; always what one process writes.
examples=$here/../../examples
train=$examples/demo-train.conllu

# A small model of everything, made once.
model=$root/demo.dodona
"$program" train -q --only all --iterations 2 -o "$model" "$train" ||
    { echo "Bail out! no model"; exit 1; }
export DODONA_MODEL=$model

# The text of the example treebank, three sentences a paragraph.
text() {
    sed -n 's/^# text = //p' "$train" | awk '{ print } NR % 3 == 0 { print "" }'
}

# Plans, runs, verifies and merges; compares with one process. Leaves the plan in `p`.
compare() { # SIZE [OPTION]... FILE...
    local size=$1
    shift
    rm -rf p
    "$program" parse -q "$@" >single || complain "parse $*: status $?"
    run corpus plan -q --size "$size" --into p "$@"
    status 0
    run corpus run -q p
    status 0
    run corpus missing p
    stdout </dev/null
    run corpus verify -q p
    status 0
    run corpus merge p
    status 0
    same merged single out
}
tasks() { grep -c '^task' p/plan; }

begin 'joined tasks are what one process writes, whatever the size of tasks'
text >a.txt
for size in 1 300 1K 1G; do compare $size a.txt; done
claim test "$(tasks)" -eq 1
compare 100 a.txt
claim test "$(tasks)" -gt 10
claim grep -q '^# newdoc$' single
claim test "$(grep -c '^# sent_id = 1$' single)" -eq 1

begin 'several files, and all that decides about the output'
text >a.txt
text | tail -n 40 | sed 's/$/\r/' >b.txt
cp a.txt 'c d.txt'
compare 300 a.txt b.txt 'c d.txt'
claim grep -q '^# newdoc id = c d.txt$' out
compare 300 --ranges --scores a.txt b.txt
compare 300 --to json a.txt b.txt
compare 300 --given sentences a.txt
compare 300 --given tokens --ranges a.txt
text | grep . >lines.txt
compare 300 lines.txt
claim test "$(tasks)" -gt 3
claim grep -q '^input	text	line	' p/plan
compare 300 --paragraphs blank lines.txt
claim test "$(tasks)" -eq 1
text | fmt -w 60 >wrapped.txt
compare 300 --ranges wrapped.txt
claim grep -q '^input	text	blank	' p/plan
gzip -k lines.txt
compare 300 lines.txt.gz lines.txt
compare 300 --from vertical --to json a.txt b.txt
compare 300 --beam 4 --nbest 3 a.txt
compare 300 --tidy --max-words 4 a.txt

# Documents in JSON lines, each of a paragraph; one line in ten is none.
documents() {
    text | awk -v RS= '{ gsub(/\n/, " "); gsub(/"/, "\\\""); if (NR % 10 == 4) print "{\"id\":" NR "}"
        else print "{\"id\":" NR ",\"body\":\"" $0 "\",\"n\":1.10}" }'
}

begin 'documents in JSON lines are cut between lines'
documents >a.jsonl
{ echo; documents; } >b.jsonl
for to in conllu json jsonl; do
    compare 500 --skip-bad --field body --to $to a.jsonl b.jsonl
    claim test "$(tasks)" -gt 5
done
gzip -c a.jsonl >c.jsonl.gz
compare 500 --skip-bad --field body --to jsonl c.jsonl.gz
claim test "$(tasks)" -eq 1
run corpus plan --into q --field body a.jsonl
run corpus run q
status 1
claim grep -q "a.jsonl:4: byte 1: the field 'body' is missing" err
text >a.txt
run corpus plan --into r --to jsonl a.txt
status 2
claim grep -q 'only documents in JSON lines can be written as JSON lines' err

begin 'compressed outputs are joined, whatever they are joined into'
text >a.txt
cp a.txt b.txt
printf '\xef\xbb\xbf1\tHi\t_\t_\t_\t_\t_\t_\t_\t_' >c.conllu
cp c.conllu d.conllu
documents >e.jsonl
"$program" parse -q --skip-bad --field body e.jsonl >documents.conllu
"$program" parse -q a.txt b.txt c.conllu d.conllu >texts.conllu
for kind in gz zst; do
    rm -rf p q
    run corpus plan -q --compress $kind --size 300 --into p a.txt b.txt c.conllu d.conllu
    run corpus plan -q --compress $kind --skip-bad --field body --size 500 --into q e.jsonl
    for folder in p q; do
        run corpus run -q $folder
        status 0
        run corpus verify -q $folder
        status 0
        claim test -e $folder/task-000001.conllu.$kind
        for ending in '' .gz .zst; do
            run corpus merge $folder -o $folder.conllu$ending
            status 0
            { case $ending in .gz) gunzip -c ;; .zst) zstd -dc ;; *) cat ;; esac; } \
                <$folder.conllu$ending >$folder.got
            case $folder in p) same "$kind$ending" texts.conllu p.got ;; *) same "$kind$ending" documents.conllu q.got ;; esac
        done
    done
    # Nothing is unpacked where nothing changes: the frames are those of the tasks.
    cat q/task-*.conllu.$kind >frames
    claim cmp frames q.conllu.$kind
    printf x >>q/task-000002.conllu.$kind
    run corpus verify -q q
    status 1
    run corpus merge q -o x.conllu
    status 1
done

begin 'inputs in other encodings are one task each'
text >a.txt
iconv -t UTF-16 a.txt >b.txt
compare 300 b.txt
claim test "$(tasks)" -eq 1
iconv -t latin1 a.txt >c.txt
compare 300 --encoding latin1 c.txt
claim test "$(tasks)" -eq 1
claim grep -qx "$(printf 'option\tencoding\tlatin1')" p/plan

begin 'text with a mark of byte order, blanks first, and bytes that are no text'
text >a.txt
{ printf '\xef\xbb\xbf'; cat a.txt; } >bom.txt
{ head -c 3000 /dev/zero | tr '\0' '\n'; printf ' \t\n\n'; cat a.txt; } >blank.txt
{ head -c 700 "$program"; printf '\n\n'; cat a.txt; printf '\xe2\x80'; } >broken.txt
: >empty.txt
printf ' \n\n \n' >white.txt
compare 200 --ranges bom.txt bom.txt blank.txt empty.txt broken.txt white.txt

begin 'CoNLL-U, with and without ids, line ends and marks'
cp "$train" ids.conllu
grep -v '^# sent_id' "$train" >none.conllu
head -c -1 none.conllu >short.conllu
sed 's/$/\r/' none.conllu | head -c -3 >dos.conllu
{ printf '\xef\xbb\xbf'; cat none.conllu; } >bom.conllu
compare 500 ids.conllu
compare 500 --tag short.conllu dos.conllu bom.conllu ids.conllu
compare 500 --to json short.conllu dos.conllu bom.conllu ids.conllu
compare 10 reads.conll short.conllu

begin 'CoNLL-U is cut before documents and paragraphs where one comes soon'
awk 'BEGIN { RS = ""; ORS = "\n\n" } { print (NR % 5 == 1 ? "# newpar\n" : "") $0 }' "$train" >d.conllu
compare 12K d.conllu
claim test "$(tasks)" -gt 2
for task in p/task-*.conllu; do claim test "$(head -n 1 "$task")" = '# newpar'; done

begin 'packed files: frames are cut, all else is whole'
text >a.txt
gzip -c a.txt >g.txt.gz
if command -v zstd >/dev/null; then
    zstd -q -c a.txt >z.txt.zst
    split -b 300 a.txt x.
    for part in x.*; do zstd -q -c "$part"; done >frames.txt.zst
    compare 200 --ranges g.txt.gz z.txt.zst frames.txt.zst
    claim test "$(grep -c '^task.whole' p/plan)" -eq 2
    claim test "$(grep -c '^task.frames' p/plan)" -gt 5
else
    compare 200 --ranges g.txt.gz
fi

begin 'tasks as job arrays name them'
text >a.txt
compare 200 a.txt
n=$(tasks)
rm p/task-000001.conllu p/task-00000[4-7].conllu
run corpus missing p
stdout <<<'1,4-7'
run corpus run -q p/plan 4,6-7
status 0
run corpus missing p/plan
stdout <<<'1,5'
SLURM_ARRAY_TASK_ID=5 run corpus run p
status 0
claim grep -qE '^task 5: [0-9]+ sentences, [0-9]+ words in 0:0[0-9]$' err
claim test "$(wc -l <err)" -eq 1
SLURM_ARRAY_TASK_ID=5 run corpus run p
status 0
stderr <<<"dodona: note: nothing to do: 1 task is done; '--again' repeats"
run corpus run -q p 1/4
run corpus missing p
stdout </dev/null
run corpus run p
status 0
stderr <<<"dodona: note: nothing to do: $n tasks are done; '--again' repeats"
run corpus run -q p
stderr </dev/null
run corpus merge p
same merged single out
for wrong in x 0 3- 3-2 1,,2 0/2 3/2 -1 1/; do
    run corpus run p -- $wrong
    status 2
    stderr <<<"dodona corpus: '$wrong' does not name tasks; write them as 5, 1,4-7 or 2/8"
done
run corpus run p $((n + 1))
status 2

begin 'a task that is repeated gives the same bytes, in one thread or more'
text >a.txt
compare 200 a.txt
cp -r p before
touch -d '1 hour ago' p/task-000002.conllu
run corpus run -q p
claim test -n "$(find p -name task-000002.conllu -mmin +30)"
run corpus run -q --again -j 3 p
status 0
claim diff -rq p before >/dev/null

begin 'what has changed is refused, and named'
text >a.txt
compare 200 a.txt
rm p/task-000002.conllu p/task-000001.conllu
sed '1s/a/b/' a.txt >b.txt
cat b.txt >a.txt
run corpus run -q p
status 1
path=$(realpath a.txt)
stderr <<<"dodona: task 1: $path: has changed since the plan was made"
claim grep -qx "$path: has changed since the plan was made" p/task-000001.conllu.failed
claim test -e p/task-000002.conllu
run corpus missing --failed p
stdout <<<1
echo more >>a.txt
rm p/task-000002.conllu
run corpus run -q p 2
status 1
compare 200 b.txt
cp "$model" other.dodona
run corpus plan -q -m other.dodona --into q b.txt
printf x | dd of=other.dodona bs=1 seek=5000 conv=notrunc 2>/dev/null
run corpus run q
status 1
stderr <<<"dodona: task 1: $(realpath other.dodona): is not the model that the plan was made with"
run corpus missing q
stdout <<<1
claim test ! -e q/task-000001.conllu.failed

begin 'outputs that are not what was written'
text >a.txt
compare 200 a.txt
sed -i '2s/$/x/' p/task-000002.conllu
run corpus verify p
status 1
claim grep -qx 'dodona: task 2: p/task-000002.conllu: is not what was written; remove it, and run the task again' err
run corpus verify --quick p
status 1
run corpus merge p -o merged
status 1
claim test ! -e merged
rm p/task-000003.conllu
run corpus merge p -o merged
status 1
stderr <<<"dodona: 1 of $(tasks) tasks are not done, and 0 have failed"
run corpus run -q --again p
run corpus verify -q p
status 0

begin 'outputs of other tasks, with their records, are not joined in the wrong order'
text >a.txt
compare 200 a.txt
exchange() { # FILE FILE
    mv "$1" kept && mv "$2" "$1" && mv kept "$2"
}
other='is the record of another task or plan; remove it, and run the task again'
for ending in '' .record; do exchange p/task-00000[24].conllu$ending; done
for command in 'verify -q' 'verify -q --quick'; do
    run corpus $command p
    status 1
    stderr <<END
dodona: task 2: p/task-000002.conllu.record: $other
dodona: task 4: p/task-000004.conllu.record: $other
END
done
run corpus merge p -o merged
status 1
claim test ! -e merged
run corpus merge p
stdout </dev/null
stderr <<<"dodona: p/task-000002.conllu.record: $other"
rm p/task-00000[24].conllu.record
run corpus run -q p
run corpus merge p
status 0
same merged single out
# The same task of a plan that parses it otherwise.
run corpus plan -q --size 200 --scores --into scored a.txt
run corpus run -q scored 3
cp scored/task-000003.* p
run corpus merge p
status 1
stderr <<<"dodona: p/task-000003.conllu.record: $other"
echo nonsense >p/task-000003.conllu.record
run corpus merge p
stderr <<<'dodona: p/task-000003.conllu.record: is not the record of a task; remove it, and run the task again'

begin 'a task whose record is lost is open'
text >a.txt
compare 200 a.txt
rm p/task-000002.conllu.record
run corpus missing p
stdout <<<2
run corpus verify -q p
status 1
stderr <<<'dodona: task 2: p/task-000002.conllu: has no record; run the task again'
run corpus merge p
status 1
stderr <<<"dodona: 1 of $(tasks) tasks are not done, and 0 have failed"
run corpus run -q p
status 0
run corpus merge p
status 0
same merged single out
rm p/plan p/*.record
run corpus plan -q --into p a.txt
status 2
stderr <<<'dodona: p: the folder has outputs already'

begin 'a sentence that cannot be read fails its task alone'
cp "$train" good.conllu
awk 'NR == 300 { $0 = "poison" } { print }' "$train" >bad.conllu
run corpus plan -q --size 2K --into p good.conllu bad.conllu
run corpus run -q p
status 1
claim grep -q 'bad.conllu:300: ' err
claim test "$(ls p/*.failed | wc -l)" -eq 1
claim grep -q 'bad.conllu:300: ' p/*.failed
claim test "$(ls p/*.conllu | wc -l)" -eq $(($(tasks) - 1))
run corpus merge p
status 1
run corpus merge --without-failed p
status 0
stderr <<<"dodona: warning: $(realpath bad.conllu): left out, as a task of it failed"
cp out merged
"$program" parse -q good.conllu bad.conllu >single 2>/dev/null
claim cmp merged <(head -c "$(stat -c %s merged)" single)
compare 2K --skip-bad good.conllu bad.conllu

begin 'processes that are killed lose nothing, and leave nothing behind'
text >a.txt
double 5 a.txt
"$program" parse -q a.txt >single
run corpus plan -q --size 20K --into p a.txt
for ((i = 0; i < 8; i++)); do
    "$program" corpus run -q p 2>/dev/null &
    worker=$!
    sleep "0.0$((RANDOM % 10))"
    kill -KILL $worker
    wait $worker 2>/dev/null
done
touch p/task-000001.conllu.abcdefghijk.part
rm -f p/task-000001.conllu
"$program" corpus run -q p 1/2 &
"$program" corpus run -q p &
wait
run corpus run -q p
status 0
run corpus verify -q p
status 0
run corpus merge p -o merged
claim cmp merged single
# A worker may be killed when its task is done and the leftovers of others are not yet removed; merge removes them.
claim test "$(ls p/*.part 2>/dev/null | wc -l)" -eq 0

begin 'workers on the same task do not disturb each other'
text >a.txt
double 5 a.txt
"$program" parse -q a.txt >single
run corpus plan -q --into p a.txt
workers=()
for ((i = 0; i < 12; i++)); do
    "$program" corpus run -q --again p 2>>errors &
    workers+=($!)
done
for worker in "${workers[@]}"; do wait "$worker" || complain "a worker ended with status $?"; done
claim test ! -s errors
claim test "$(ls p | tr '\n' ' ')" = 'plan task-000001.conllu task-000001.conllu.record '
run corpus merge p
same merged single out

begin 'what a killed worker left is removed, what a live one writes is not'
text >a.txt
compare 1G a.txt
part=p/task-000001.conllu.abcdefghijk.part
held=p/task-000001.conllu.bcdefghijkl.part
touch $part
exec 9>$held
if flock -n 9 2>/dev/null; then
    run corpus run -q --again p
    status 0
    claim test ! -e $part
    claim test -e $held
    run corpus merge p
    status 0
    claim test -e $held
    # The task was done before this worker was killed, and nobody does it again.
    exec 9>&-
    run corpus merge p
    status 0
    claim test ! -e $held
else
    exec 9>&-
    skip 'there is no flock'
fi

begin 'a worker whose files vanish, as locks do not reach all machines, was overtaken'
text >a.txt
double 6 a.txt
run corpus plan -q --into p a.txt
run corpus run -q p
status 0
"$program" corpus run -q --again p 2>err &
worker=$!
while kill -0 $worker 2>/dev/null; do
    rm -f p/*.part
    sleep 0.01
done
wait $worker || complain "status $?: $(cat err)"
run corpus verify -q p
status 0
# But not if what is there is something else. A worker that was done before its file could be removed replaced that.
for ((try = 0; try < 20; try++)); do
    echo x >>p/task-000001.conllu
    "$program" corpus run -q --again p 2>err &
    worker=$!
    while kill -0 $worker 2>/dev/null; do
        rm -f p/*.part
        sleep 0.01
    done
    wait $worker || break
done
claim test $try -lt 20
claim grep -q 'No such file or directory' err

begin 'a full disk stops the work, and loses nothing'
text >a.txt
double 3 a.txt
"$program" parse -q a.txt >single
mkdir small
if mount -t tmpfs -o size=128k tmpfs small 2>/dev/null; then
    run corpus plan -q --size 4K --into small/p a.txt
    status 0
    run corpus run -q small/p
    status 1
    claim grep -qE '^dodona: task [0-9]+: small/p/task-[0-9]*.conllu(.record)?: No space left on device$' err
    claim test "$(wc -l <err)" -eq 1
    claim test "$(ls small/p/*.failed small/p/*.part 2>/dev/null | wc -l)" -eq 0
    mount -o remount,size=100m small
    run corpus run -q small/p
    status 0
    run corpus verify -q small/p
    status 0
    run corpus merge small/p
    same merged single out
    umount small
else
    skip 'this user cannot mount a small disk'
fi

begin 'plans that cannot be made'
text >a.txt
run corpus plan a.txt
status 2
stderr <<<"dodona corpus: plan needs the option '--into FOLDER'"
run corpus plan --into p absent.txt
status 1
stderr <<<'dodona: absent.txt: No such file or directory'
claim test ! -e p/plan
run corpus plan --into p -
status 2
run corpus plan --size 12Q --into p a.txt
status 2
stderr <<<"dodona corpus: option '--size': '12Q' is not a size such as 64M"
run corpus plan --nbest 3 --into p a.txt
status 2
run corpus plan --paragraphs line --size 100 --into p a.txt
status 0
stderr <<<"$(tasks) tasks"
run corpus plan --into p a.txt
status 2
stderr <<<'dodona: p/plan: there is a plan already'
run corpus run -q p 1
rm p/plan
run corpus plan -q --into p a.txt
status 2
stderr <<<'dodona: p: the folder has outputs already'
for action in run missing verify merge; do
    run corpus $action --beam 3 p
    status 2
done
run corpus mergee p
status 2
stderr <<<"dodona corpus: 'mergee' is not one of plan, run, missing, verify, merge; did you mean 'merge'?"

begin 'plans that are damaged'
text >a.txt
run corpus plan -q --size 200 --into p a.txt
cp p/plan whole
damage() { # SED-COMMAND MESSAGE
    sed "$1" whole >p/plan
    run corpus missing p
    status 1
    stderr <<<"dodona: p/plan:$2"
}
damage '1s/2/3/' '1: the plan is of another version'
damage '1s/plan/plum/' '1: not a plan'
damage '3s/^model/x/' "3: this line is unknown; the plan may be of a newer version"
damage '3s/[0-9a-f]\{32\}/0/' '3: this does not describe a model'
damage '3d' "$(($(wc -l <whole) - 1)): the plan is incomplete"
damage '4s/text/image/' '4: this does not describe an input'
damage '4d' '4: a task before the first input'
damage '6s/plain\t/plain\t-/' '6: this does not describe a task'
damage '6s/plain\t/plain\t99999999999999999999/' '6: this does not describe a task'
damage '6d' "$(($(wc -l <whole) - 1)): the plan is incomplete"
damage '$d' "$(wc -l <whole): the plan is truncated"
: >p/plan
run corpus missing p
status 1
