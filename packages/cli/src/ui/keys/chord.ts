/** A key with its modifiers as users write it: `ctrl+shift+z`. */
import type { Key } from './key.js';
import type { Modifiers } from './make-key.js';

export interface Chord extends Modifiers {
  name: string;
}

const MODIFIERS: Readonly<Record<string, keyof Modifiers>> = {
  ctrl: 'ctrl',
  shift: 'shift',
  alt: 'alt',
  opt: 'alt',
  option: 'alt',
  cmd: 'cmd',
  meta: 'cmd',
};

const NAMED = new Set([
  ...['up', 'down', 'left', 'right', 'home', 'end', 'pageup', 'pagedown', 'enter', 'escape', 'tab', 'space'],
  ...[
    'backspace',
    'delete',
    'clear',
    'insert',
    'printscreen',
    'capslock',
    'numlock',
    'scrolllock',
    'pausebreak',
  ],
  ...Array.from({ length: 35 }, (_, index) => `f${index + 1}`),
  ...Array.from({ length: 10 }, (_, digit) => `numpad${digit}`),
  ...['add', 'subtract', 'multiply', 'divide', 'decimal', 'equal', 'separator'].map(
    (name) => `numpad_${name}`,
  ),
]);
/** Aliases. */
const SYNONYMS: Readonly<Record<string, string>> = { esc: 'escape', return: 'enter', ' ': 'space' };

/** @returns why it is not a key */
export function parseChord(text: string): Chord | string {
  const chord: Chord = { name: '', ctrl: false, alt: false, shift: false, cmd: false };
  let rest = text.trim().toLowerCase();
  for (let plus = rest.indexOf('+', 1); plus > 0; plus = rest.indexOf('+', 1)) {
    const word = rest.slice(0, plus);
    const modifier = MODIFIERS[word];
    if (!modifier) return `"${word}" is not a modifier; use ctrl, shift, alt or cmd.`;
    chord[modifier] = true;
    rest = rest.slice(plus + 1);
  }
  const name = SYNONYMS[rest] ?? rest;
  if (!NAMED.has(name) && [...name].length !== 1) {
    return name === '' ? 'The key after the modifiers is missing.' : `"${rest}" is not a key.`;
  }
  chord.name = name;
  return chord;
}

/** Modifiers must match exactly. */
export function matches(key: Key, chord: Chord): boolean {
  return (
    key.name === chord.name &&
    key.ctrl === chord.ctrl &&
    key.alt === chord.alt &&
    key.shift === chord.shift &&
    key.cmd === chord.cmd
  );
}

export function sameChord(one: Chord, other: Chord): boolean {
  return matches({ kind: 'key', text: '', sequence: '', ...one }, other);
}

const SHOWN: Readonly<Record<string, string>> = {
  escape: 'Esc',
  pageup: 'PageUp',
  pagedown: 'PageDown',
};

/** `Ctrl+Shift+Z`, as in help. */
export function describeChord(chord: Chord, platform: NodeJS.Platform = process.platform): string {
  const words = [
    ...(chord.ctrl ? ['Ctrl'] : []),
    ...(chord.cmd ? [platform === 'darwin' ? 'Cmd' : 'Meta'] : []),
    ...(chord.alt ? [platform === 'darwin' ? 'Option' : 'Alt'] : []),
    ...(chord.shift ? ['Shift'] : []),
    SHOWN[chord.name] ?? chord.name.charAt(0).toUpperCase() + chord.name.slice(1),
  ];
  return words.join('+');
}
