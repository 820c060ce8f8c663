/** Loads the user's key bindings and reports what is wrong in their file. */
import { join } from 'node:path';
import { globalGeminiDir, type Variables } from '@gemini-cli/core';
import { setBindings } from '../../keys/bindings.js';
import { describeBindingProblem, readUserBindings } from '../../keys/user-file.js';

export function loadUserKeys(env: Variables, notice: (text: string) => void): void {
  const file = join(globalGeminiDir(env), 'keybindings.json');
  const { bindings, problems } = readUserBindings(file);
  setBindings(bindings);
  for (const problem of problems) notice(describeBindingProblem(file, problem));
}
