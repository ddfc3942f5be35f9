# parse -m auto: the model by the language of the text.
# Beside the program are models of languages, which must not be found here.
cp "$program" "$root/dodona"
program=$root/dodona
made=$root/made
mkdir "$made"
english='The old man walked slowly down the street with his dog and thought about the weather .
There was nothing that he would rather do in the morning than look at the river .
When it rained , they stayed in the house and read what other people had written .
She said that the children were playing in the garden , where the apples had fallen .'
german='Der alte Mann ging langsam mit seinem Hund die Strasse hinunter und dachte an das Wetter .
Es gab nichts , was er am Morgen lieber getan hätte , als auf den Fluss zu schauen .
Wenn es regnete , blieben sie im Haus und lasen , was andere geschrieben hatten .
Sie sagte , dass die Kinder im Garten spielten , wo die Äpfel gefallen waren .'

treebank() { # a sentence a line, as CoNLL-U; each word depends on the one before it
    awk '{ for (i = 1; i <= NF; i++)
               printf "%d\t%s\t_\t_\t_\t_\t%d\t%s\t_\t%s\n", i, $i, i - 1, (i > 1 ? "dep" : "root"),
                   ($(i + 1) ~ /[.,]/ ? "SpaceAfter=No" : "_")
           print "" }'
}
learn() { # NAME LANGUAGE: a model from the treebank on standard input
    "$program" train -q --only tokenizer,parser --iterations 1 --language "$2" -o "$made/$1.dodona" -
}
echo "$english" | treebank | learn short en
printf '%s\n' "$english" "$english" | treebank | learn long en
echo "$german" | treebank | learn german de
export DODONA_MODELS=$made

echo 'The dog and the man were in the garden when it rained.' >"$made/en.txt"
echo 'Der Hund und der Mann waren im Garten, wenn es regnete.' >"$made/de.txt"

begin 'each file is parsed with the model of its language'
cp "$made"/*.txt .
run parse -m auto en.txt de.txt
status 0
stderr <<'END'
dodona: note: en.txt: language en, model long
dodona: note: de.txt: language de, model german
END
cp out wanted
{ "$program" parse -m long en.txt de.txt | sed '/newdoc id = de.txt/,$d'
  "$program" parse -m german en.txt de.txt | sed -n '/newdoc id = de.txt/,$p'; } >by-name
claim cmp wanted by-name
run parse -q -m auto en.txt de.txt
claim cmp out wanted
claim test ! -s err
DODONA_MODEL=auto run parse -q en.txt de.txt
claim cmp out wanted

begin 'standard input, packed text, CoNLL-U and JSON lines have a language too'
cp "$made"/*.txt .
run parse -m auto <de.txt
status 0
stderr <<<'dodona: note: <stdin>: language de, model german'
cp out wanted
gzip -k de.txt
run parse -q -m auto < <(cat de.txt.gz)
status 0
claim cmp out wanted
run parse -m auto wanted --from conllu
status 0
stderr <<<'dodona: note: wanted: language de, model german'
printf '{"id":"a","text":"%s"}\n' "$(cat de.txt)" >de.jsonl
run parse -m auto de.jsonl
status 0
stderr <<<'dodona: note: de.jsonl: language de, model german'
run parse -m auto --given sentences de.txt
status 0

begin 'more than what is kept of standard input is parsed'
cp "$made/de.txt" long.txt
double 12 long.txt
claim test "$(wc -c <long.txt)" -gt 200000
run parse -q -m german long.txt
cp out wanted
run parse -q -m auto < <(cat long.txt)
status 0
claim cmp out wanted

begin 'a text that does not tell its language is refused'
run parse -m auto < <(echo Hallo)
status 1
stderr <<'END'
dodona: <stdin>: the language is not clear; the likeliest are 'en' and 'de'; name a model with '-m'
END
claim test ! -s out
echo 'Это текст, для которого модели нет.' >ru.txt
run parse -q -m auto ru.txt
status 1
stderr <<'END'
dodona: ru.txt: the text is in no language of the models; the nearest is 'de'; name a model with '-m'
END
run parse -m auto none.txt
status 1
stderr <<<'dodona: none.txt: No such file or directory'

begin 'without models that know their language there is nothing to pick'
cp "$made/en.txt" .
mkdir bare
"$program" train -q --only parser --iterations 1 -o bare/bare.dodona reads.conllu
DODONA_MODELS=bare run parse -m auto reads.conllu
status 1
claim grep -q "^dodona: reads.conllu: " err
