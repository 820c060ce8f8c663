/** Keys for tests, by name. */
import type { InputEvent, Key } from '../keys/key.js';
import { characterKey, type Modifiers, makeKey } from '../keys/make-key.js';

/** `enter`, `down`, `ctrl+o`, `shift+tab`, or one character. */
export function key(chord: string): Key {
  if ([...chord].length === 1) return characterKey(chord);
  const parts = chord.split('+');
  const name = parts.at(-1) ?? '';
  const modifiers: Partial<Modifiers> = Object.fromEntries(parts.slice(0, -1).map((part) => [part, true]));
  return makeKey(name, chord, modifiers, name === 'space' && parts.length === 1 ? ' ' : '');
}

export function typed(text: string): Key[] {
  return Array.from(text, (character) => characterKey(character));
}

export function pasted(text: string): InputEvent {
  return { kind: 'paste', text };
}
