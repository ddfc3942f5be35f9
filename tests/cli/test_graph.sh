# Arc-factored parsing: --system graph, which is no transition system.

examples=$here/../../examples
train=$examples/demo-train.conllu
test=$examples/demo-test.conllu
model=$root/graph.model
small='--scorer neural --width 16 --hidden 24 --batch-words 60'
"$program" train --only parser --system graph $small -q --iterations 8 -o "$model" "$train" ||
    { echo "Bail out! no model"; exit 1; }

begin 'training tells of labels, not of transitions'
run train --only parser --system graph $small --iterations 1 --dev "$test" -o one "$train"
status 0
claim grep -qE '^68 sentences, [0-9]+ words, [0-9]+ labels, single root: yes$' err
claim grep -qE '^parser  iteration  1/1  accuracy ' err

begin 'the same seed gives the same bytes, with any number of threads'
run train --only parser --system graph $small -q --iterations 2 -o one "$train"
run train --only parser --system graph $small -q --iterations 2 --threads 3 -o two "$train"
status 0
claim cmp one two

begin 'the model says what it is, and has no oracle'
run info "$model"
status 0
claim grep -qE '^system +graph$' out
claim grep -qE '^scorer +neural$' out
claim test "$(grep -cE '^(oracle|explore|beam|transitions)' out)" -eq 0

begin 'trees are trees, with scores, threads and pieces'
run parse -m "$model" -q -o parsed.conllu "$test"
status 0
run check parsed.conllu
claim test "$(grep -cE '\[(head|root)-' out)" -eq 0
run parse -m "$model" -q --threads 3 "$test"
claim cmp out parsed.conllu
run parse -m "$model" -q --scores "$test"
status 0
claim grep -qE 'Score=' out
run parse -m "$model" -q --max-words 4 "$test"
status 0
run parse -m "$model" -q --beam 1 --nbest 1 "$test"
status 0
run eval "$test" parsed.conllu
status 0

begin 'partial trees'
run train --only parser --system graph $small --iterations 3 -o partial.model partial.conllu
status 0
claim grep -qx '1 of these words have no head (_): nothing is learnt from them' err

begin 'of a tree with several roots one is learnt, if there is to be one'
run train --only parser --system graph $small --iterations 1 --single-root yes -o one.model mixed.conllu
status 0
claim grep -qF 'single root: yes' err
run parse -q -m one.model -o parsed.conllu mixed.conllu
status 0
run check parsed.conllu
claim test "$(grep -cE '\[(head|root)-(cycle|self|none|several)' out)" -eq 0

begin 'what makes no sense in training is refused'
refused() { # MESSAGE OPTION...
    local message=$1
    shift
    run train --only parser --system graph "$@" -o refused.model "$train"
    status 2
    claim test "$(head -n 1 err)" = "dodona: $message"
    claim test ! -e refused.model
}
refused 'system graph needs the scorer neural'
refused 'system graph needs the scorer neural' --scorer linear
refused 'system graph finds the best tree without a beam' --scorer neural --beam 4
refused 'system graph has no transitions, so no oracle' --scorer neural --oracle static
refused 'system graph builds all trees: nothing is lifted' --scorer neural --unbuildable lift
refused "graph has no loss 'upper'; it has only one, the exact one" --scorer neural --loss upper

begin 'there are no lists of trees'
run parse -m "$model" --beam 4 --nbest 2 "$test"
status 2
stderr <<'END'
dodona: graph has no beam and no list of trees: it finds the best tree itself
END

begin 'there are no transitions to show'
run trace -m "$model" "$test"
status 1
stderr <<'END'
dodona: a model of graph has no transitions to show
END
for command in trace oracle; do
    run $command --system graph "$test"
    status 2
    claim grep -qF "'graph'" err
done

begin 'required arcs, labels and forbidden arcs hold, and what cannot hold is refused'
words() { # CONSTRAINT...
    echo '# sent_id = s'
    for word; do echo "# constraint = $word"; done
    printf '%d\tw\tw\tNOUN\tNN\t_\t_\t_\t_\t_\n' 1 2 3 4
    echo
}
words 'arc 4 nsubj 1' 'arc 0 _ 3' 'not-arc 3 4' 'leaf 1' >in.conllu
run parse -q -m "$model" in.conllu
status 0
claim grep -qE '^1	w	w	NOUN	NN	_	4	nsubj	' out
claim grep -qE '^3	w	w	NOUN	NN	_	0	' out
claim grep -qE '^4	w	w	NOUN	NN	_	2	' out
words 'arc 1 _ 2' 'not-arc 0 1' 'not-arc 3 1' 'not-arc 4 1' >in.conllu
run parse -q -m "$model" in.conllu
status 1
stderr <<'END'
dodona: in.conllu:2: sentence 's': constraint 'arc 1 _ 2': cannot hold together with 'not-arc 0 1', 'not-arc 3 1', 'not-arc 4 1'
END
words 'span 2 3 any' >in.conllu
run parse -q -m "$model" in.conllu
status 1
stderr <<'END'
dodona: in.conllu:2: sentence 's': constraint 'span 2 3 any': graph takes no spans, as it scores each arc for itself
END
