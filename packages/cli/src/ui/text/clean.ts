/**
 * Makes text from outside safe to draw: removes escape sequences, control characters, and what reorders or hides text.
 * Milder than core's `visibleText`, which serves decisions: spaces and joiners of other languages are kept here.
 */

const SIMPLE =
  /^[\n\x20-\x7e\xa0-\xac\xae-\u02ff\u0370-\u0530\u2010-\u2027\u2030-\u205e\u3000-\u3163\u3165-\ud7a3\uff01-\uff60]*$/;
/** CSI, OSC and other string sequences, and short ones; an unfinished one ends with the line. */
const SEQUENCES =
  /\x1b\[[0-?]*[ -/]*[@-~]?|\x1b[\]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\)?|\x1b[ -/]*[0-~]?|\x9b[0-?]*[ -/]*[@-~]?/g;
const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;
/** Bidi controls, fillers, invisible operators, tags, private use and lone surrogates. */
const DECEIVING =
  /[\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{e0000}-\u{e0fff}\p{Co}\p{Cs}]/gu;
/** The flags of England, Scotland and Wales are spelled with tags. */
const TAGGED_FLAG = /\u{1f3f4}[\u{e0061}-\u{e007a}\u{e0030}-\u{e0039}]{1,6}\u{e007f}/gu;

const TAB_STOP = 4;

/** Keeps line breaks; tabs become spaces up to the next multiple of four. */
export function cleanText(text: string): string {
  if (SIMPLE.test(text)) return text;
  const plain = text.replace(/\r\n?/g, '\n').replace(SEQUENCES, '').replace(CONTROLS, '');
  return expandTabs(markDeceiving(plain));
}

/** For one line: line breaks become spaces. */
export function cleanLine(text: string): string {
  return cleanText(text).replace(/\s*\n\s*/g, ' ');
}

function markDeceiving(text: string): string {
  if (SIMPLE.test(text)) return text;
  if (text.search(DECEIVING) < 0) return text;
  let shown = '';
  let end = 0;
  for (const flag of text.matchAll(TAGGED_FLAG)) {
    shown += escapeDeceiving(text.slice(end, flag.index)) + flag[0];
    end = flag.index + flag[0].length;
  }
  return shown + escapeDeceiving(text.slice(end));
}

function escapeDeceiving(text: string): string {
  return text.replace(
    DECEIVING,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}}`,
  );
}

function expandTabs(text: string): string {
  if (!text.includes('\t')) return text;
  return text
    .split('\n')
    .map((line) => {
      if (!line.includes('\t')) return line;
      let out = '';
      for (const [index, part] of line.split('\t').entries()) {
        if (index > 0) out += ' '.repeat(TAB_STOP - (out.length % TAB_STOP));
        out += part;
      }
      return out;
    })
    .join('\n');
}
