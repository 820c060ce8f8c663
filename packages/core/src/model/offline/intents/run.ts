/** "run `git status`", "execute make", "run script.py", "git log -5". */
import { RUN_SHELL_COMMAND } from '../../../protocol/tool-names.js';
import { runCommand } from '../calls.js';
import { asTyped, type Clause, isQuoted, meaningOf } from '../clause.js';
import { type Answer, ask, defineFamily, type Outcome, type Steps, type Toolbox } from '../intent.js';
import { parseShell } from '../results.js';
import { block, code, notOffered, toolError } from '../say.js';

interface RunDetails {
  command: string;
}

const RUN =
  /^(?:run|execute|exec|launch)(?:(?: (?:the|this|a|my))?(?: (?:following|shell|terminal|bash))?(?: (?:command|script|program|file)):?)?\s+(\S[\s\S]*)$/i;
const DOLLAR = /^\$\s+(\S[\s\S]*)$/;
/** Commands so common that the bare line is clear. */
const BARE =
  /^(?:git (?:status|log|diff|branch|show|blame|remote|tag|stash list|fetch|pull)|(?:npm|pnpm|yarn) (?:install|ci|test|run|start|ls|outdated|audit)|npx|cargo (?:build|test|run|check|clippy|fmt)|go (?:build|test|run|vet) (?:\.|\w)|pytest|(?:grep|rg) -|make [\w-]+$|docker (?:ps|images|compose)|pwd$|whoami$|(?:node|python3?|npm|git|cargo|go) --?v(?:ersion)?$)/;
const GIT = /^(?:show|print|display|get)(?: me)?(?: the)? git (status|log|diff|branch)(?:es)?$/i;
/** "run the …", "run a …": words, not a command. */
const WORDS =
  /^(?:the|an?|my|our|all|it|them|this|that|these|some|every|through|into|out|away|on|over|with|tests?|everything|again)\b/i;
const CONDITION = /\s(?:if|unless|when|until|only if)\s+(?:the|it|that|this|there|everything|all|i|you)\b/i;

function match(clause: Clause): RunDetails | undefined {
  const typed = RUN.exec(clause.full)?.[1] ?? DOLLAR.exec(clause.full)?.[1];
  if (typed !== undefined) {
    if (isQuoted(typed.replace(/[.!]$/, '')))
      return { command: interpreted(meaningOf(clause, typed.replace(/[.!]$/, ''))) };
    const trimmed = typed
      .trim()
      .replace(/,?\s+(?:please|for me)[.!?]*$/i, '')
      .replace(/(?<=[\w'"])[.!?]$/, '');
    if (WORDS.test(trimmed) || CONDITION.test(trimmed)) return undefined;
    return { command: interpreted(asTyped(clause.literals, trimmed)) };
  }
  const git = GIT.exec(clause.text)?.[1]?.toLowerCase();
  if (git) return { command: git === 'log' ? 'git log --oneline -20' : `git ${git}` };
  if (!BARE.test(clause.full) || /\?$/.test(clause.full)) return undefined;
  return { command: asTyped(clause.literals, clause.full) };
}

/** A bare script file is run by its interpreter. */
function interpreted(command: string): string {
  const script = /^(?:\.\/)?([\w./-]+\.(py|sh|js|mjs|cjs|rb))$/.exec(command.trim());
  const interpreter = script?.[2] ? INTERPRETERS[script[2]] : undefined;
  return interpreter && script?.[1] ? `${interpreter} ${script[1]}` : command.trim();
}

const INTERPRETERS: Record<string, string> = {
  py: 'python3',
  sh: 'bash',
  js: 'node',
  mjs: 'node',
  cjs: 'node',
  rb: 'ruby',
};

function* steps({ command }: RunDetails, tools: Toolbox): Steps {
  return yield* runAndReport(command, tools);
}

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

/** The beginning and, where results stand, the end. */
function excerpt(output: string): string {
  const lines = output.trimEnd().split('\n');
  if (lines.length <= HEAD + TAIL + 1) return lines.join('\n');
  const left = lines.length - HEAD - TAIL;
  return [...lines.slice(0, HEAD), `… ${left} lines left out …`, ...lines.slice(-TAIL)].join('\n');
}

export const runFamily = defineFamily<RunDetails>({
  kind: 'run',
  match,
  steps,
  mutates: true,
  keeps: (_, separator) => separator.includes(';'),
});
