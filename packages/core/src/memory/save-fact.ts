/** Formats a fact as one line and inserts it into the text of a context file. */

export const FACTS_HEADING = '## Gemini Added Memories';

/** Empty when the fact has no text. */
export function factLine(fact: string): string {
  const words = fact
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\p{Bidi_Control}/gu, '')
    .replace(/^[\s\-–—•*]+/u, '')
    .trim();
  // A path after an `@` would be imported at the next start; as code it is not.
  return words.replace(/(?<=^|\s)@[^\s`]*[./][^\s`]*/g, '`$&`');
}

/** `text` with the fact as the last item under our heading, with the same line ends. */
export function withFact(text: string, line: string): string {
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const item = `- ${line}${end}`;
  const heading = findHeading(text);
  if (heading === undefined) {
    const before = text === '' ? '' : text.replace(/\s*$/, '') + end + end;
    return `${before}${FACTS_HEADING}${end}${item}`;
  }
  const nextHeading = /^#{1,2}\s/m.exec(text.slice(heading));
  const sectionEnd = nextHeading ? heading + nextHeading.index : text.length;
  const section = text.slice(0, sectionEnd).replace(/\s*$/, '');
  const rest = text.slice(sectionEnd);
  return section + end + item + (rest === '' ? '' : end + rest);
}

/** The offset after our heading. */
function findHeading(text: string): number | undefined {
  const match = new RegExp(`^${FACTS_HEADING}[ \\t]*$`, 'm').exec(text.replaceAll('\r', ' '));
  return match ? match.index + match[0].length : undefined;
}
