/**
 * Parses raw terminal bytes into keys, pastes, mouse, focus and answers. Bytes arrive in pieces of any size.
 *
 * It has no timers: after each chunk the caller checks `waiting` and calls `flush()` when nothing more has come for a
 * short time (`escape`: about 50 ms; `paste`: some seconds, its end was lost).
 */
import { StringDecoder } from 'node:string_decoder';
import { graphemeSegmenter } from '../text/segmenter.js';
import { csiEvent, ss3Event, unknownKey } from './escape-sequence.js';
import type { InputEvent } from './key.js';
import { characterKey, controlKey, makeKey } from './make-key.js';
import { oldMouseEvent } from './mouse.js';

const ESC = '\x1b';
const PASTE_END = '\x1b[201~';
/** More than a user types at once: it becomes one key without a name. */
const LONG_RUN = 64;
/** Longer than any answer but the clipboard's. */
const LONGEST_ANSWER = 32 * 1024 * 1024;
const LONGEST_SEQUENCE = 256;
/** A Mac without Meta sends these for Option+B, F and M. */
const MAC_OPTION: Readonly<Record<string, string>> = { '∫': 'b', ƒ: 'f', µ: 'm' };

export interface KeyParserOptions {
  platform?: NodeJS.Platform;
  /** Gets a sequence that is longer than any key's. */
  onOverflow?: (sequence: string) => void;
}

export class KeyParser {
  private readonly decoder = new StringDecoder('utf8');
  private readonly isMac: boolean;
  private pending = '';
  private paste: string[] | undefined;
  /** Long answers come in many pieces; each piece is scanned once. */
  private scanned = 0;

  constructor(private readonly options: KeyParserOptions = {}) {
    const { platform = process.platform } = options;
    this.isMac = platform === 'darwin';
  }

  /** What `flush()` would end. */
  get waiting(): 'nothing' | 'escape' | 'paste' {
    if (this.paste) return 'paste';
    return this.pending === '' ? 'nothing' : 'escape';
  }

  feed(chunk: Uint8Array | string): InputEvent[] {
    this.pending += typeof chunk === 'string' ? chunk : this.decoder.write(Buffer.from(chunk));
    return this.read();
  }

  /** No more bytes came: a pending Escape was the key; a paste without its end is over. */
  flush(): InputEvent[] {
    if (this.paste) {
      const text = this.paste.join('') + this.pending;
      this.paste = undefined;
      this.pending = '';
      return [{ kind: 'paste', text }];
    }
    const { pending } = this;
    // A sequence that has certainly started is still arriving, on a slow line.
    if (pending === '' || /^\x1b\x1b?(?:\[[^\x1b]|\][\d]|P[^\x1b]|_G|O[\d])/.test(pending)) return [];
    this.pending = '';
    this.scanned = 0;
    if (pending.startsWith('\x1b\x1b')) {
      this.pending = pending.slice(1);
      return [controlKey(27, ESC), ...this.flush()];
    }
    if (pending === ESC) return [controlKey(27, ESC)];
    // Alt with a letter that could have started a sequence; the rest was typed.
    const [key, rest] = [characterKey(pending.charAt(1), pending.slice(0, 2), true), pending.slice(2)];
    return [key, ...this.feed(rest)];
  }

  private read(): InputEvent[] {
    const events: InputEvent[] = [];
    while (this.pending !== '') {
      if (this.paste) {
        if (!this.readPaste(events)) break;
        continue;
      }
      const code = this.pending.charCodeAt(0);
      if (code === 27) {
        const used = this.readEscape(events);
        if (used === 0) break;
        this.take(used);
      } else if (code < 32 || code === 127) {
        events.push(controlKey(code, this.take(1)));
      } else {
        this.readText(events);
      }
    }
    return events;
  }

  private take(count: number): string {
    const taken = this.pending.slice(0, count);
    this.pending = this.pending.slice(count);
    this.scanned = 0;
    return taken;
  }

  private readPaste(events: InputEvent[]): boolean {
    const end = this.pending.indexOf(PASTE_END);
    if (end < 0) {
      // The end marker may be split over two pieces.
      const keep = partialEnd(this.pending);
      this.paste?.push(this.pending.slice(0, this.pending.length - keep));
      this.pending = keep > 0 ? this.pending.slice(-keep) : '';
      return false;
    }
    this.paste?.push(this.pending.slice(0, end));
    events.push({ kind: 'paste', text: this.paste?.join('') ?? '' });
    this.paste = undefined;
    this.take(end + PASTE_END.length);
    return true;
  }

  private readText(events: InputEvent[]): void {
    const length = /^[^\x00-\x1f\x7f]+/.exec(this.pending)?.[0].length ?? 1;
    const run = this.take(length);
    if (run.length > LONG_RUN) {
      events.push(makeKey('', run, {}, run.replace(/[\x80-\x9f]/g, '')));
      return;
    }
    for (const segment of charactersOf(run)) {
      const option = this.isMac ? MAC_OPTION[segment] : undefined;
      if (option) events.push(makeKey(option, segment, { alt: true }));
      // C1 control characters are neither text nor keys.
      else if (!/^[\x80-\x9f]/.test(segment)) events.push(characterKey(segment));
    }
  }

  /** @returns how many characters were used; 0: more are needed */
  private readEscape(events: InputEvent[]): number {
    const { pending } = this;
    const second = pending[1];
    if (second === undefined) return 0;
    switch (second) {
      case ESC:
        return this.readDoubleEscape(events);
      case '[':
        return this.readCsi(events, 0);
      case 'O':
        return this.readSs3(events, 0);
      case ']':
      case 'P':
      case '_':
      case '^':
      case 'X':
        return this.readString(events);
      default: {
        const code = second.charCodeAt(0);
        if (code < 32 || code === 127) {
          events.push(controlKey(code, pending.slice(0, 2), true));
          return 2;
        }
        const character = String.fromCodePoint(pending.codePointAt(1) ?? code);
        events.push(characterKey(character, ESC + character, true));
        return 1 + character.length;
      }
    }
  }

  /** Escape twice, or Alt with a key that sends a sequence of its own. */
  private readDoubleEscape(events: InputEvent[]): number {
    const third = this.pending[2];
    if (third === undefined) return 0;
    if (third !== '[' && third !== 'O') {
      events.push(controlKey(27, ESC));
      return 1;
    }
    const inner: InputEvent[] = [];
    const used = third === '[' ? this.readCsi(inner, 1) : this.readSs3(inner, 1);
    if (this.paste) events.push(controlKey(27, ESC));
    for (const event of inner) {
      if (event.kind === 'key') {
        events.push({ ...event, alt: true, text: '', sequence: ESC + event.sequence });
      } else {
        events.push(controlKey(27, ESC), event);
      }
    }
    return used === 0 ? 0 : used + 1;
  }

  /** @param from the position of its Escape @returns its length from there */
  private readCsi(events: InputEvent[], from: number): number {
    const { pending } = this;
    const start = from + 2;
    if (pending.startsWith('[', start)) {
      // The Linux console: F1 to F5.
      const letter = pending[start + 1];
      if (letter === undefined) return 0;
      const index = 'ABCDE'.indexOf(letter);
      const sequence = pending.slice(from, start + 2);
      events.push(index >= 0 ? makeKey(`f${index + 1}`, sequence) : unknownKey(sequence));
      return 4;
    }
    if (pending.startsWith('M', start)) {
      if (pending.length < start + 4) return 0;
      const event = oldMouseEvent(pending.slice(start + 1, start + 4));
      events.push(event);
      return 6;
    }
    let at = start;
    while (at < pending.length && isParameter(pending.charCodeAt(at))) at++;
    const body = pending.slice(start, at);
    const final = pending[at];
    if (final === undefined) {
      if (at - start <= LONGEST_SEQUENCE) return 0;
      const sequence = pending.slice(from, at);
      this.options.onOverflow?.(sequence);
      events.push(unknownKey(sequence));
      return at - from;
    }
    if (final === '$' && /^[2-8]$/.test(body)) {
      const event = csiEvent(body, '$', pending.slice(from, at + 1));
      if (event) events.push(event);
      return at + 1 - from;
    }
    let end = at;
    while (end < pending.length && isIntermediate(pending.charCodeAt(end))) end++;
    const last = pending[end];
    if (last === undefined) return end - start <= LONGEST_SEQUENCE ? 0 : end - from;
    // Another control character aborts the sequence: the sequence is dropped, the control character counts.
    if (last < '@' || last > '~') return end - from;
    const sequence = pending.slice(from, end + 1);
    if (last === '~' && body === '200') this.paste = [];
    else if (!(last === '~' && body === '201')) {
      const event = csiEvent(pending.slice(start, end), last, sequence);
      if (event) events.push(event);
    }
    return end + 1 - from;
  }

  private readSs3(events: InputEvent[], from: number): number {
    const match = /^(\d{0,2})([\x40-\x7e])?/.exec(this.pending.slice(from + 2, from + 5));
    const body = match?.[1] ?? '';
    const final = match?.[2];
    const length = 2 + body.length;
    if (final !== undefined) {
      const sequence = this.pending.slice(from, from + length + 1);
      events.push(ss3Event(body, final, sequence));
      return length + 1;
    }
    if (this.pending.length <= from + length) return 0;
    events.push(characterKey('O', `${ESC}O`, true));
    return 2;
  }

  /** OSC, DCS, APC, PM, SOS: up to `ST` or BEL. */
  private readString(events: InputEvent[]): number {
    const { pending } = this;
    for (let at = Math.max(2, this.scanned); at < pending.length; at++) {
      const code = pending.charCodeAt(at);
      if (code === 7 || code === 0x9c) {
        events.push({ kind: 'answer', sequence: pending.slice(0, at + 1) });
        return at + 1;
      }
      if (code === 27) {
        if (at + 1 >= pending.length) {
          this.scanned = at;
          return 0;
        }
        if (pending[at + 1] === '\\') {
          events.push({ kind: 'answer', sequence: pending.slice(0, at + 2) });
          return at + 2;
        }
        return at === 2 ? this.altLetter(events) : at;
      }
      // Answers contain no other control characters: it was Alt with this letter, or an aborted answer.
      if (code < 32 || code === 127) return at === 2 ? this.altLetter(events) : at;
    }
    this.scanned = pending.length;
    return pending.length > LONGEST_ANSWER ? pending.length : 0;
  }

  private altLetter(events: InputEvent[]): number {
    const sequence = this.pending.slice(0, 2);
    events.push(characterKey(sequence.charAt(1), sequence, true));
    return 2;
  }
}

function isParameter(code: number): boolean {
  return code >= 0x30 && code <= 0x3f;
}

function isIntermediate(code: number): boolean {
  return code >= 0x20 && code <= 0x2f;
}

/** How many characters at the end may start the paste's end marker. */
function partialEnd(text: string): number {
  for (let length = Math.min(PASTE_END.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(PASTE_END.slice(0, length))) return length;
  }
  return 0;
}

/** Plain letters are inserted as they are. */
function charactersOf(run: string): string[] {
  if (/^[\x20-\x7e]*$/.test(run)) return [...run];
  return Array.from(graphemeSegmenter().segment(run), ({ segment }) => segment);
}
