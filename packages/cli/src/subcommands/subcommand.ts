/** The interface of a subcommand. */
import type { Output } from '../output/output.js';

export interface SubcommandIo extends Output {
  env: NodeJS.ProcessEnv;
}

/** @returns the exit code */
export type Subcommand = (args: readonly string[], io: SubcommandIo) => Promise<number>;
