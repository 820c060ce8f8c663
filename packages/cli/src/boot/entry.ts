/**
 * Ring 0, what the shell starts. Built as CommonJS, since an ES module as entry costs a third of Node's own
 * start time. Knows only the tables; everything else is behind the import of `main.cjs`.
 */
import nodeModule from 'node:module';
import { decide } from './ring0.js';
import { hasCode, writeFully } from './write-fd.js';

const decision = decide(process.argv.slice(2), __VERSION__);
if (decision.kind === 'print') {
  try {
    writeFully(decision.stream === 'stdout' ? 1 : 2, decision.text);
    process.exitCode = decision.exitCode;
  } catch (error) {
    // A reader that has seen enough (`gemini --help | head -1`) is no failure.
    process.exitCode = hasCode(error, 'EPIPE') ? 0 : 1;
  }
} else {
  const { line } = decision;
  enableCompileCache();
  import('./main.cjs')
    .then(({ main }) => main(line))
    .catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      writeFully(2, `The program could not start: ${reason}\n`);
      process.exitCode = 1;
    });
}

/** Node 22.1 and later keep compiled code; in the user's own directory, not in a /tmp that others can write. */
function enableCompileCache(): void {
  const home = process.env['GEMINI_CLI_HOME'] || process.env['HOME'] || process.env['USERPROFILE'];
  if (!home || !('enableCompileCache' in nodeModule)) return;
  const { enableCompileCache } = nodeModule;
  if (typeof enableCompileCache === 'function') enableCompileCache(`${home}/.gemini/tmp/compile-cache`);
}
