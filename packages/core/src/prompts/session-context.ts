/** The first message of a session: date, system, folders. Sent once, before the first prompt. */
import { platform, release } from 'node:os';

export interface SessionFacts {
  date: Date;
  projectTempDir: string;
  directories: readonly string[];
  /** The project as a tree; empty when disabled. */
  tree: string;
  /** Text of the project's and the extensions' context files. */
  memory?: string;
}

export function describeSession({
  date,
  projectTempDir,
  directories,
  tree,
  memory = '',
}: SessionFacts): string {
  return [
    '<session_context>',
    `Date: ${localDay(date)}`,
    `Operating system: ${platform()} ${release()}`,
    `Temporary files: ${projectTempDir}`,
    `Workspace directories:\n${directories.map((directory) => `  - ${directory}`).join('\n')}`,
    ...(tree ? [`Directory tree:\n${tree}`] : []),
    ...(memory.trim() ? [`Instructions of this project:\n${memory.trim()}`] : []),
    '</session_context>',
  ].join('\n');
}

/** `2026-11-15`. By hand: the first use of a locale costs 16 ms. */
function localDay(date: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
