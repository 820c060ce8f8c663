/** Text of a server for the model: without what a user who reads the same text would not see. */
import { cleanTerminalText } from '../base/ansi.js';

/** Direction marks, zero-width characters and tags, which can hide instructions. */
const HIDDEN = /[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

export function cleanServerText(text: string): string {
  return cleanTerminalText(text).replace(HIDDEN, '');
}
