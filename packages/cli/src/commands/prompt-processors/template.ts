/** Splits the template of a command file into text and placeholders. Inserted text is never parsed again. */

export type TemplatePiece =
  | { kind: 'text'; text: string }
  | { kind: 'args' }
  /** `!{…}`: a command, which may contain `{{args}}`. */
  | { kind: 'shell'; command: string }
  /** `@{…}`; `raw` is the placeholder as written. */
  | { kind: 'file'; path: string; raw: string };

export const ARGS = '{{args}}';

/** @throws Error for a placeholder that is never closed */
export function parseTemplate(template: string): TemplatePiece[] {
  const pieces: TemplatePiece[] = [];
  let textStart = 0;
  const addText = (end: number) => {
    if (end > textStart) pieces.push({ kind: 'text', text: template.slice(textStart, end) });
  };
  for (let at = 0; at < template.length; ) {
    const piece = pieceAt(template, at);
    if (!piece) {
      at++;
      continue;
    }
    addText(at);
    pieces.push(piece.piece);
    at = piece.end;
    textStart = at;
  }
  addText(template.length);
  return pieces;
}

function pieceAt(template: string, at: number): { piece: TemplatePiece; end: number } | undefined {
  if (template.startsWith(ARGS, at)) return { piece: { kind: 'args' }, end: at + ARGS.length };
  const isShell = template.startsWith('!{', at);
  if (!isShell && !template.startsWith('@{', at)) return undefined;
  const end = closingBrace(template, at + 1);
  const content = template.slice(at + 2, end).trim();
  const raw = template.slice(at, end + 1);
  const piece: TemplatePiece = isShell
    ? { kind: 'shell', command: content }
    : { kind: 'file', path: content, raw };
  return { piece, end: end + 1 };
}

/** Braces inside must balance; there is no escape. */
function closingBrace(template: string, open: number): number {
  let depth = 0;
  for (let at = open; at < template.length; at++) {
    if (template[at] === '{') depth++;
    else if (template[at] === '}' && --depth === 0) return at;
  }
  const line = template.slice(0, open).split('\n').length;
  throw new Error(`"${template.slice(open - 1, open + 1)}" in line ${line} of the prompt is never closed.`);
}
