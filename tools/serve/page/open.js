// A file of the reader's as a treebank: CoNLL-U as it is, byte for byte, or a text, which is parsed first.
import {Misfit} from "./conllu.js";

async function unpack(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return {name: file.name, bytes};
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  try {
    return {name: file.name.replace(/\.gz$/, ""), bytes: await new Response(unpacked).arrayBuffer()};
  } catch {
    throw new Misfit(`${file.name}: the gzip data are damaged`);
  }
}

// Without any change: a byte order mark stays, and what is not UTF-8 is refused.
function decode(name, bytes) {
  try {
    return new TextDecoder("utf-8", {fatal: true, ignoreBOM: true}).decode(bytes);
  } catch {
    throw new Misfit(`${name} is not UTF-8. Convert it first, for example by: iconv -f latin1 -t utf-8`);
  }
}

// The first line that is neither empty nor a comment decides.
function isConllu(text) {
  const line = /^(?!\ufeff?#)(?=[^\n]*\S)[^\n]*/m.exec(text)?.[0] ?? "";
  return line.split("\t").length === 10;
}

// parse(text) has the text's trees as CoNLL-U.
export async function readTreebank(file, parse) {
  const {name, bytes} = await unpack(file), text = decode(name, bytes);
  if (text.trim() === "") throw new Misfit(`${name} is empty`);
  if (isConllu(text)) return {name, text};
  return {name: `${name.replace(/\.[^.]*$/, "")}.conllu`, text: await parse(text)};
}
