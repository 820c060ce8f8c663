/** Starts the front end: interactive, headless, or a subcommand. Each imports the engine only if it needs it. */
import type { CommandLine } from '../command-line/parse.js';
import { readStdin } from '../headless/stdin.js';
import { isTerminal, type StdinKind, stdinKind } from '../terminal/descriptors.js';
import type { FirstPaint } from '../terminal/first-paint.js';
import { writeFully } from '../terminal/write-fd.js';
import type { FirstMessage } from './acp-greeting.js';
import { chooseMode } from './mode.js';

export interface StartedBefore {
  /** The input box that is already on the screen. */
  firstPaint?: FirstPaint | undefined;
  /** What an editor has sent already. */
  firstMessage?: FirstMessage | undefined;
}

/**
 * @param beforeExit called when the answer is written, before the process ends
 * @param before what was done before the engine was loaded
 */
export async function main(
  line: CommandLine,
  beforeExit: (usedTools: boolean) => void,
  { firstPaint, firstMessage }: StartedBefore = {},
): Promise<void> {
  if (line.subcommand) {
    const { runSubcommand } = await import('../subcommands/dispatch.js');
    const { name, args } = line.subcommand;
    process.exit(await runSubcommand(name, args, { skipTrust: line.flags['skip-trust'] === true }));
  }
  if (line.flags['list-sessions'] || line.flags['delete-session'] !== undefined) {
    const { runSessionFlags } = await import('../subcommands/sessions/flags.js');
    process.exit(await runSessionFlags(line.flags));
  }
  if (line.flags['list-extensions']) {
    const { runSubcommand } = await import('../subcommands/dispatch.js');
    process.exit(await runSubcommand('list-extensions', []));
  }
  if (line.flags.acp || line.flags['experimental-acp']) {
    const { runAcp } = await import('../acp/run.js');
    const exitCode = await runAcp(line, firstMessage);
    beforeExit(true);
    process.exit(exitCode);
  }
  const stdin = stdinKind();
  const mode = chooseMode(line, {
    env: process.env,
    stdinIsTerminal: stdin === 'terminal',
    stdoutIsTerminal: isTerminal(1),
  });
  if (firstPaint) {
    const { runInteractive } = await import('../ui/run.js');
    process.exit(await runInteractive(line, firstPaint, beforeExit));
  }
  if (mode === 'interactive') {
    writeFully(2, noScreenText(line, stdin));
    process.exit(EXIT_INPUT);
  }
  // Read piped text while the engine loads.
  const piped = readStdin(stdin);
  piped.catch(() => undefined);
  const { runHeadless } = await import('../headless/run.js');
  const { exitCode, usedTools } = await runHeadless(line, piped);
  beforeExit(usedTools);
  process.exit(exitCode);
}

const EXIT_INPUT = 42;

function noScreenText({ flags }: CommandLine, stdin: StdinKind): string {
  const isAsked = flags['prompt-interactive'] !== undefined;
  // Scripts look for this sentence.
  if (isAsked && stdin !== 'terminal')
    return 'The --prompt-interactive flag cannot be used when input is piped; use --prompt (-p).\n';
  const why = isAsked ? '--prompt-interactive (-i) needs' : 'The screen needs';
  return `${why} a terminal for stdin and stdout; for piped text use --prompt (-p).\n`;
}
