/** Finds the folder of a run: the current directory, or the worktree of `--worktree`. */
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
  /** Set with `--worktree`; `cwd` is inside it. */
  worktree?: Worktree;
}

export interface RunFolderRequest {
  flags: FlagValues;
  env: Variables;
  warn: (message: string) => void;
  /** What the connected editor says about the workspace. */
  editorTrusts?: boolean;
  /** A session begins in the folder. */
  keepsEditor?: boolean;
}

/** @throws FatalConfigError when a file that may restrict the run cannot be read */
export async function openRunFolder({
  flags,
  env,
  warn,
  editorTrusts,
  keepsEditor = false,
}: RunFolderRequest): Promise<RunFolder> {
  const cwd = currentDirectory();
  const overrides = { ...overridesFrom(flags), editorTrusts };
  if (flags.worktree === undefined) return readFolder({ cwd, env, overrides, notice: warn, keepsEditor });
  const { enterWorktree } = await import('./worktree.js');
  const variables = { ...env };
  const worktree = await enterWorktree({
    flags,
    env: variables,
    cwd,
    ...judgeFolder({ cwd, env: variables, overrides }),
  });
  // Read again, for the folder of the worktree.
  const folder = await readFolder({
    cwd: currentDirectory(),
    env: variables,
    overrides,
    notice: warn,
    keepsEditor,
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
