/** A key as a program in an ordinary terminal expects it: our own terminal may report keys in newer forms. */
import type { Key } from './key.js';

/** `CSI … u` (Kitty) and `CSI 27 ; … ~` (modifyOtherKeys). */
const NEWER_FORM = /^\x1b\[(?:[\d:;]*u|27;\d+;\d+~)$/;
const PLAIN: Record<string, string> = {
  escape: '\x1b',
  enter: '\r',
  tab: '\t',
  backspace: '\x7f',
  space: ' ',
};

export function terminalBytes({ name, text, ctrl, alt, shift, sequence }: Key): string {
  if (!NEWER_FORM.test(sequence)) return sequence;
  if (name === 'tab' && shift) return '\x1b[Z';
  const typed = text !== '' ? text : (PLAIN[name] ?? (shift ? name.toUpperCase() : name));
  const bytes = ctrl && typed.length === 1 ? controlCode(typed) : typed;
  return alt ? `\x1b${bytes}` : bytes;
}

function controlCode(character: string): string {
  const code = character.toUpperCase().charCodeAt(0);
  if (character === ' ') return '\0';
  return code >= 0x40 && code < 0x60 ? String.fromCharCode(code - 0x40) : character;
}
