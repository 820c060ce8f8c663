/** Runs one shell command through the tool and reports its result. */
import { RUN_SHELL_COMMAND } from '../../protocol/tool-names.js';
import { runCommand } from './calls.js';
import { type Answer, ask, type Outcome, type Steps, type Toolbox } from './intent.js';
import { parseShell } from './results.js';
import { block, code, notOffered, toolError } from './say.js';

/** Runs one command, or says how to allow it; reports exit code and output as they are. */
export function* runAndReport(command: string, tools: Toolbox): Steps {
  if (!tools.has(RUN_SHELL_COMMAND)) {
    return { ok: false, markdown: `The command would be ${code(command)}. ${notOffered(RUN_SHELL_COMMAND)}` };
  }
  return report(command, yield* ask(runCommand(command)));
}

function report(command: string, outcome: Outcome): Answer {
  if (!outcome.ok) return { ok: false, markdown: toolError(`Running ${code(command)}`, outcome) };
  const { output, exitCode, signal, error, unfinished } = parseShell(outcome.text);
  const shown = output.trim() === '' ? '' : `\n\n${block(excerpt(output))}`;
  if (unfinished) return { ok: false, markdown: `${code(command)} did not finish normally:${shown}` };
  if (error) return { ok: false, markdown: `${code(command)} could not be run: ${error}${shown}` };
  if (signal) return { ok: false, markdown: `${code(command)} was ended by signal ${signal}.${shown}` };
  const verdict = exitCode === 0 ? 'succeeded (exit code 0)' : `**failed** with exit code ${exitCode}`;
  const silent = shown === '' ? ' It printed nothing.' : ' Its output:';
  return { ok: exitCode === 0, markdown: `${code(command)} ${verdict}.${silent}${shown}` };
}

const HEAD = 15;
const TAIL = 35;

/** The beginning and, where results are, the end. */
function excerpt(output: string): string {
  const lines = output.trimEnd().split('\n');
  if (lines.length <= HEAD + TAIL + 1) return lines.join('\n');
  const left = lines.length - HEAD - TAIL;
  return [...lines.slice(0, HEAD), `… ${left} lines left out …`, ...lines.slice(-TAIL)].join('\n');
}
