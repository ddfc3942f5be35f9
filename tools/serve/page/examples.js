// Sentences to begin with, by language; some are read as most people read them only with a constraint.

const EXAMPLES = {
  en: [
    {text: "I saw the man with the telescope."},
    {text: "Time flies like an arrow. Fruit flies like a banana."},
    {name: "“man” as a verb", text: "The old man the boats.", constraints: ["1: arc 0 root 3"]},
    {name: "a name as one span", text: "We read Pride and Prejudice and slept.", constraints: ["1: span 3 5 none"]},
    {text: "The oracle that the priests listened to never answered the king's question."},
  ],
  cy: [{text: "Mae'r plant yn darllen llyfr yn yr ardd."}],
  da: [{text: "Manden så pigen med kikkerten."}, {text: "Børnene læser en bog i haven."}],
  de: [{text: "Der Mann sah das Mädchen mit dem Fernglas."}, {text: "Die Kinder lesen ein Buch im Garten."}],
  es: [{text: "El hombre vio a la niña con el telescopio."}],
  fa: [{text: "کودکان در باغ کتاب می‌خوانند."}],
  fi: [{text: "Lapset lukevat kirjaa puutarhassa."}],
  fr: [{text: "L'homme a vu la fille avec le télescope."}, {text: "Les enfants lisent un livre dans le jardin."}],
  ga: [{text: "Tá na páistí ag léamh leabhair sa ghairdín."}],
  gd: [{text: "Tha a' chlann a' leughadh leabhar anns a' ghàrradh."}],
  hr: [{text: "Djeca čitaju knjigu u vrtu."}],
  id: [{text: "Anak-anak membaca buku di taman."}],
  is: [{text: "Börnin lesa bók í garðinum."}],
  it: [{text: "L'uomo vide la ragazza con il telescopio."}],
  ja: [{text: "子どもたちは庭で本を読む。"}],
  lv: [{text: "Bērni lasa grāmatu dārzā."}],
  nb: [{text: "Barna leser en bok i hagen."}],
  nl: [{text: "De man zag het meisje met de verrekijker."}, {text: "De kinderen lezen een boek in de tuin."}],
  nn: [{text: "Ungane les ei bok i hagen."}],
  pl: [{text: "Dzieci czytają książkę w ogrodzie."}],
  pt: [{text: "O homem viu a menina com o telescópio."}, {text: "As crianças leem um livro no jardim."}],
  ro: [{text: "Copiii citesc o carte în grădină."}],
  ru: [{text: "Дети читают книгу в саду."}],
  sk: [{text: "Deti čítajú knihu v záhrade."}],
  sl: [{text: "Otroci berejo knjigo na vrtu."}],
  sv: [{text: "Mannen såg flickan med kikaren."}, {text: "Barnen läser en bok i trädgården."}],
  tr: [{text: "Çocuklar bahçede kitap okuyor."}],
  uk: [{text: "Діти читають книгу в саду."}],
  zh: [{text: "孩子們在花園裡看書。"}],
};

export function examplesFor(model) {
  return EXAMPLES[model?.facts.language] ?? EXAMPLES.en;
}
