/** Translates one complete control sequence into an event. */
import type { InputEvent, Key } from './key.js';
import { BY_LETTER, BY_NUMBER, KEYPAD, keyOfCode } from './key-names.js';
import { makeKey, modifiersOf } from './make-key.js';
import { mouseEvent } from './mouse.js';

const RXVT: Readonly<Record<string, { ctrl?: boolean; shift?: boolean }>> = {
  $: { shift: true },
  '^': { ctrl: true },
  '@': { ctrl: true, shift: true },
};
const RXVT_ARROWS: Readonly<Record<string, string>> = { a: 'up', b: 'down', c: 'right', d: 'left' };
/** Final letters that only terminals send, in reply to a query. */
const ANSWERS = new Set(['c', 'n', 't', 'x', 'y', 'q', 'W']);

/** @param body between `CSI` and `final` @returns undefined: not a key press (e.g. a key released) */
export function csiEvent(body: string, final: string, sequence: string): InputEvent | undefined {
  if (body.startsWith('<')) return mouseEvent(body.slice(1), final === 'm');
  if (/^[?>=]/.test(body) || /[ -/]/.test(body) || ANSWERS.has(final)) return { kind: 'answer', sequence };
  const parameters = body === '' ? [] : body.split(';').map((part) => part.split(':').map(Number));
  const first = parameters[0]?.[0];
  // Kitty event type 3: the key was released.
  if (parameters[1]?.[1] === 3) return undefined;
  const modifiers = modifiersOf(parameters[1]?.[0]);

  if (final === 'I' || final === 'O') {
    if (body === '') return { kind: 'focus', focused: final === 'I' };
  }
  if (final === 'Z') return makeKey('tab', sequence, { ...modifiers, shift: true });
  if (final === 'u') return codedKey(parameters, sequence);
  if (final === '~' && first === 27)
    return codedKey([[parameters[2]?.[0] ?? 0], parameters[1] ?? []], sequence);
  if (final === '~' || RXVT[final]) {
    const name = BY_NUMBER[first ?? 0];
    return name ? makeKey(name, sequence, { ...modifiers, ...RXVT[final] }) : unknownKey(sequence);
  }
  const arrow = RXVT_ARROWS[final];
  if (arrow) return makeKey(arrow, sequence, { shift: true });
  if (final === 'R' && isCursorReport(parameters)) return { kind: 'answer', sequence };
  const name = BY_LETTER[final];
  return name ? makeKey(name, sequence, modifiers) : unknownKey(sequence);
}

export function ss3Event(body: string, final: string, sequence: string): Key {
  const modifiers = modifiersOf(body === '' ? undefined : Number(body));
  const arrow = RXVT_ARROWS[final];
  if (arrow) return makeKey(arrow, sequence, { ctrl: true });
  const name = BY_LETTER[final];
  if (name) return makeKey(name, sequence, modifiers);
  const keypad = KEYPAD[final];
  if (!keypad) return unknownKey(sequence);
  return makeKey(keypad, sequence, modifiers, keypad === 'enter' ? '' : keypad);
}

/** An unknown key inserts nothing and has no command, but a process that has the keyboard gets it. */
export function unknownKey(sequence: string): Key {
  return makeKey('unknown', sequence);
}

/** `CSI 1;2R` is also Shift+F3; the program never asks for the cursor position, so it is read as the key. */
function isCursorReport(parameters: readonly number[][]): boolean {
  const [row, column] = [parameters[0]?.[0], parameters[1]?.[0]];
  return parameters.length === 2 && !(row === 1 && column !== undefined && column >= 2 && column <= 16);
}

/** `CSI code:shifted:base ; modifiers:event ; text u`. */
function codedKey(parameters: readonly number[][], sequence: string): Key | undefined {
  const [code = 0, shifted, base] = parameters[0] ?? [];
  const bits = (parameters[1]?.[0] || 1) - 1;
  const modifiers = modifiersOf(bits + 1);
  const known = keyOfCode(code);
  if (!known) return undefined;
  const isChord = modifiers.ctrl || modifiers.alt || modifiers.cmd;
  // Ctrl+С on a Cyrillic keyboard is Ctrl+C: the key's position counts.
  const name = isChord && code > 127 && base ? (keyOfCode(base)?.name ?? known.name) : known.name;
  const lower = name.length === 1 || name.codePointAt(0) === code ? name.toLowerCase() : name;
  const wasUpper = lower !== name;
  const given = (parameters[2] ?? []).filter((point) => point > 31 && point !== 127 && point <= 0x10ffff);
  const text = given.length > 0 ? String.fromCodePoint(...given) : typedText(known.text, bits, shifted);
  return makeKey(lower, sequence, { ...modifiers, shift: modifiers.shift || wasUpper }, isChord ? '' : text);
}

const SHIFT = 1;
const CAPS_LOCK = 64;

function typedText(plain: string, bits: number, shifted: number | undefined): string {
  if (plain === '') return '';
  const isShifted = (bits & SHIFT) !== 0;
  if (isShifted && shifted) return keyOfCode(shifted)?.text ?? plain;
  return isShifted !== ((bits & CAPS_LOCK) !== 0) ? plain.toUpperCase() : plain;
}
