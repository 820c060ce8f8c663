/** Finds the project's own command for a task and runs it. */
import { shellQuote } from '../../../base/shell-words.js';
import { listDirectory } from '../calls.js';
import { ask, failed, type Steps, type Toolbox } from '../intent.js';
import { parseListing } from '../results.js';
import { runAndReport } from '../run-command.js';
import { code, toolError } from '../say.js';
import { isFileName } from '../words.js';
import { commandFor, type ProjectFacts, readFacts } from './facts.js';
import type { Command, Task, TaskDetails } from './types.js';

export function* runTask({ task, path }: TaskDetails, tools: Toolbox): Steps {
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
