/** Parses the arguments of `gemini undo`. */

export interface UndoArguments {
  /** An id, the beginning of one, or `last`. */
  id: string;
  list: boolean;
  preview: boolean;
  yes: boolean;
  /** The undo is not recorded, for a full disk. */
  noRecord: boolean;
}

/** @returns what is wrong, as a string */
export function parseArguments(args: readonly string[]): UndoArguments | string {
  const result: UndoArguments = { id: 'last', list: false, preview: false, yes: false, noRecord: false };
  let hasId = false;
  for (const arg of args) {
    if (arg === '--list') result.list = true;
    else if (arg === '--preview') result.preview = true;
    else if (arg === '--yes' || arg === '-y') result.yes = true;
    else if (arg === '--no-record') result.noRecord = true;
    else if (arg === '--debug' || arg === '-d') continue;
    else if (arg.startsWith('-'))
      return `unknown argument "${arg}". Choose from --list, --preview, --yes and --no-record.`;
    else if (hasId) return `only one id is allowed: "${result.id}" or "${arg}".`;
    else {
      result.id = arg;
      hasId = true;
    }
  }
  return result;
}
