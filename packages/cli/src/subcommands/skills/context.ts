/** What the verbs of `gemini skills` work with. */
import {
  globalGeminiDir,
  type LoadedSettings,
  type SkillInstallation,
  type Variables,
} from '@gemini-cli/core';

export interface SkillsContext {
  installation: SkillInstallation;
  settings: LoadedSettings;
  isTrusted: boolean;
  cwd: string;
  variables: Variables;
  home: string;
  /** Folders with skills of the active extensions. */
  extensionRoots: () => Promise<readonly { dir: string; extensionName: string }[]>;
  /** Undefined when the user cannot be asked, as in a pipe. */
  ask?: ((question: string) => Promise<boolean>) | undefined;
}

export function placesOf({ variables, cwd }: SkillsContext) {
  return { globalDir: globalGeminiDir(variables), projectRoot: cwd };
}
