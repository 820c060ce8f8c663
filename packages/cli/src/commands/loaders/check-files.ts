/** What is wrong with the command files of a folder, for their author. */
import { messageOf } from '@gemini-cli/core';
import { findCommandFiles } from './command-files.js';
import { parseCommandFile } from './file.js';

export interface CommandFileProblem {
  level: 'warning';
  message: string;
  file: string;
  /** Counted from 1. */
  line?: number;
}

export async function checkCommandFiles(folder: string): Promise<CommandFileProblem[]> {
  const problems: CommandFileProblem[] = [];
  const seen = new Map<string, string>();
  for (const { path, name } of findCommandFiles(folder)) {
    const warn = (message: string, line?: number) =>
      void problems.push({ level: 'warning', message, file: path, ...(line !== undefined && { line }) });
    try {
      const { prompt } = await parseCommandFile(path);
      if (prompt.trim() === '') warn('The command has an empty prompt.');
    } catch (error) {
      const message = messageOf(error);
      warn(`The command does not load: ${message}`, lineIn(error));
    }
    const other = seen.get(name);
    if (other) warn(`The command has the same name /${name} as ${other}.`);
    else seen.set(name, path);
  }
  return problems;
}

function lineIn(error: unknown): number | undefined {
  return error instanceof Error && 'line' in error && typeof error.line === 'number' ? error.line : undefined;
}
