/** Loads the prompt of `/init` on first use. */

export type InitPromptModule = typeof import('./prompts/init-prompt.js');

export function loadInitPrompt(): Promise<InitPromptModule> {
  return import('./prompts/init-prompt.js');
}
