/** The folder of a run: where the program was started, or the worktree that `--worktree` leads to. */
import {
  FatalInputError,
  judgeFolder,
  type ProjectFolder,
  readFolder,
  type Variables,
  type Worktree,
} from '@gemini-cli/core';
import type { FlagValues } from '../command-line/flags.js';
import { overridesFrom } from './overrides.js';

export interface RunFolder extends ProjectFolder {
  /** Where `--worktree` has led; `cwd` is in it. */
  worktree?: Worktree;
}

export interface RunFolderRequest {
  flags: FlagValues;
  env: Variables;
  warn: (message: string) => void;
}

/** @throws FatalConfigError for files whose restrictions cannot be known */
export async function openRunFolder({ flags, env, warn }: RunFolderRequest): Promise<RunFolder> {
  const cwd = currentDirectory();
  const overrides = overridesFrom(flags);
  if (flags.worktree === undefined) return readFolder({ cwd, env, overrides, notice: warn });
  const { enterWorktree } = await import('./worktree.js');
  const variables = { ...env };
  const worktree = await enterWorktree({
    flags,
    env: variables,
    cwd,
    ...judgeFolder({ cwd, env: variables, overrides }),
  });
  // All of it for the folder where the session is going to be.
  const folder = await readFolder({
    cwd: currentDirectory(),
    env: variables,
    overrides: overridesFrom(flags),
    notice: warn,
  });
  return { ...folder, worktree };
}

function currentDirectory(): string {
  try {
    return process.cwd();
  } catch (error) {
    throw new FatalInputError('The current directory does not exist any more.', error);
  }
}
