/** "run the tests", "do the tests pass?", "build the project", "run the linter": the project's own commands. */
import { listDirectory } from '../calls.js';
import type { Clause } from '../clause.js';
import { ask, defineFamily, failed, type Steps, type Toolbox } from '../intent.js';
import { commandFor, type ProjectFacts, readFacts } from '../project/facts.js';
import type { Command, Task } from '../project/types.js';
import { parseListing } from '../results.js';
import { code, toolError } from '../say.js';
import { isFileName, isHere, looksLikeFolder, looksLikePath, pathOf } from '../words.js';
import { runAndReport } from './run.js';

interface TaskDetails {
  task: Task;
  /** A test file, or the folder whose tests are meant. */
  path?: string;
}

const RUN = '(?:run|execute|start|do|perform|launch|rerun|re-run)';
const OWN =
  "(?: all)?(?: of)?(?: (?:the|my|our|its|your))?(?: (?:unit|integration|whole|full|entire|project'?s?|existing|available|automated|complete))*";
const PROJECT =
  '(?: (?:it|(?:the|this|my|our)(?: whole| entire)? (?:project|code|app|application|repo|repository|package|thing|workspace)))';
const AGAIN = '(?: (?:again|once more|now))?';

const PATTERNS: { task: Task; pattern: RegExp }[] = [
  {
    task: 'test',
    pattern: new RegExp(
      `^${RUN}${OWN} tests?(?: suites?| cases?)?(?: (?:for|in|of|under|from) (?:the )?(?:file |folder |package )?(.+?)(?: (?:file|folder|package))?)?${AGAIN}$`,
      'i',
    ),
  },
  { task: 'test', pattern: new RegExp(`^(?:test|check|verify)${PROJECT}${AGAIN}$`, 'i') },
  {
    task: 'test',
    pattern:
      /^(?:(?:check|see|verify|find out|tell me|make sure) (?:if|that|whether) )?(?:do |are |does )?(?:the|all|my|our)(?: the)?(?: unit)? tests? (?:still )?(?:suite )?(?:pass(?:es|ing)?|work(?:s|ing)?|green|succeed(?:s|ing)?|fail(?:s|ing)?|run)$/i,
  },
  {
    task: 'build',
    pattern: new RegExp(
      `^(?:(?:build|compile)(?:${PROJECT})?|${RUN}(?: the| a)? (?:build|compilation))${AGAIN}$`,
      'i',
    ),
  },
  {
    task: 'lint',
    pattern: new RegExp(
      `^(?:lint(?:${PROJECT}| the code)?|${RUN}(?: the)? (?:lint(?:er|ing)?|eslint|style checks?))${AGAIN}$`,
      'i',
    ),
  },
  {
    task: 'typecheck',
    pattern: new RegExp(
      `^(?:type-?check(?:${PROJECT})?|${RUN}(?: the)? type-? ?check(?:er|s|ing)?)${AGAIN}$`,
      'i',
    ),
  },
  {
    task: 'install',
    pattern:
      /^install(?: (?:all|the|its|my))*(?: project'?s?)? (?:dependencies|deps|packages|requirements)$/i,
  },
];

function match(clause: Clause): TaskDetails | undefined {
  for (const { task, pattern } of PATTERNS) {
    const found = pattern.exec(clause.text);
    if (!found) continue;
    const captured = found[1];
    if (captured === undefined || isHere(captured) || /^this\b/i.test(captured)) return { task };
    const isPlace =
      looksLikePath(clause, captured) || looksLikeFolder(clause, captured) || !/\s/.test(captured);
    return isPlace ? { task, path: pathOf(clause, captured) } : undefined;
  }
  return undefined;
}

function* steps({ task, path }: TaskDetails, tools: Toolbox): Steps {
  const listed = yield* ask(listDirectory('.'));
  if (!listed.ok) return failed(toolError('Listing this folder', listed));
  const facts = yield* readFacts(parseListing(listed.text), '.');
  const found = commandFor(facts, task);
  if (!found) return failed(noCommand(task, facts));
  const command = path === undefined ? found.command : narrowed(found, path);
  if (command === undefined) {
    return failed(
      `I cannot narrow ${code(found.command)} to ${code(path ?? '')}. Tell me the command: ${code('run …')}.`,
    );
  }
  return yield* runAndReport(command, tools);
}

function noCommand(task: Task, facts: ProjectFacts): string {
  const what = {
    test: 'tests',
    build: 'a build',
    lint: 'a linter',
    typecheck: 'a type check',
    install: 'installing',
    run: 'running',
  }[task];
  const seen =
    facts.manifests.length > 0
      ? ` I looked at ${facts.manifests.map(code).join(', ')}.`
      : ' There is no manifest such as `package.json`, `pyproject.toml`, `Cargo.toml`, `go.mod` or `Makefile` here.';
  return `I found no command for ${what} in this project.${seen} If you know it, say ${code('run <command>')}.`;
}

/** How each test runner takes a path; undefined where it takes none. */
function narrowed({ command }: Command, path: string): string | undefined {
  const target = shellQuote(path);
  if (/^(?:npm|pnpm) /.test(command)) return `${command} -- ${target}`;
  if (/^(?:yarn|bun)\b|pytest/.test(command)) return `${command} ${target}`;
  if (command.startsWith('go test')) {
    const folder = isFileName(path) ? path.replace(/\/?[^/]*$/, '') : path;
    return folder === '' ? 'go test .' : `go test ${shellQuote(`./${folder}/...`)}`;
  }
  return undefined;
}

function shellQuote(text: string): string {
  return /^[\w./@:+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

export const testsFamily = defineFamily<TaskDetails>({ kind: 'task', match, steps, mutates: true });
