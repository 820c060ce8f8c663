/** Parses the arguments of `gemini undo`. */

import { type UndoTarget, undoTarget } from '../../output/undo-text.js';

export interface UndoArguments extends UndoTarget {
  list: boolean;
  preview: boolean;
  yes: boolean;
  /** The undo is not recorded, for a full disk. */
  noRecord: boolean;
}

/** @returns what is wrong, as a string */
export function parseArguments(args: readonly string[]): UndoArguments | string {
  const result = { list: false, preview: false, yes: false, noRecord: false };
  const words: string[] = [];
  for (const arg of args) {
    if (arg === '--list') result.list = true;
    else if (arg === '--preview') result.preview = true;
    else if (arg === '--yes' || arg === '-y') result.yes = true;
    else if (arg === '--no-record') result.noRecord = true;
    else if (arg === '--debug' || arg === '-d') continue;
    else if (arg.startsWith('-'))
      return `unknown argument "${arg}". Choose from --list, --preview, --yes and --no-record.`;
    else words.push(arg);
  }
  const [ids, allowed] = words[0] === 'turn' ? [words.slice(1), 'turn '] : [words, ''];
  if (ids.length > 1) return `only one id is allowed: "${allowed}${ids[0]}" or "${allowed}${ids[1]}".`;
  return { ...undoTarget(words), ...result };
}
