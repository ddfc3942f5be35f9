# What is wrong with files: messages, counts and exit status.

row() { local IFS=$'\t'; echo "$*"; }
sentence() { # ID
    printf '# sent_id = %s\n# text = Dogs bark\n' "$1"
    row 1 Dogs dog NOUN _ Number=Plur 2 nsubj _ _
    row 2 bark bark VERB _ _ 0 root _ _
    echo
}

begin 'a file without faults'
sentence a >good.conllu
run check good.conllu
status 0
stdout <<'END'
1 sentence, 2 words: no faults
END
stderr </dev/null
run check -q good.conllu
status 0
stdout </dev/null

begin 'faults have file, line, reason and name, and are counted'
{ sentence a; sentence b | sed 's/NOUN/N/; s/Number=Plur/Number=Plur|Case=Nom/'; sentence a; } >bad.conllu
run check bad.conllu
status 1
stdout <<'END'
bad.conllu:8: UPOS 'N' is not one of the 17 tags [upos]
bad.conllu:8: the features 'Number=Plur|Case=Nom' are not in alphabetical order [feats-order]
bad.conllu:11: sent_id 'a' is already in line 1 [sent-id-repeated]
3 sentences, 6 words: 3 faults
  sent-id-repeated             1
  upos                         1
  feats-order                  1
END
stderr </dev/null

begin 'it goes on after what a reader refuses, with the next sentence and file'
{ echo 'no CoNLL-U'; echo; sentence a | sed 's/root/dep/'; } >first.conllu
sentence a | sed 's/2	nsubj/1	nsubj/' >second.conllu
run check first.conllu second.conllu
status 1
stdout <<'END'
first.conllu:1: 1 column, but ten separated by tabs are expected [columns]
first.conllu:6: HEAD is 0, but DEPREL is 'dep' [root-label]
second.conllu:3: word 1 is its own HEAD [head-self]
2 sentences, 4 words: 3 faults
  columns                      1
  head-self                    1
  root-label                   1
END

begin 'levels'
sentence a | sed 's/bark$/bark /; s/NOUN/N/; s/nsubj/det/' >levels.conllu
run check -q --level 1 levels.conllu
status 1
stdout <<'END'
levels.conllu:2: white space at the end of the line [trailing-space]
END
run check -q levels.conllu
claim test "$(grep -c . out)" -eq 2
run check -q --level 3 levels.conllu
status 1
claim grep -qx "levels.conllu:3: 'N' as 'det' ('Dogs') \[relation-upos\]" out
claim test "$(grep -c . out)" -eq 3
run check --level 4 levels.conllu
status 2
stderr <<'END'
dodona check: option '--level': '4' is not a whole number from 1 to 3
END

begin 'only some kinds'
sentence a | sed 's/NOUN/N/; s/nsubj/det/; s/bark$/bark /' >levels.conllu
run check -q --only relation-upos,trailing-space levels.conllu
status 1
stdout <<'END'
levels.conllu:2: white space at the end of the line [trailing-space]
levels.conllu:3: 'N' as 'det' ('Dogs') [relation-upos]
END
run check -q --only nfc levels.conllu
status 0
run check --only nfc,relation-pos levels.conllu
status 2
stderr <<'END'
dodona check: option '--only': there is no kind 'relation-pos'; did you mean 'relation-upos'?
END
run check --only , levels.conllu
status 2
stderr <<'END'
dodona check: option '--only': there is no kind ''; '--list' names them
END

begin 'faults beyond the most of a kind are counted'
for i in {1..5}; do sentence "$i" | sed 's/NOUN/N/'; done >many.conllu
run check --max 2 many.conllu
status 1
stdout <<'END'
many.conllu:3: UPOS 'N' is not one of the 17 tags [upos]
many.conllu:8: UPOS 'N' is not one of the 17 tags [upos]
5 sentences, 10 words: 5 faults
  upos                         5, of which 3 not shown
END
run check --max 0 many.conllu many.conllu many.conllu
claim test "$(grep -c '\[upos\]' out)" -eq 15
run check many.conllu many.conllu many.conllu
claim test "$(grep -c '\[upos\]' out)" -eq 10

begin 'the kinds are listed'
run check --list
status 0
claim grep -qx 'deps-order           2  DEPS out of the order of heads, then relations' out
claim test "$(cut -d ' ' -f 1 out | sort | uniq -d | wc -l)" -eq 0

begin 'standard input, compressed files, an output file, any name'
sentence a | sed 's/NOUN/N/' >bad.conll
"$program" check -q <bad.conll >out
claim grep -qx "<stdin>:3: UPOS 'N' is not one of the 17 tags \[upos\]" out
gzip -c bad.conll >bad.conllu.gz
run check -q bad.conllu.gz
status 1
claim grep -qx "bad.conllu.gz:3: UPOS 'N' is not one of the 17 tags \[upos\]" out
run check -q -o report bad.conll
status 1
stdout </dev/null
claim grep -qx "bad.conll:3: UPOS 'N' is not one of the 17 tags \[upos\]" report
run check -o bad.conll bad.conll
status 2
if command -v zstd >/dev/null; then
    zstd -qc bad.conll >bad.conllu.zst
    run check -q bad.conllu.zst
    claim grep -qx "bad.conllu.zst:3: UPOS 'N' is not one of the 17 tags \[upos\]" out
fi

begin 'a file that cannot be read does not keep the others from being checked'
run check absent.conllu bad.conllu
status 1
stderr <<'END'
dodona: absent.conllu: No such file or directory
END
claim grep -q '^bad.conllu:' out
gzip -c "$here/../../examples/demo-train.conllu" | head -c 300 >cut.conllu.gz
run check cut.conllu.gz
status 1
stderr <<'END'
dodona: cut.conllu.gz: truncated gzip data
END

begin 'the examples have no faults, but that only some sentences have DEPS'
run check -q --level 3 "$here"/../../examples/demo-*.conllu
claim test "$(grep -cvE '\[deps-(some|reach)\]$' out)" -eq 0
