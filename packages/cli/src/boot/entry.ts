/**
 * Ring 0, what the shell starts. Built as CommonJS, since an ES module as entry costs a third of Node's own
 * start time. Knows only the tables; everything else is in `engine.cjs`.
 */
import { join } from 'node:path';
import { loadEngine } from './code-cache.js';
import type { CommandLine } from './parse.js';
import { decide } from './ring0.js';
import { isReaderGone, writeFully } from './write-fd.js';

const decision = decide(process.argv.slice(2), __VERSION__);
if (decision.kind === 'print') {
  try {
    writeFully(decision.stream === 'stdout' ? 1 : 2, decision.text);
    process.exitCode = decision.exitCode;
  } catch (error) {
    // A reader that has seen enough (`gemini --help | head -1`) is no failure.
    process.exitCode = isReaderGone(error) ? 0 : 1;
  }
} else {
  start(decision.line);
}

function start(line: CommandLine): void {
  const home = process.env['GEMINI_CLI_HOME'] || process.env['HOME'] || process.env['USERPROFILE'];
  try {
    const { engine, keepCompiledCode } = loadEngine(join(__dirname, 'engine.cjs'), __BUILD_ID__, home);
    const { main } = engine.load('main.cjs') as typeof import('./main.js');
    main(line, keepCompiledCode).catch(reportFailure);
  } catch (error) {
    reportFailure(error);
  }
}

function reportFailure(error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  writeFully(2, `The program could not start: ${reason}\n`);
  process.exitCode = 1;
}
