# Counts worked out by hand from tests/cli/data/mixed.conllu.

begin 'one file'
run stats mixed.conllu
status 0
stderr </dev/null
stdout_file stats-mixed.txt

begin 'several files and their total'
run stats reads.conllu mixed.conllu
status 0
stdout_file stats-total.txt

begin 'JSON'
run stats --to json reads.conllu mixed.conllu
status 0
stdout <<'END'
{"file":"reads.conllu","sentences":1,"words":3,"mean_length":3.0000,"longest":3,"ranges":0,"empty_nodes":0,"labels":3,"unknown_heads":0,"partial":0,"invalid":0,"several_roots":0,"nonprojective_sentences":0,"nonprojective_arcs":0,"gap_degrees":[1],"buildable":{"arc-standard":1,"arc-eager":1,"arc-hybrid":1,"arc-eager-nm":1,"lr-spine":1,"attardi":1,"covington":1,"covington-nm":1,"pointer":1}}
{"file":"mixed.conllu","sentences":4,"words":17,"mean_length":4.2500,"longest":8,"ranges":1,"empty_nodes":1,"labels":8,"unknown_heads":0,"partial":0,"invalid":0,"several_roots":1,"nonprojective_sentences":1,"nonprojective_arcs":1,"gap_degrees":[3,1],"buildable":{"arc-standard":3,"arc-eager":3,"arc-hybrid":3,"arc-eager-nm":3,"lr-spine":3,"attardi":4,"covington":4,"covington-nm":4,"pointer":4}}
{"file":null,"sentences":5,"words":20,"mean_length":4.0000,"longest":8,"ranges":1,"empty_nodes":1,"labels":8,"unknown_heads":0,"partial":0,"invalid":0,"several_roots":1,"nonprojective_sentences":1,"nonprojective_arcs":1,"gap_degrees":[4,1],"buildable":{"arc-standard":4,"arc-eager":4,"arc-hybrid":4,"arc-eager-nm":4,"lr-spine":4,"attardi":5,"covington":5,"covington-nm":5,"pointer":5}}
END

begin 'JSON stays JSON whatever the name of the file'
name_of_bytes=$'a"\\\x01\xff\xc3\xa9\xed\xa0\x80\xf0\x9f\x8c\xb3.conllu'
cp reads.conllu "$name_of_bytes"
run stats --to json "$name_of_bytes"
status 0
claim test "$(cut -d , -f 1 out)" = \
    '{"file":"a\"\\\u0001\ufffdé\ufffd\ufffd\ufffd🌳.conllu"'

begin 'held to one root, no system builds two'
run stats --to json --single-root yes mixed.conllu
status 0
claim grep -qF '"buildable":{"arc-standard":2,"arc-eager":2,"arc-hybrid":2,"arc-eager-nm":2,"lr-spine":2,"attardi":3,"covington":3,"covington-nm":3,"pointer":3}' out

begin 'standard input, compressed input, CoNLL-X'
run stats --to json reads.conllu
tail -c +24 out >expected
gzip -k reads.conllu
run stats --to json reads.conllu.gz
status 0
claim cmp <(tail -c +27 out) expected
"$program" stats --to json - <reads.conllu.gz >out
claim cmp <(tail -c +26 out) expected
run stats --to json reads.conll
status 0
claim cmp <(tail -c +23 out) expected

begin 'partial trees'
run stats partial.conllu
status 0
stdout_file stats-partial.txt
run stats --to json partial.conllu
status 0
claim grep -qF '"labels":3,"unknown_heads":3,"partial":1,"invalid":1,"several_roots":0,"nonprojective_sentences":0,"nonprojective_arcs":0,"gap_degrees":[1],"buildable":{"arc-standard":2,"arc-eager":2,"arc-hybrid":2,"arc-eager-nm":2,"lr-spine":2,"attardi":2,"covington":2,"covington-nm":2,"pointer":2}' out

begin 'malformed input stops with file, line and reason'
run stats bad.conllu
status 1
stdout </dev/null
stderr <<'END'
dodona: bad.conllu:8: column 7 (HEAD): 'x' is neither a number nor _
END

begin 'malformed input skipped'
run stats --skip-bad --to json bad.conllu
status 0
claim grep -qF '"sentences":2,"words":6,' out
stderr <<'END'
dodona: warning: 1 malformed sentence skipped
END
run stats --skip-bad --quiet bad.conllu
status 0
stderr </dev/null
run stats --skip-bad --verbose bad.conllu
status 0
stderr <<'END'
dodona: warning: bad.conllu:8: column 7 (HEAD): 'x' is neither a number nor _
dodona: warning: 1 malformed sentence skipped
END

begin 'a file that does not exist'
run stats absent.conllu
status 1
stderr <<'END'
dodona: absent.conllu: No such file or directory
END

begin 'an input is not overwritten'
cp reads.conllu copy.conllu
run stats -o copy.conllu copy.conllu
status 2
stderr <<'END'
dodona: copy.conllu: is both input and output
END
claim cmp reads.conllu copy.conllu
