/** Puts the pieces of a headless prompt together. */

export interface PromptPieces {
  /** Text from stdin. */
  piped: string;
  /** From `-p` or the positional words. */
  typed: string;
}

/** Piped text, a blank line, typed text; either alone when the other is empty. */
export function joinPrompt({ piped, typed }: PromptPieces): string {
  if (piped === '' || typed === '') return piped + typed;
  return piped + separator(piped) + typed;
}

/** What to put after piped text so that exactly one blank line follows it. */
export function separator(piped: string): string {
  return piped.endsWith('\n') ? '\n' : '\n\n';
}

/** Slash commands come later; until then such a prompt goes to the model as it is. */
export function isSlashCommand(prompt: string): boolean {
  return prompt.startsWith('/') && !prompt.startsWith('//') && !prompt.startsWith('/*');
}
