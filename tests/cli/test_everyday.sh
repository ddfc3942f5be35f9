# The sentences of everyday English in bench/ and what scores them. The scores are no test: they are reported.
bench=$here/../../bench

begin 'the annotation has no fault'
run check --level 3 "$bench/everyday.conllu"
status 0
stdout <<'END'
337 sentences, 3,176 words: no faults
END

begin 'a line of scores for the default model, and what is wrong'
if [ -f "$(dirname "$program")/models/english.dodona" ]; then
    claim env -u DODONA_MODEL DODONA="$program" "$bench/everyday.sh" -v >out
    claim test "$(sed -n 1p out | tr -s ' ')" = 'everyday Sentences Words UPOS Lemmas UAS LAS (tokens)'
    claim test "$(grep -cE '^default +([0-9]+\.[0-9]{2} *){7}$' out)" = 1
else
    skip 'the model is not there'
fi

begin 'mistakes in words and sentences'
cat >gold.conllu <<'END'
# sent_id = call
# text = Don't call. Write!
1-2	Don't	_	_	_	_	_	_	_	_
1	Do	do	AUX	_	_	3	aux	_	_
2	n't	not	PART	_	_	3	advmod	_	_
3	call	call	VERB	_	_	0	root	_	SpaceAfter=No
4	.	.	PUNCT	_	_	3	punct	_	_
5	Write	write	VERB	_	_	3	parataxis	_	SpaceAfter=No
6	!	!	PUNCT	_	_	5	punct	_	_

# sent_id = thanks
# text = Thanks
1	Thanks	thanks	NOUN	_	_	0	root	_	_

END
cat >system.conllu <<'END'
# sent_id = 1
# text = Don't call.
1	Don't	don't	AUX	_	_	2	aux	_	_
2	call	call	VERB	_	_	0	root	_	SpaceAfter=No
3	.	.	PUNCT	_	_	2	punct	_	_

# sent_id = 2
# text = Write! Thanks
1	Write	Write	PROPN	_	_	3	nmod:desc	_	SpaceAfter=No
2	!	!	PUNCT	_	_	1	punct	_	_
3	Thanks	thanks	NOUN	_	_	0	root	_	_

END
claim python3 "$bench/mistakes.py" gold.conllu system.conllu >out
ran=mistakes.py
stdout <<'END'
call: Don't call. Write!
    joined with the next sentence
    cut after .
    words: Don't (Do n't)
    Write: PROPN (VERB), Write (write), nmod of Thanks (parataxis of call)
thanks: Thanks
    joined with the sentence before
END

begin 'no mistakes'
claim python3 "$bench/mistakes.py" "$bench/everyday.conllu" "$bench/everyday.conllu" >out
ran=mistakes.py
stdout </dev/null
