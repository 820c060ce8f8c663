/** Joins piped and typed text into the prompt of a headless run. */

export interface PromptPieces {
  /** Text from stdin. */
  piped: string;
  /** From `-p` or the positional words. */
  typed: string;
}

/** Piped text, a blank line, typed text; only one of them when the other is empty. */
export function joinPrompt({ piped, typed }: PromptPieces): string {
  if (piped === '' || typed === '') return piped + typed;
  return piped + separator(piped) + typed;
}

/** Makes exactly one blank line follow the piped text. */
export function separator(piped: string): string {
  return piped.endsWith('\n') ? '\n' : '\n\n';
}
