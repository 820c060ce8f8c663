/** Writes skills for tests. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface WrittenSkill {
  name?: string;
  description?: string;
  body?: string;
}

/** @returns the path of the SKILL.md */
export function writeSkill(
  root: string,
  folder: string,
  { name = folder, description = `Does ${folder}`, body = `Do ${folder}.` }: WrittenSkill = {},
): string {
  return writeText(
    join(root, folder, 'SKILL.md'),
    `---\nname: ${name}\ndescription: ${description}\n---\n\n${body}\n`,
  );
}

export function writeText(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}
