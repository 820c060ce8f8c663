/**
 * The entry point (ring 0). Built as CommonJS, since an ES module as entry costs a third of Node's own start time.
 * Loads only the tables of the command line; everything else is in `engine.cjs`.
 */
import nodeModule from 'node:module';
import { join } from 'node:path';
import type { CommandLine } from '../command-line/parse.js';
import { isTerminal } from '../terminal/descriptors.js';
import { type FirstPaint, startFirstPaint } from '../terminal/first-paint.js';
import { isDumbTerminal, startPlainPaint } from '../terminal/plain-paint.js';
import { isReaderGone, writeFully } from '../terminal/write-fd.js';
import { keepYoungSpaceSmall } from '../terminal/young-space.js';
import type { FirstMessage } from './acp-greeting.js';
import { loadEngine } from './code-cache.js';
import { chooseMode } from './mode.js';
import { decide } from './ring0.js';

const decision = decide(process.argv.slice(2), __VERSION__);
if (decision.kind === 'print') {
  try {
    writeFully(decision.stream === 'stdout' ? 1 : 2, decision.text);
    process.exitCode = decision.exitCode;
  } catch (error) {
    // A reader that stops early (`gemini --help | head -1`) is not a failure.
    process.exitCode = isReaderGone(error) ? 0 : 1;
  }
} else {
  start(decision.line);
}

function start(line: CommandLine): void {
  if (isForEditor(line)) {
    startEngine(line, undefined, greet(line));
    return;
  }
  const firstPaint = isForScreen(line) ? paint() : undefined;
  // The terminal shows it before loading the engine blocks the thread.
  if (firstPaint) setImmediate(() => startEngine(line, firstPaint));
  else startEngine(line);
}

function paint(): FirstPaint {
  return isDumbTerminal(process.env) ? startPlainPaint() : startFirstPaint();
}

/** The editor's first message is answered before the engine is loaded. */
function greet({ flags }: CommandLine): FirstMessage | undefined {
  // The program in the sandbox is the one that answers.
  const isElsewhere = (flags.sandbox || process.env['GEMINI_SANDBOX']) && !process.env['SANDBOX'];
  if (isElsewhere) return undefined;
  // A file of its own: no other start reads it.
  const require = nodeModule.createRequire(__filename);
  const { answerFirstMessage } = require(
    join(__dirname, 'acp-greeting.cjs'),
  ) as typeof import('./acp-greeting.js');
  return answerFirstMessage(__VERSION__);
}

function isForEditor({ flags, subcommand }: CommandLine): boolean {
  return !subcommand && (flags.acp === true || flags['experimental-acp'] === true);
}

function startEngine(line: CommandLine, firstPaint?: FirstPaint, firstMessage?: FirstMessage): void {
  const home = process.env['GEMINI_CLI_HOME'] || process.env['HOME'] || process.env['USERPROFILE'];
  try {
    const { engine, keepCompiledCode } = loadEngine({
      file: join(__dirname, 'engine.cjs'),
      buildId: __BUILD_ID__,
      home,
      isForScreen: firstPaint !== undefined,
    });
    if (firstPaint) keepYoungSpaceSmall();
    const { main } = engine.load('main.cjs') as typeof import('./main.js');
    main(line, keepCompiledCode, { firstPaint, firstMessage }).catch((error: unknown) =>
      fail(error, firstPaint),
    );
  } catch (error) {
    fail(error, firstPaint);
  }
}

/** Whether the run is interactive, with stdin and stdout at a terminal. */
function isForScreen(line: CommandLine): boolean {
  const { flags, subcommand } = line;
  if (subcommand || flags['list-sessions'] || flags['delete-session'] !== undefined) return false;
  const isStdin = isTerminal(0);
  const isStdout = isTerminal(1);
  const environment = { env: process.env, stdinIsTerminal: isStdin, stdoutIsTerminal: isStdout };
  return isStdin && isStdout && chooseMode(line, environment) === 'interactive';
}

function fail(error: unknown, firstPaint: FirstPaint | undefined): void {
  firstPaint?.release();
  const reason = error instanceof Error ? error.message : String(error);
  writeFully(2, `The program could not start: ${reason}\n`);
  process.exitCode = 1;
}
