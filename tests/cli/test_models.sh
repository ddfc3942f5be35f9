# Models by name and language: finding, listing, getting and removing them.
examples=$here/../../examples
train=$examples/demo-train.conllu
test=$examples/demo-test.conllu
export no_proxy='*'
# Beside the program are models of languages, which must not be found here.
cp "$program" "$root/dodona"
program=$root/dodona

# Three small models, made once.
made=$root/made
mkdir "$made"
"$program" train --only parser -q --system arc-eager --iterations 1 --dev "$test" --language da \
    --treebank 'UD Danish DDT' --licence 'CC BY-SA 4.0' --model-version 1.2 \
    -o "$made/da_ddt.dodona" "$train"
"$program" train --only parser -q --system arc-hybrid --iterations 1 --language sv -o "$made/sv.dodona" "$train"
"$program" train -q --only tokenizer,tagger -o "$made/bare.dodona" "$train"

users=$XDG_DATA_HOME/dodona/models
fresh() { # the user has no models, and there are some in the folder `shelf`
    rm -rf "$XDG_DATA_HOME" shelf
    mkdir shelf
    cp "$made"/*.dodona shelf
}
# Its name and its size, as the program writes it.
bytes() { stat -c %s "$1"; }
grouped() { bytes "$1" | sed -e ':a' -e 's/\B[0-9]\{3\}\>/,&/;ta'; }

serve() { # MODE [CERTIFICATE]: starts a server for `shelf`, and sets url
    rm -f port log
    : >log
    python3 "$here/model_server.py" shelf port log "$@" &
    server=$!
    for ((i = 0; i < 600; i++)); do [ -f port ] && break; sleep 0.05; done
    url=http${2:+s}://127.0.0.1:$(cat port)
}
stop() { kill "$server"; wait "$server" 2>/dev/null; }

# ---- names

begin 'a model is found by its name, by its language, and by its path'
fresh
export DODONA_MODELS=shelf
run parse -m shelf/da_ddt.dodona "$test"
cp out wanted
for called in da_ddt da; do
    run parse -m $called "$test"
    status 0
    claim cmp out wanted
    run info $called
    status 0
    claim grep -qxE 'language +da' out
    claim grep -qxE 'version +1.2' out
    run trace -m $called reads.conllu
    status 0
done
mkdir da
run parse -m da "$test"
claim cmp out wanted
rmdir da
cp shelf/sv.dodona da
run info da
claim grep -qxE 'language +sv' out
DODONA_MODEL=sv run parse "$test"
status 0
claim cmp out <("$program" parse -m shelf/sv.dodona "$test")

begin 'a model that is not there'
fresh
unset DODONA_MODELS
mkdir -p place/bin place/share/dodona/models
cp "$program" place/bin
installed=$(place/bin/dodona parse -m x 2>&1 | grep -oE '[^ ]*/share/dodona/models;? ?$|[^ ,]*, nor' | sed 's/, nor//')
place/bin/dodona parse -m da >out 2>err <"$test"
exit_status=$? ran='place/bin/dodona parse -m da'
status 1
stderr <<END
dodona: there is no model 'da' in $users, $PWD/place/bin/../share/dodona/models, $installed, nor any other; \$DODONA_MODELS may name more folders
END
cp shelf/da_ddt.dodona place/share/dodona/models/danish.dodona
place/bin/dodona parse -m dansh >out 2>err <"$test"
status 1
stderr <<END
dodona: there is no model 'dansh' in $users, $PWD/place/bin/../share/dodona/models, $installed; there is danish; did you mean 'danish'?
END
claim test "$(place/bin/dodona parse -m da "$test" | wc -l)" -gt 100
place/bin/dodona parse "$test" >out 2>err
exit_status=$? ran='place/bin/dodona parse'
status 2
stderr <<'END'
dodona parse: there is no default model; name one with '--model MODEL' or $DODONA_MODEL, or its folder with $DODONA_MODELS
END

begin 'a model without a tokenizer refuses text, and says so'
for input in 'Birds sing.' $'# a comment\n\nBirds sing.'; do
    printf '%s\n' "$input" >text
    run parse -m "$made/sv.dodona" text
    status 1
    stdout </dev/null
    stderr <<'END'
dodona: text: this model has no tokenizer for plain text; give it CoNLL-U, or train a model that has one ('only' with tokenizer)
END
done
printf 'Birds sing.' >text.txt
run parse -m "$made/sv.dodona" text.txt
status 1
claim grep -q '^dodona: text.txt: this model has no tokenizer' err
printf '1\tBirds\n' >text
run parse -m "$made/sv.dodona" text
status 1
stderr <<'END'
dodona: text:1: expected 10 columns separated by tabs, found 2
END
: >text
run parse -m "$made/sv.dodona" text
status 0

# ---- lists

begin 'a list has all folders, and what is wrong with a file'
fresh
mkdir -p "$users"
mv shelf/sv.dodona "$users"
head -c 5000 shelf/da_ddt.dodona >shelf/cut.dodona
cp shelf/da_ddt.dodona shelf/flipped.dodona
printf '\377\377' | dd of=shelf/flipped.dodona bs=1 seek=3000 conv=notrunc status=none
: >shelf/empty.dodona
mkdir shelf/folder.dodona
las=$("$program" info shelf/da_ddt.dodona | sed -n 's/^dev LAS *//p')
uas=$("$program" info shelf/da_ddt.dodona | sed -n 's/^dev UAS *//p')
size() { numfmt --to=si "$(bytes "$1")" | sed 's/K$/ kB/; s/M$/ MB/'; }
cp "$program" dodona
DODONA_MODELS=shelf ./dodona models >out 2>err
exit_status=$? ran='dodona models'
status 0
claim test "$(awk 'length > 80' out | wc -l)" -eq 0
sed 's/[0-9.]* [kM]B  /SIZE  /; s/  *SIZE/ SIZE/' out >seen
mv seen out
stdout <<END
name     lang  licence         size    LAS  version  treebank
shelf:
bare     -     - SIZE      -  -        -
cut      cannot be used: truncated model: 5000 of $(bytes shelf/da_ddt.dodona) bytes
da_ddt   da    CC BY-SA 4.0 SIZE  $las  1.2      UD Danish DDT
empty    cannot be used: not a Dodona model: the file is empty
flipped  cannot be used: damaged model: wrong checksum
folder   cannot be used: cannot read: not a regular file
$users:
sv       sv    - SIZE      -  -        -
END
DODONA_MODELS=shelf ./dodona models --to json >out 2>err
status 0
cat >expected <<END
[{"name":"bare","path":"shelf/bare.dodona","size":$(bytes shelf/bare.dodona),"language":null,"treebank":null,"licence":null,"version":null,"scores":{"dev_uas":null,"dev_las":null}},
 {"name":"cut","path":"shelf/cut.dodona","size":5000,"problem":"truncated model: 5000 of $(bytes shelf/da_ddt.dodona) bytes"},
 {"name":"da_ddt","path":"shelf/da_ddt.dodona","size":$(bytes shelf/da_ddt.dodona),"language":"da","treebank":"UD Danish DDT","licence":"CC BY-SA 4.0","version":"1.2","scores":{"dev_uas":$uas,"dev_las":$las}},
END
claim cmp expected <(head -n 3 out)
claim python3 -c 'import json; assert len(json.load(open("out"))) == 7'
DODONA_MODELS=shelf ./dodona models --names >out 2>err
stdout <<'END'
bare
cut
da_ddt
empty
flipped
folder
sv
END

begin 'an empty list says where models would be'
fresh
mkdir place
cp "$program" place/dodona
(unset DODONA_MODELS; place/dodona models) >out 2>err
exit_status=$? ran='dodona models'
status 0
stdout </dev/null
claim grep -q "^dodona: there are no models in $users, " err
place/dodona models --to json >out 2>err
stdout <<'END'
[]
END

begin 'wrong usage'
while IFS='|' read -r words message; do
    run models $words
    status 2
    stderr <<<"dodona models: $message"
done <<'END'
gte da|'gte' is not one of get, remove, index; did you mean 'get'?
da|'da' is not one of get, remove, index
get|get needs a NAME
index|index needs a FOLDER
index a b|index takes one folder
get da|get needs the option '--from PLACE'
remove da --from x|option '--from' is not for remove
index x --into y|option '--into' is not for index
get da --from x --to json|option '--to' is not for get
get da --from x -o y|option '--output' is not for get
remove da --names|option '--names' is not for remove
--into x|option '--into' is for get
END

# ---- indexes

begin 'an index of a folder'
fresh
run models index shelf
status 0
stdout </dev/null
stderr </dev/null
cp shelf/index.json out
uas=$("$program" info shelf/da_ddt.dodona | sed -n 's/^dev UAS *//p')
las=$("$program" info shelf/da_ddt.dodona | sed -n 's/^dev LAS *//p')
digest() { sha256sum "$1" | cut -d ' ' -f 1; }
stdout <<END
{"dodona_models":1,"models":[
 {"name":"bare","file":"bare.dodona","size":$(bytes shelf/bare.dodona),"sha256":"$(digest shelf/bare.dodona)","language":null,"treebank":null,"licence":null,"version":null,"scores":{"dev_uas":null,"dev_las":null}},
 {"name":"da_ddt","file":"da_ddt.dodona","size":$(bytes shelf/da_ddt.dodona),"sha256":"$(digest shelf/da_ddt.dodona)","language":"da","treebank":"UD Danish DDT","licence":"CC BY-SA 4.0","version":"1.2","scores":{"dev_uas":$uas,"dev_las":$las}},
 {"name":"sv","file":"sv.dodona","size":$(bytes shelf/sv.dodona),"sha256":"$(digest shelf/sv.dodona)","language":"sv","treebank":null,"licence":null,"version":null,"scores":{"dev_uas":null,"dev_las":null}}]}
END
run models index shelf -o -
status 0
claim cmp out shelf/index.json
run models --from shelf --names
status 0
stdout <<'END'
bare
da_ddt
sv
END

begin 'what cannot be offered keeps the index from being written'
fresh
head -c 5000 shelf/sv.dodona >shelf/zz.dodona
run models index shelf
status 1
stderr <<END
dodona: shelf/zz.dodona: truncated model: 5000 of $(bytes shelf/sv.dodona) bytes
END
claim test ! -e shelf/index.json
mv shelf/sv.dodona 'shelf/zz.dodona'
mv shelf/zz.dodona 'shelf/a b.dodona'
run models index shelf
status 1
stderr <<'END'
dodona: shelf/a b.dodona: only letters, digits and . _ + - can be in a name of an index
END
run models index none
status 1
stderr <<'END'
dodona: none: No such file or directory
END
mkdir empty
run models index empty
status 1
stderr <<'END'
dodona: empty: there is no file that ends in .dodona
END

begin 'an index that is malformed'
fresh
for text in '' '{"dodona_models":1,"models":[{"name":"../x"}]}' '{"dodona_models":7}' '[1' \
    "$(printf '[%.0s' {1..100})"; do
    printf '%s' "$text" >shelf/index.json
    run models get da --from shelf
    status 1
    claim grep -qE '^dodona: shelf/index.json: .+' err
    claim test "$(wc -l <err)" -eq 1
done
rm shelf/index.json
run models get da --from shelf
status 1
stderr <<'END'
dodona: shelf/index.json: cannot be read: No such file or directory
END
run models get da --from nowhere
status 1
stderr <<'END'
dodona: nowhere: No such file or directory
END
run models get da --from ftp://127.0.0.1/
status 2
stderr <<'END'
dodona: ftp://127.0.0.1/: only http:// and https:// can be read
END

# ---- getting from a folder

begin 'getting models from a folder, and removing them'
fresh
"$program" models index shelf
run models get da sv --from shelf
status 0
stdout <<END
da_ddt: installed as $users/da_ddt.dodona
da_ddt: licence: CC BY-SA 4.0
sv: installed as $users/sv.dodona
sv: licence: the index names none
END
stderr </dev/null
claim cmp "$users/da_ddt.dodona" shelf/da_ddt.dodona
claim test "$(ls "$users" | wc -l)" -eq 2
run info da
status 0
run models get da_ddt --from shelf/index.json
status 0
stdout <<END
da_ddt: already installed as $users/da_ddt.dodona
da_ddt: licence: CC BY-SA 4.0
END
run models get bare --from shelf --into a/b/c -q
status 0
stdout </dev/null
claim cmp a/b/c/bare.dodona shelf/bare.dodona
run models remove sv
status 0
stdout <<END
sv: removed $users/sv.dodona
END
claim test ! -e "$users/sv.dodona"
touch "$users/sv.dodona.01234567.part" "$users/sv.dodona.txt" "$users/sv2.dodona.01234567.part"
run models remove sv
status 0
stdout <<END
sv: removed $users/sv.dodona.01234567.part
END
claim test "$(ls "$users")" = $'da_ddt.dodona\nsv.dodona.txt\nsv2.dodona.01234567.part'
run models remove sv
status 1
claim grep -q "^dodona: there is no model 'sv' in " err
run models remove da
status 1
stderr <<END
dodona: there is no model 'da'; did you mean 'da_ddt', $users/da_ddt.dodona?
END
DODONA_MODELS=shelf run models remove bare
status 1
stderr <<'END'
dodona: shelf/bare.dodona: is not in your own folder, so it was not removed
END
claim test -e shelf/bare.dodona

begin 'names that an index does not have, or has too often'
fresh
cp shelf/sv.dodona shelf/sv_two.dodona
"$program" models index shelf
run models get da_dtd --from shelf
status 1
stderr <<'END'
dodona: there is no model 'da_dtd' in shelf/index.json; there are bare, da_ddt, sv, sv_two; did you mean 'da_ddt'?
END
mv shelf/sv.dodona shelf/sv_one.dodona
"$program" models index shelf
run models get da sv --from shelf
status 1
stdout </dev/null
stderr <<'END'
dodona: shelf/index.json has several models of 'sv': name one of sv_one, sv_two
END
claim test ! -e "$users"

begin 'a file that is not what the index says is not installed'
fresh
"$program" models index shelf
mkdir -p "$users"
cp shelf/sv.dodona "$users/da_ddt.dodona"
cp shelf/da_ddt.dodona whole
printf 'x' >>shelf/da_ddt.dodona
run models get da --from shelf
status 1
stderr <<END
dodona: da_ddt: more than the $(grouped whole) bytes that the index says
END
head -c 5000 whole >shelf/da_ddt.dodona
run models get da --from shelf
status 1
stderr <<END
dodona: shelf/da_ddt.dodona: 5,000 bytes, not the $(grouped whole) that the index says; nothing was installed
END
cp whole shelf/da_ddt.dodona
printf 'x' | dd of=shelf/da_ddt.dodona bs=1 seek=3000 conv=notrunc status=none
run models get da --from shelf
status 1
stderr <<'END'
dodona: shelf/da_ddt.dodona: its checksum (SHA-256) is not the one that the index says; nothing was installed
END
rm shelf/da_ddt.dodona
run models get da --from shelf
status 1
stderr <<'END'
dodona: shelf/da_ddt.dodona: cannot be read: No such file or directory
END
# A whole file, but no model that this program reads.
printf 'foreign' >shelf/da_ddt.dodona
sed -i "s/$(digest whole)/$(digest shelf/da_ddt.dodona)/; s/\"size\":$(bytes whole)/\"size\":7/" shelf/index.json
run models get da --from shelf
status 1
claim grep -q 'not a Dodona model; nothing was installed$' err
claim cmp "$users/da_ddt.dodona" shelf/sv.dodona
rm -f "$users"/*.part
claim test "$(ls "$users")" = da_ddt.dodona

begin 'a full disk, and a folder that cannot be written to'
fresh
"$program" models index shelf
(trap '' XFSZ; ulimit -f 3; "$program" models get da --from shelf >out 2>err)
exit_status=$? ran='get on a full disk'
status 1
part=$users/da_ddt.dodona.$(digest shelf/da_ddt.dodona | head -c 8).part
stderr <<END
dodona: $part: cannot be written: File too large
END
claim test -s "$part"
run models get da --from shelf
status 0
claim cmp "$users/da_ddt.dodona" shelf/da_ddt.dodona
claim test ! -e "$part"
: >file
run models get sv --from shelf --into file/below
status 1
stderr <<'END'
dodona: file/below: cannot be made: Not a directory
END
env -u HOME -u XDG_DATA_HOME "$program" models get sv --from shelf >out 2>err
exit_status=$? ran='get without a home'
status 1
stderr <<'END'
dodona: there is no folder for your models: neither XDG_DATA_HOME nor HOME is set
END

begin 'two cannot get the same model at once'
fresh
"$program" models index shelf
mkdir -p "$users"
part=$users/sv.dodona.$(digest shelf/sv.dodona | head -c 8).part
exec 9>"$part"
flock 9
run models get sv --from shelf
status 1
stderr <<'END'
dodona: sv: another process is getting it
END
exec 9>&-
run models get sv --from shelf
status 0

# ---- models of all treebanks of a folder

make_models() { # OPTIONS: as `make models` does
    python3 -B "$here/../../scripts/models.py" "$program" treebanks trained --jobs 1 "$@" >out 2>err
    exit_status=$? ran="models.py $*"
}

begin 'the script that trains models on all treebanks of a folder, and goes on where it was'
mkdir -p treebanks/xx_demo treebanks/UD_Other-Demo treebanks/notes
cp "$train" treebanks/xx_demo/train.conllu
cp "$test" treebanks/xx_demo/test.conllu
grep -v '^# text' "$train" >treebanks/UD_Other-Demo/yy_demo-ud-train.conllu
grep -v '^# text' "$test" >treebanks/UD_Other-Demo/yy_demo-ud-dev.conllu
printf '# Summary\n\nLicense: CC BY-SA 4.0\n' >treebanks/UD_Other-Demo/README.md
make_models --languages zz
status 1
stderr <<'END'
treebanks: there is no treebank of zz
END
make_models --languages 'xx' --version 1.5 --settings '-q --scorer linear --iterations 1 --jackknife 2'
status 0
stderr <<'END'
xx_demo: training
xx_demo: no licence is known; name it in ABOUT
xx_demo: scoring
END
claim test "$(ls trained)" = $'index.json\nmodels.md\nxx_demo.dodona\nxx_demo.scores.json'
claim grep -qxE 'version +1.5' <("$program" info trained/xx_demo.dodona)
cp trained/xx_demo.dodona kept
rm trained/xx_demo.scores.json
make_models --settings '-q --scorer linear --iterations 1 --jackknife 2'
status 0
stderr <<'END'
xx_demo: scoring
yy_demo: training
yy_demo: scoring
END
claim cmp kept trained/xx_demo.dodona
run info trained/yy_demo.dodona
claim grep -qxE 'components +tokenizer tagger lemmatizer parser' out
claim grep -qxE 'language +yy' out
claim grep -qxE 'treebank +UD Other Demo' out
claim grep -qxE 'licence +CC BY-SA 4.0' out
claim grep -qE '^\| `xx_demo` \| xx \| xx_demo \| - \| 584 \| .* \| - \| `-q --scorer linear --iterations 1 --jackknife 2` \|$' trained/models.md
claim grep -qE '^\| `yy_demo` \| yy \| UD Other Demo \| CC BY-SA 4.0 \| 584 \| .* MB \| .* MB \| 0 \| [0-9.]+ \| ' trained/models.md
claim test "$(sed -n '/^## From plain/,/^## From words/p' trained/models.md | grep -c '^| `')" -eq 1
claim test "$(sed -n '/^## From words/,$p' trained/models.md | grep -c '^| `')" -eq 2
run models --from trained --names
stdout <<'END'
xx_demo
yy_demo
END
printf 'damaged' >trained/xx_demo.dodona
printf 'xx_demo\tThe Demo\tMIT\n' >about
make_models --languages xx_demo --about about --settings '-q --scorer linear --iterations 2 --jackknife 2'
status 0
run info trained/xx_demo.dodona
claim grep -qxE 'treebank +The Demo' out
claim grep -qxE 'licence +MIT' out
make_models --settings '-q --scorer linear --iterations 2 --jackknife 2'
status 0
stderr <<'END'
yy_demo: is there, trained with the settings '-q --scorer linear --iterations 1 --jackknife 2'; remove it to train it again
END
printf 'broken\n' >treebanks/xx_demo/train.conllu
rm trained/xx_demo.dodona
make_models --settings '-q --scorer linear --iterations 1 --jackknife 2'
status 1
claim grep -qx 'failed: xx_demo; the same command tries again' err

begin 'the same script with words that a teacher labelled'
mkdir -p treebanks/xx_demo treebanks/yy_demo silver
cp "$train" treebanks/xx_demo/train.conllu
cp "$train" treebanks/yy_demo/train.conllu
gzip -c "$test" >silver/xx.conllu.gz
# Another treebank of the language, with other tags, teaches the parser alone.
sed 's/\tNOUN\t/\tN\t/; s/\tDET\t/\tD\t/; s/\tVERB\t/\tV\t/; s/\tADP\t/\tP\t/; s/\tPUNCT\t/\t-\t/' "$test" >silver/yy_demo.conllu
make_models --silver silver --settings '-q --iterations 1 --tagger-iterations 1 --width 8 --layers 1 --tagger-width 8'
status 0
claim test "$(ls trained)" = $'index.json\nmodels.md\nxx_demo.dodona\nxx_demo.scores.json\nyy_demo.dodona\nyy_demo.scores.json'
run info trained/xx_demo.dodona
claim grep -qxE 'components +tokenizer tagger lemmatizer parser' out
claim grep -qxE 'language +xx' out
claim grep -qxE 'tagger +neural, 1 x 8' out
claim grep -qxE 'silver words +[1-9][0-9]*' out
run info trained/yy_demo.dodona
claim grep -qxE 'silver words +[1-9][0-9]*' out

begin 'packing the models that can be given to everyone, one for each language'
mkdir trained
model() { # CODE LANGUAGE [LICENCE]
    "$program" train --only parser -q --iterations 1 --language "$2" ${3:+--licence "$3"} -o "trained/$1.dodona" "$train"
}
model xx_one xx MIT
model xx_two xx 'CC BY-SA 4.0'
model yy_closed yy 'CC BY-NC-SA 4.0'
model yy_open yy 'CC BY-SA 4.0'
model zz_unknown zz
printf 'damaged' >trained/ww.dodona
printf 'xx_two\tTwo\tCC BY-SA 4.0\n' >about
make_models --about about --pack packed
status 0
sed -i 's/, [0-9,]* bytes$//' out
stdout <<'END'
packed/xx.dodona.xz: xx_two
packed/yy.dodona.xz: yy_open
END
stderr <<'END'
ww: not packed: it is damaged, or names no language
yy_closed: not packed: its licence is CC BY-NC-SA 4.0
zz_unknown: not packed: its licence is not known
END
claim test "$(ls packed)" = $'xx.dodona.xz\nyy.dodona.xz'
python3 -B "$here/../../models/pack.py" packed/xx.dodona.xz unpacked
claim cmp trained/xx_two.dodona unpacked
rm -r packed
make_models --pack packed --languages zz
status 1
stderr <<'END'
zz_unknown: not packed: its licence is not known
trained: there are no models to pack
END
# Neither of two is listed, and one is too large.
sed 's/^LARGEST = [0-9_]*/LARGEST = 1000/' "$here/../../scripts/models.py" >models.py
: >about
python3 -B models.py "$program" '' trained --about about --pack packed --languages 'xx yy_open' >out 2>err
exit_status=$? ran='models.py --pack'
status 1
sed -i 's/takes [0-9,]* bytes/takes N bytes/' err
stderr <<'END'
refused: xx_one, xx_two are of one language; list one of them in ABOUT
refused: yy_open takes N bytes packed, more than 1,000
END
claim test -z "$(ls packed)"

begin 'a card for each model beside the program'
mkdir -p place/models treebanks/sv_demo treebanks/sv_other
cp "$program" place
"$program" train -q --scorer linear --iterations 1 --jackknife 2 --language sv --treebank 'UD Swedish Demo' --licence MIT \
    -o place/models/sv.dodona "$train"
cp "$train" treebanks/sv_demo/train.conllu
cp "$test" treebanks/sv_demo/test.conllu
cp "$train" treebanks/sv_other/train.conllu
printf 'sv_demo\tUD Swedish Demo\tMIT\n' >about
cards() {
    python3 -B "$here/../../scripts/cards.py" place/dodona treebanks cards.md --about about --packed . >out 2>err
    exit_status=$? ran='cards.py'
}
echo 'before' >cards.md
cards
status 1
stderr <<<'cards.md: the markers are missing'
printf 'before\n<!-- cards: written by scripts/cards.py -->\nold\n<!-- end of cards -->\nafter\n' >cards.md
head -c 1234567 /dev/zero >sv.dodona.xz
cards
status 0
stderr <<<'sv: measuring'
las() { "$program" eval -m place/models/sv.dodona --given "$1" "$test" | awk '/^LAS/ { print $6 }'; }
claim test "$(sed -n '1p; $p' cards.md)" = $'before\nafter'
claim test "$(grep -c old cards.md)" -eq 0
claim grep -qE "^\| \[Swedish\]\(#swedish-sv\) \| .sv. \| UD Swedish Demo \| MIT \| 584 \| $(las text) \| $(las words) \| [0-9,]+ \| 1\.2 MB \|\$" cards.md
claim grep -q '^## Swedish (`sv`)$' cards.md
claim grep -qE '^Lowest F1: `[a-z]+` [0-9]+, .*\. Most confused: `[a-z]+` taken for ' cards.md
claim grep -q '^ *Barnen .*läser .*trädgården' cards.md
mv treebanks/sv_demo treebanks/sv_gone
cards
status 1
claim grep -qx 'sv: there is no test file of UD Swedish Demo' err

begin 'two trainings at a time, with the neural scorer unless another is asked for'
make_models
status 1
stderr <<'END'
treebanks: there is no such folder
END
mkdir -p treebanks/xx_demo treebanks/no_nynorsk
cp "$train" treebanks/xx_demo/train.conllu
cp "$train" treebanks/no_nynorsk/train.conllu
make_models --jobs 2 --languages 'xx nn' --settings '--iterations 2 --width 8 --hidden 16 --tagger-iterations 2'
status 0
for code in xx_demo no_nynorsk; do
    claim grep -q '^the whole model on dev\|^parser .*iteration *2/2' trained/$code.log
    run info trained/$code.dodona
    claim grep -qxE 'scorer +neural' out
    claim grep -qxE 'tokenizer +neural, .*' out
done
claim grep -qxE 'language +nn' out

begin 'a treebank whose text has a space before each mark teaches to split them off all the same'
mkdir -p treebanks/xx_demo
# The words of the treebank alone, with spaces between them.
awk -F '\t' -v OFS='\t' '
    /^# text/ || $1 ~ /-/ { next }
    NF == 10 { $10 = "_"; text = text (text ? " " : "") $2; lines = lines $0 "\n"; next }
    /^#/ { comments = comments $0 "\n"; next }
    { print comments "# text = " text "\n" lines; comments = text = lines = "" }' "$train" >treebanks/xx_demo/train.conllu
make_models --settings '-q --scorer linear --iterations 1 --jackknife 2'
status 0
claim test "$(ls trained)" = $'index.json\nmodels.md\nxx_demo.dodona\nxx_demo.scores.json'
echo 'The leaves rustle.' | "$program" parse -q -m trained/xx_demo.dodona | cut -f 2 | tail -n 5 >out
stdout <<'END'
The
leaves
rustle
.

END

# ---- getting from a server

run models --from http://127.0.0.1:1/
if grep -q 'without libcurl' err; then
    begin 'without libcurl, URLs are refused with the reason'
    run models get da --from http://127.0.0.1:1/
    status 1
    stderr <<'END'
dodona: http://127.0.0.1:1/index.json: this program was built without libcurl, so it can get models from folders only
END
else
    . "$here/test_models_http.sh"
fi
