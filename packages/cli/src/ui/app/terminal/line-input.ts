/** Input of a terminal that edits lines itself: whole lines, for the prompt or as keys for an open question. */
import { StringDecoder } from 'node:string_decoder';
import type { Key } from '../../keys/key.js';
import { characterKey, makeKey } from '../../keys/make-key.js';

/** A backslash at the end of a line continues it on the next one. */
export class LineInput {
  private readonly decoder = new StringDecoder('utf8');
  private rest = '';
  private readonly continued: string[] = [];

  constructor(private readonly onLine: (line: string) => void) {}

  feed(chunk: Buffer): void {
    const pieces = (this.rest + this.decoder.write(chunk)).split(/\r\n|\r|\n/);
    this.rest = pieces.pop() ?? '';
    for (const piece of pieces) {
      if (piece.endsWith('\\')) this.continued.push(piece.slice(0, -1));
      else this.onLine([...this.continued.splice(0), piece].join('\n'));
    }
  }
}

/** `1` selects at once, `esc` cancels, an empty line confirms; other text is typed and confirmed. */
export function keysOfLine(line: string): Key[] {
  const enter = makeKey('enter', '\r');
  if (line === '') return [enter];
  if (/^esc(ape)?$/i.test(line.trim())) return [makeKey('escape', '\x1b')];
  const typed = Array.from(line, (character) => characterKey(character));
  return typed.length === 1 ? typed : [...typed, enter];
}
