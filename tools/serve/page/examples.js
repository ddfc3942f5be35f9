// Sentences to begin with, by language; some are read as most people read them only with a constraint.

const EXAMPLES = {
  en: [
    {text: "I saw the man with the telescope."},
    {text: "Time flies like an arrow. Fruit flies like a banana."},
    {name: "“man” as a verb", text: "The old man the boats.", constraints: ["1: arc 0 root 3"]},
    {name: "a name as one span", text: "We read Pride and Prejudice and slept.", constraints: ["1: span 3 5 none"]},
    {text: "The oracle that the priests listened to never answered the king's question."},
  ],
  da: [{text: "Manden så pigen med kikkerten."}],
  de: [{text: "Der Mann sah das Mädchen mit dem Fernglas."}],
  es: [{text: "El hombre vio a la niña con el telescopio."}],
  fr: [{text: "L'homme a vu la fille avec le télescope."}],
  it: [{text: "L'uomo vide la ragazza con il telescopio."}],
  nl: [{text: "De man zag het meisje met de verrekijker."}],
  pt: [{text: "O homem viu a menina com o telescópio."}],
  sv: [{text: "Mannen såg flickan med kikaren."}],
};

export function examplesFor(model) {
  return EXAMPLES[model?.facts.language] ?? EXAMPLES.en;
}
