// How certain the parser is of each head: by its probability where the model knows it, else by the margin
// of its score over the next best, which means little by itself and is set against those of the whole text.

const NAMES = ["very uncertain", "uncertain", "fairly certain", "certain"];

function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? 0;
}

function levelOf(share, bounds) {
  return bounds.filter(bound => share >= bound).length;
}

// A function from a word to {level, text}, level from 0 to 3; null where nothing is known of it.
export function certainty(sentences) {
  const margins = sentences.flatMap(({words}) => words.map(word => word.score).filter(Number.isFinite));
  const usual = median(margins.map(Math.abs)) || 1;
  return word => {
    if (word.probability !== undefined) {
      const level = levelOf(word.probability, [0.5, 0.75, 0.9]);
      return {level, text: `${NAMES[level]}, probability ${Math.round(100 * word.probability)} %`};
    }
    if (word.score === undefined) return null;
    if (word.score === null) return {level: 3, text: "certain, there was no choice"};
    const level = levelOf(word.score / usual, [0.05, 0.25, 0.6]);
    return {level, text: `${NAMES[level]}, margin ${word.score}`};
  };
}
