/** Runs a small system program (a clipboard tool) and collects its output. */
import { spawn } from 'node:child_process';

export interface ToolRun {
  /** Undefined when the program is missing or was killed. */
  code: number | undefined;
  stdout: Buffer;
  isMissing: boolean;
}

export type RunTool = (file: string, args: readonly string[], input?: Buffer) => Promise<ToolRun>;

const TIME_LIMIT_MS = 10_000;
const LARGEST_OUTPUT = 64 * 1024 * 1024;

/** Never rejects. */
export const runTool: RunTool = (file, args, input) =>
  new Promise((resolve) => {
    const pieces: Buffer[] = [];
    let size = 0;
    const child = spawn(file, args, {
      // Clipboard tools may stay in the background, so they must not inherit a pipe of this process.
      stdio: input ? ['pipe', 'ignore', 'ignore'] : ['ignore', 'pipe', 'ignore'],
      timeout: TIME_LIMIT_MS,
      windowsHide: true,
    });
    const end = (code: number | undefined, isMissing: boolean) =>
      resolve({ code, stdout: Buffer.concat(pieces), isMissing });
    child.stdout?.on('data', (piece: Buffer) => {
      size += piece.length;
      if (size > LARGEST_OUTPUT) child.kill();
      else pieces.push(piece);
    });
    child.once('error', (error: NodeJS.ErrnoException) => end(undefined, error.code === 'ENOENT'));
    child.once('close', (code: number | null) => end(code ?? undefined, false));
    // The program may end before it has read everything.
    child.stdin?.on('error', () => {});
    if (input) child.stdin?.end(input);
  });
