#!/usr/bin/env python3
"""Makes function words heads, as most treebanks of the CoNLL shared tasks have them.

    function_heads.py <UD.conllu >FUNCTION_HEADS.conllu

A dependent `case`, `mark`, `aux`, `cop` or `det` without dependents of its own takes the place of its
head, which becomes its `comp`; of several the farthest comes out on top. Dependents of the head that lie
beyond the function word go with it, so a projective tree stays projective.
"""
import sys

FUNCTIONS = {'case', 'mark', 'aux', 'auxpass', 'cop', 'det'}


def is_function(label):
    return label.split(':')[0] in FUNCTIONS


def promote(heads, labels, content, functions):
    """The function words of one content word, the nearest first."""
    chain = [content]
    for word in functions:
        left = word < content
        for other, head in enumerate(heads):
            beyond = other < word if left else other > word
            if beyond and head in chain and other not in chain:
                heads[other] = word
        top = chain[-1]
        heads[word], labels[word] = heads[top], labels[top]
        heads[top], labels[top] = word, 'comp'
        chain.append(word)


def convert(rows):
    heads = [-1] + [int(row[6]) for row in rows]
    labels = [''] + [row[7] for row in rows]
    functions = {}
    for word in range(1, len(heads)):
        if heads[word] > 0 and word not in heads and is_function(labels[word]):
            functions.setdefault(heads[word], []).append(word)
    for content, words in functions.items():
        promote(heads, labels, content, sorted(words, key=lambda word: abs(word - content)))
    for row, head, label in zip(rows, heads[1:], labels[1:]):
        row[6], row[7], row[8], row[9] = str(head), label, '_', '_'


def main():
    for block in sys.stdin.read().split('\n\n'):
        rows = [line.split('\t') for line in block.split('\n') if line and line[0] != '#']
        rows = [row for row in rows if row[0].isdigit()]
        if rows:
            convert(rows)
            print('\n'.join('\t'.join(row) for row in rows), end='\n\n')


main()
