/** Decides whether an assignment can change what commands run. */

import type { Assignment } from '../types.js';
import { isRiskyVariable } from './risky-variables.js';

export function isHarmlessAssignment({ name, value, literal }: Assignment): boolean {
  if (isRiskyVariable(name)) return false;
  // Arithmetic and `eval` would run a command substitution in the value.
  return !(literal && /\$\(|`/.test(value));
}

/** An assignment whose name is not in the text: it may be `PATH`. */
export const UNKNOWN_VARIABLE: Assignment = { name: '', value: '', literal: false };

const DESCRIPTOR_VARIABLE = /\{([A-Za-z_]\w*)(\[[^\]]*\])?\}(?=&?[<>])/g;

/**
 * `{PATH}>file` opens the file and stores its descriptor number in `PATH`. Searched in the text, because the grammar
 * reads `{PATH}` as a word; a match inside quotes is harmless, since it only makes the line ask.
 */
export function descriptorVariables(text: string): Assignment[] {
  const joined = text.replaceAll('\\\n', '');
  return [...joined.matchAll(DESCRIPTOR_VARIABLE)].map(([, name = '', subscript]) =>
    // A subscript is arithmetic, which can set any variable.
    subscript && !/^\[\w+\]$/.test(subscript) ? UNKNOWN_VARIABLE : { name, value: '', literal: false },
  );
}

/** True for a word that bash reads as such a variable and does not pass to the command. */
export function isDescriptorVariable(source: string, behind: string): boolean {
  return (
    /^\{[A-Za-z_]\w*(?:\[[^\]]*\])?\}$/.test(source.replaceAll('\\\n', '')) && /^(?:\\\n)*[<>]/.test(behind)
  );
}
