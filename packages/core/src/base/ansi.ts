/** Removes terminal control sequences from text. */

/** CSI; OSC up to its end; DCS, SOS, PM and APC strings; other two- and three-character escapes. */
const SEQUENCES =
  /\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b[PX^_][^\x1b]*(?:\x1b\\)?|\x1b[ -/]*[0-~]?/g;
/** All but tab, line feed and carriage return. */
const CONTROLS = /[\x01-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g;

function stripAnsi(text: string): string {
  return text.includes('\x1b') ? text.replace(SEQUENCES, '') : text;
}

/** Text without control sequences and control characters; a NUL becomes visible, so that words stay separate. */
export function cleanTerminalText(text: string): string {
  if (text.length <= PIECE_LENGTH) return cleanPiece(text);
  // In pieces: replacing millions of matches at once takes many times the memory of the text.
  const pieces: string[] = [];
  for (let start = 0; start < text.length; ) {
    const lineEnd = text.indexOf('\n', start + PIECE_LENGTH);
    const end = lineEnd < 0 || lineEnd > start + 2 * PIECE_LENGTH ? start + 2 * PIECE_LENGTH : lineEnd + 1;
    pieces.push(cleanPiece(text.slice(start, end)));
    start = end;
  }
  return pieces.join('');
}

const PIECE_LENGTH = 256 * 1024;

function cleanPiece(text: string): string {
  return stripAnsi(text).replaceAll('\0', '␀').replace(CONTROLS, '');
}

/** The same for a stream, in which a sequence may be split anywhere. */
export class AnsiStripper {
  private held = '';

  push(piece: string): string {
    const text = this.held + piece;
    const last = text.lastIndexOf('\x1b');
    const isOpen = last >= 0 && text.length - last < MAX_HELD && !isComplete(text.slice(last));
    this.held = isOpen ? text.slice(last) : '';
    return cleanTerminalText(isOpen ? text.slice(0, last) : text);
  }
}

/** A longer unfinished sequence is passed on as text. */
const MAX_HELD = 4096;

function isComplete(sequence: string): boolean {
  return /^\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07]*\x07|\\|[ -/]*[0-OQ-WYZ`-~])/.test(sequence);
}
