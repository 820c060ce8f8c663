/** Variables in front of a command that change what it runs. */
import { isRiskyVariable } from './risky-variables.js';
import type { Assignment } from './types.js';

/** False: allow rules do not look through it. */
export function isHarmlessAssignment({ name, value, literal }: Assignment): boolean {
  if (isRiskyVariable(name)) return false;
  // A text that is a command in waiting: arithmetic and `eval` would run it.
  return !(literal && /\$\(|`/.test(value));
}

/** The name is not in the text: it may be `PATH`. */
export const UNKNOWN_VARIABLE: Assignment = { name: '', value: '', literal: false };

const DESCRIPTOR_VARIABLE = /\{([A-Za-z_]\w*)(\[[^\]]*\])?\}(?=&?[<>])/g;

/**
 * `{PATH}>file` opens the file and writes the number of its descriptor to `PATH`. Looked for in the text, for the
 * grammar takes `{PATH}` for a word; one that stands in quotes is a name too many.
 */
export function descriptorVariables(text: string): Assignment[] {
  const joined = text.replaceAll('\\\n', '');
  return [...joined.matchAll(DESCRIPTOR_VARIABLE)].map(([, name = '', subscript]) =>
    // A subscript is arithmetic, which may set anything.
    subscript && !/^\[\w+\]$/.test(subscript) ? UNKNOWN_VARIABLE : { name, value: '', literal: false },
  );
}

/** A word that bash takes for such a variable and does not give to the command. */
export function isDescriptorVariable(source: string, behind: string): boolean {
  return (
    /^\{[A-Za-z_]\w*(?:\[[^\]]*\])?\}$/.test(source.replaceAll('\\\n', '')) && /^(?:\\\n)*[<>]/.test(behind)
  );
}
