/** Past the entry: chooses the front end. The engine is imported only by those that need it. */
import { chooseMode } from './mode.js';
import type { CommandLine } from './parse.js';
import { readStdin } from './stdin.js';
import { isTerminal, stdinKind } from './terminal.js';
import { writeFully } from './write-fd.js';

/** @param beforeExit called when the answer is out, before the process ends */
export async function main(line: CommandLine, beforeExit: (usedTools: boolean) => void): Promise<void> {
  if (line.subcommand) {
    const { runSubcommand } = await import('../subcommands/dispatch.js');
    process.exit(await runSubcommand(line.subcommand.name, line.subcommand.args));
  }
  if (line.flags['list-sessions'] || line.flags['delete-session'] !== undefined) {
    const { runSessionFlags } = await import('../subcommands/sessions/flags.js');
    process.exit(await runSessionFlags(line.flags));
  }
  const stdin = stdinKind();
  const mode = chooseMode(line, {
    env: process.env,
    stdinIsTerminal: stdin === 'terminal',
    stdoutIsTerminal: isTerminal(1),
  });
  if (mode === 'interactive') {
    process.exitCode = refuseInteractive(line, stdin === 'terminal');
    return;
  }
  // Waiting for piped text costs nothing while the engine loads.
  const piped = readStdin(stdin);
  piped.catch(() => undefined);
  const { runHeadless } = await import('../headless/run.js');
  const { exitCode, usedTools } = await runHeadless(line, piped);
  beforeExit(usedTools);
  process.exit(exitCode);
}

const EXIT_INPUT = 42;

function refuseInteractive({ flags }: CommandLine, stdinIsTerminal: boolean): number {
  if (flags['prompt-interactive'] !== undefined && !stdinIsTerminal) {
    writeFully(2, '--prompt-interactive (-i) needs a terminal as stdin; for piped text use --prompt (-p).\n');
    return EXIT_INPUT;
  }
  writeFully(
    2,
    'The interactive screen is not available yet; it comes with a later version. To ask something now, ' +
      'run gemini -p "your question". For a Gemini model set GEMINI_API_KEY (keys: https://aistudio.google.com/apikey). ' +
      'Without a key, the built-in guide answers: gemini --model offline -p "what does this project do?"\n',
  );
  return 1;
}
