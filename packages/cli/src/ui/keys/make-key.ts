/** Builds keys from characters, control codes and modifier bits. */
import type { Key } from './key.js';

export interface Modifiers {
  ctrl: boolean;
  alt: boolean;
  shift: boolean;
  cmd: boolean;
}

const NO_MODIFIERS: Modifiers = { ctrl: false, alt: false, shift: false, cmd: false };

export function makeKey(name: string, sequence: string, modifiers: Partial<Modifiers> = {}, text = ''): Key {
  return { kind: 'key', name, ...NO_MODIFIERS, ...modifiers, text, sequence };
}

/** The modifier parameter of xterm and Kitty: 1 + bits. Super and Meta both count as Cmd. */
export function modifiersOf(parameter: number | undefined): Modifiers {
  const bits = Math.max(0, (parameter ?? 1) - 1);
  return {
    shift: (bits & 1) !== 0,
    alt: (bits & 2) !== 0,
    ctrl: (bits & 4) !== 0,
    cmd: (bits & (8 | 32)) !== 0,
  };
}

/** One typed character (grapheme). */
export function characterKey(text: string, sequence = text, alt = false): Key {
  if (text === ' ') return makeKey('space', sequence, { alt }, alt ? '' : ' ');
  const lower = text.toLowerCase();
  const isUpper = lower !== text && lower.toUpperCase() === text;
  return makeKey(isUpper ? lower : text, sequence, { alt, shift: isUpper }, alt ? '' : text);
}

/** C0 control characters and DEL. */
export function controlKey(code: number, sequence: string, alt = false): Key {
  switch (code) {
    case 0:
      return makeKey('space', sequence, { ctrl: true, alt });
    case 9:
      return makeKey('tab', sequence, { alt });
    case 13:
      return makeKey('enter', sequence, { alt });
    case 27:
      return makeKey('escape', sequence, { alt });
    case 127:
      return makeKey('backspace', sequence, { alt });
    default:
      // 1 to 26 are letters; 28 to 31 the signs after Z.
      return makeKey(String.fromCharCode(code + 64).toLowerCase(), sequence, { ctrl: true, alt });
  }
}
