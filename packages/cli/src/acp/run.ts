/** `gemini --acp`: serves the client on stdin and stdout until it closes stdin. */
import {
  isDebug,
  killAllChildren,
  messageOf,
  processVariables,
  readFolder,
  routeError,
  setLogSink,
} from '@gemini-cli/core';
import {
  consoleTo,
  type LineIo,
  lineStream,
  type ServedClient,
  serveClient,
} from '@gemini-cli/sdk/acp/serve';
import type { FlagValues } from '../command-line/flags.js';
import type { CommandLine } from '../command-line/parse.js';
import { overridesFrom } from '../engine/overrides.js';
import { sandboxOf } from '../engine/start-engine.js';
import { createLogSink } from '../output/debug-log.js';
import { standardOutput } from '../output/output.js';
import { CliAcpHost } from './cli-host.js';

/** Sessions get this long to end their processes and write their records. */
const CLOSE_MS = 5000;
/** And stdout to take what was said last. */
const FLUSH_MS = 500;

const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** @param first what was read of stdin, and answered, before */
export async function runAcp(
  { flags }: CommandLine,
  first: Pick<LineIo, 'received' | 'answeredId'> = {},
): Promise<number> {
  const warn = (message: string) => standardOutput.stderr(message);
  // The protocol alone may be on stdout; a library that prints something prints it on stderr.
  consoleTo({ write: (text) => warn(text.trimEnd()) });
  const enter = await sandboxAround(flags);
  if (enter) return enter({ notify: warn });
  if (isDebug(flags, processVariables()))
    setLogSink(createLogSink(standardOutput, processVariables()['GEMINI_DEBUG_LOG_FILE']));
  const host = new CliAcpHost({ flags, warn });
  const served = serveClient(host, lineStream({ input: process.stdin, output: process.stdout, ...first }));
  const exitCode = await endOf(served);
  await Promise.race([flushed(), after(FLUSH_MS)]);
  killAllChildren();
  return exitCode;
}

/** Undefined: none is requested, or the program runs in it already. */
async function sandboxAround(flags: FlagValues): Promise<ReturnType<typeof sandboxOf>> {
  const isRequested = flags.sandbox !== undefined || processVariables()['GEMINI_SANDBOX'];
  if (!isRequested) return undefined;
  const overrides = overridesFrom(flags);
  const folder = await readFolder({
    cwd: process.cwd(),
    env: processVariables(),
    overrides,
    notice: (message) => standardOutput.stderr(message),
  });
  return sandboxOf({ flags, folder, isTerminal: false });
}

/** @returns the exit code once the client, a signal or a bug of ours has ended the program */
function endOf(served: ServedClient): Promise<number> {
  return new Promise((resolve) => {
    let exitCode: number | undefined;
    const end = (code: number) => {
      // Closing the connection closes stdin, too.
      if (exitCode !== undefined) return;
      exitCode = code;
      // A second signal does not wait.
      for (const name of Object.keys(SIGNALS)) process.once(name, () => resolve(code));
      void Promise.race([served.close(), after(CLOSE_MS)]).then(() => resolve(code));
    };
    for (const [name, code] of Object.entries(SIGNALS)) process.once(name, () => end(code));
    const crash = (error: unknown) => {
      standardOutput.stderr(`An unexpected error ended the program: ${messageOf(error)}`);
      end(routeError(error, 'program').exitCode);
    };
    process.once('uncaughtException', crash);
    process.once('unhandledRejection', crash);
    process.stdin.once('close', () => end(0));
    void served.closed.then(() => resolve(exitCode ?? 0));
  });
}

function flushed(): Promise<void> {
  return new Promise((resolve) => {
    if (process.stdout.writableLength === 0) resolve();
    else process.stdout.write('', () => resolve());
  });
}

function after(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
