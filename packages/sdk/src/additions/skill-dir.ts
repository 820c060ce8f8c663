/** `skillDir()`: skills from the disk. */

export interface SkillReference {
  /** Relative to the folder of the agent. */
  readonly skillDir: string;
}

/** @param path a folder with `SKILL.md`, or one whose subfolders have one */
export function skillDir(path: string): SkillReference {
  if (typeof path !== 'string' || path === '') throw new TypeError('skillDir(): the path is empty.');
  return { skillDir: path };
}
