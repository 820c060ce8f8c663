/** Removes terminal control sequences from text, even if stream chunks split a sequence. */

type State = 'text' | 'escape' | 'intermediate' | 'csi' | 'string' | 'string-escape';

const SUSPICIOUS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]|[\ud800-\udbff]$/;
const INVISIBLE = /[\u061c\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;
/** Introducers of strings (DCS, SOS, OSC, PM, APC): after ESC, and as single C1 characters. */
const STRING_AFTER_ESC = new Set(['P', 'X', ']', '^', '_']);
const STRING_C1 = new Set(['\u0090', '\u0098', '\u009d', '\u009e', '\u009f']);

/** Keeps text, TAB, LF and CR. */
export function stripAnsi(text: string): string {
  const stripper = new AnsiStripper();
  return stripper.push(text) + stripper.flush();
}

/** Also removes characters that reorder or hide text. */
export function sanitizeLine(text: string): string {
  return stripInvisible(stripAnsi(text));
}

/** Removes characters that reorder text or are invisible. */
export function stripInvisible(text: string): string {
  return text.replace(INVISIBLE, '');
}

export class AnsiStripper {
  private state: State = 'text';
  /** First half of a surrogate pair whose second half is in the next chunk. */
  private half = '';

  push(chunk: string): string {
    const input = this.half + chunk;
    this.half = '';
    if (this.state === 'text' && !SUSPICIOUS.test(input)) return input;
    let output = '';
    for (let at = 0; at < input.length; at++) {
      const char = input.charAt(at);
      if (at === input.length - 1 && char >= '\ud800' && char <= '\udbff' && this.state === 'text') {
        this.half = char;
      } else {
        output += this.step(char);
      }
    }
    return output;
  }

  /** Returns what is still held back at the end of a message; drops an unfinished sequence. */
  flush(): string {
    const rest = this.half;
    this.half = '';
    this.state = 'text';
    return rest;
  }

  private step(char: string): string {
    switch (this.state) {
      case 'text':
        return this.inText(char);
      case 'escape':
        return this.afterEscape(char);
      case 'intermediate':
        if (char >= ' ' && char <= '/') return '';
        return this.endSequence(char, char >= '0' && char <= '~');
      case 'csi':
        if (char >= ' ' && char <= '?') return '';
        return this.endSequence(char, char >= '@' && char <= '~');
      case 'string':
        return this.inString(char);
      case 'string-escape':
        this.state = 'text';
        return char === '\\' ? '' : this.afterEscape(char);
    }
  }

  private inText(char: string): string {
    if (char === '\u001b') this.state = 'escape';
    else if (char === '\u009b') this.state = 'csi';
    else if (STRING_C1.has(char)) this.state = 'string';
    else if (char === '\t' || char === '\n' || char === '\r') return char;
    else if (char >= ' ' && !(char >= '\u007f' && char <= '\u009f')) return char;
    return '';
  }

  private afterEscape(char: string): string {
    if (char === '[') this.state = 'csi';
    else if (STRING_AFTER_ESC.has(char)) this.state = 'string';
    else if (char >= ' ' && char <= '/') this.state = 'intermediate';
    else return this.endSequence(char, char >= '0' && char <= '~');
    return '';
  }

  /** A line break ends a string that is never closed; else it would swallow the whole answer. */
  private inString(char: string): string {
    if (char === '\u001b') this.state = 'string-escape';
    else if (char === '\u0007' || char === '\u009c') this.state = 'text';
    else if (char === '\n') return this.endSequence(char, false);
    return '';
  }

  /** @param belongs the character ends the sequence; otherwise it is text after a broken one */
  private endSequence(char: string, belongs: boolean): string {
    this.state = 'text';
    return belongs ? '' : this.inText(char);
  }
}
