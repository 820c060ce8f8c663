/** What a skill is, where skills come from, and what can be wrong with one. */

import type { FileMemory } from '../platform/files/file-memory.js';

/** Low to high: of two skills with the same name, the one from the later source counts. */
export type SkillSource = 'builtin' | 'extension' | 'user' | 'workspace' | 'program';

export interface SkillDefinition {
  /** Unique without regard to case. */
  name: string;
  /** Decides when the model activates it. */
  description: string;
  /** Absolute path of its SKILL.md. */
  location: string;
  /** The instructions; read from the file when first used. @throws UserError when they cannot be read any more */
  readonly body: string;
  /** Off until the user enables it. */
  disabled?: boolean;
  isBuiltin?: boolean;
  extensionName?: string;
  source?: SkillSource;
  /** False: it has no slash command. */
  userInvocable?: boolean;
  /** True: the model is not told about it; only the user activates it. */
  disableModelInvocation?: boolean;
  /** Fields of the open standard that have no effect: license, compatibility, metadata, allowed-tools. */
  details?: Readonly<Record<string, string>>;
}

/** A folder whose `SKILL.md` and `<name>/SKILL.md` are skills. */
export interface SkillRoot {
  dir: string;
  source: SkillSource;
  extensionName?: string;
  /** Replaces `${key}` in the texts of its skills; other placeholders stay. */
  variables?: Readonly<Record<string, string>>;
  /** What earlier starts have read. */
  memory?: FileMemory;
}

export interface SkillProblem {
  file: string;
  /** Continues the sentence that begins with the file. */
  message: string;
  /** `error`: the skill is not loaded. */
  severity: 'error' | 'warning';
}
