/**
 * One process: decisions of the policy engine (`policy`), of long commands (`judge`), or parses of commands (`parse`), many
 * times after a warm-up.
 * Bundled by policy-rows.ts, since from source each `import()` would ask the loader again; prints the milliseconds of
 * every kind of call as JSON.
 */
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { policyLab } from '../packages/core/src/policy/policy-lab.test-helper.js';
import { parseCommand } from '../packages/core/src/policy/shell/parse.js';

const DECISIONS = 1_000;
const PARSES = 200;
const WARM_UP = 100;
const COMMAND_LENGTH = 500;
const JUDGED_LENGTH = 1_000;

/** Calls to the policy engine, by their name in the table. */
const CALLS: Record<string, { name: string; args: Record<string, unknown> }> = {
  edit: { name: 'write_file', args: { file_path: 'src/main.ts', content: 'a line\n'.repeat(150) } },
  read: { name: 'read_file', args: { file_path: 'src/main.ts' } },
  'short command': { name: 'run_shell_command', args: { command: 'program-399 task --all' } },
  'list and pipe': { name: 'run_shell_command', args: { command: 'git status && npm test | tail -5' } },
};

/** Commands by what makes them hard to parse; repeated up to the length. */
const COMMANDS: Record<string, readonly string[]> = {
  lists: [
    'git -C packages/core log --oneline -20 | grep -v "merge of" | sort -k2 > out.txt 2>&1',
    'npm run test -- --run src/a.test.ts || echo "tests failed: $?"',
  ],
  loops: [
    'for file in src/*.ts; do if [[ -f "$file" ]]; then sed -i "s/old/new/g" "$file"; else echo "no $file"; fi; done',
  ],
  substitutions: ['echo "$(git rev-parse "$(cat .git/HEAD | cut -d" " -f2)")" "$HOME/$(id -un)" $((1 + 2))'],
  wrappers: [
    'env A=1 timeout 5 nice -n 3 sudo -u nobody xargs -n1 rm -f',
    `bash -c 'cd /tmp && sh -c "ls | wc -l"'`,
  ],
  'here-documents': [
    'cat > notes.txt <<END\nname: $USER\ndate: $(date +%F)\nEND\n',
    'tee a.txt <<"END"\nplain $text\nEND\n',
  ],
};

/** Commands whose paths are all checked, in a repository with links. */
const READ: Record<string, readonly string[]> = {
  reads: [
    'cat src/deep/a.ts src/b.ts',
    'grep -rn "name of it" src link/../c.ts',
    'head -5 link/a.ts | wc -l',
  ],
  folders: ['cd src && ls deep', 'cat ../src/deep/a.ts', 'cd deep && cat ../../c.ts'],
  git: ['git status --short', 'git diff HEAD~1 -- src/deep/a.ts', 'git log --oneline -5 -- src'],
  globs: ['ls src/*', 'cat src/deep/*.ts', 'wc -l src/*/a.ts'],
  removals: ['rm -rf src/deep/../dist', 'mv src/a.ts link/../b.ts', 'find src -name "*.js" -delete'],
};

const [, , what] = process.argv;
const MEASURES: Record<string, () => Promise<Record<string, number[]>>> = { policy, judge, parse };
console.log(JSON.stringify(await MEASURES[what ?? '']?.()));

/** With the files that the commands name, so that links are followed and folders read. */
async function judge(): Promise<Record<string, number[]>> {
  const lab = policyLab();
  try {
    for (const folder of ['objects', 'refs', 'hooks']) lab.write(`home/project/.git/${folder}/x`, '');
    lab.write('home/project/.git/HEAD', 'ref: refs/heads/main\n');
    lab.write('home/project/.git/config', '[core]\n\tbare = false\n'.padEnd(1_000, '# text\n'));
    for (const file of ['src/deep/a.ts', 'src/b.ts', 'c.ts']) lab.write(`home/project/${file}`, '');
    symlinkSync('src/deep', join(lab.project, 'link'));
    const engine = await lab.engine();
    const texts = Object.entries({ ...READ, ...COMMANDS }).map(([kind, pieces]) => [
      kind,
      { name: 'run_shell_command', args: { command: ofLength(JUDGED_LENGTH, pieces) } },
    ]);
    return await timesOf(PARSES, Object.fromEntries(texts) as typeof CALLS, (call) => engine.check(call));
  } finally {
    lab.folder.cleanup();
  }
}

/** The rules come from a file and are of all kinds, so that every index and every pattern is met. */
async function policy(): Promise<Record<string, number[]>> {
  const lab = policyLab();
  try {
    const tables = manyRules();
    const engine = await lab.withRules(tables.join('\n'));
    const loaded = (await engine.reload())?.rules.length;
    if (loaded !== tables.length) throw new Error(`${loaded} rules were loaded instead of ${tables.length}`);
    return await timesOf(DECISIONS, CALLS, (call) => engine.check(call));
  } finally {
    lab.folder.cleanup();
  }
}

async function parse(): Promise<Record<string, number[]>> {
  const commands = Object.entries(COMMANDS).map(([kind, pieces]) => [kind, ofLength(COMMAND_LENGTH, pieces)]);
  return timesOf(PARSES, Object.fromEntries(commands) as Record<string, string>, async (command) => {
    if (!(await parseCommand(command))) throw new Error(`cannot be read: ${command}`);
  });
}

async function timesOf<T>(
  count: number,
  inputs: Record<string, T>,
  action: (input: T) => Promise<unknown>,
): Promise<Record<string, number[]>> {
  const taken: Record<string, number[]> = {};
  for (const [name, input] of Object.entries(inputs)) {
    const times: number[] = [];
    for (let run = -WARM_UP; run < count; run++) {
      const started = performance.now();
      await action(input);
      if (run >= 0) times.push(performance.now() - started);
    }
    taken[name] = times;
  }
  return taken;
}

/** Rules about commands by their first words, by patterns, about arguments of a tool, and about servers. */
function manyRules(): string[] {
  const shell = { toolName: 'run_shell_command' };
  const kinds: [number, (index: number) => Record<string, unknown>][] = [
    [400, (index) => ({ ...shell, commandPrefix: `program-${index} task`, decision: 'allow' })],
    [100, (index) => ({ ...shell, commandRegex: `other-${index} (?:up|down)\\b`, decision: 'deny' })],
    [300, (index) => ({ toolName: 'write_file', argsPattern: `secret-${index}\\.json`, decision: 'deny' })],
    [100, (index) => ({ mcpName: `server-${index}`, toolName: 'list', decision: 'allow' })],
    [100, (index) => ({ mcpName: `server-${index}`, decision: 'ask_user' })],
  ];
  return kinds.flatMap(([count, make]) =>
    Array.from({ length: count }, (_, index) => {
      const fields = Object.entries({ ...make(index), priority: 1 + (index % 900) });
      return `[[rule]]\n${fields.map(([key, value]) => `${key} = ${JSON.stringify(value)}\n`).join('')}`;
    }),
  );
}

/** Whole pieces, as many as fit; the rest is one more word of an `echo`. */
function ofLength(length: number, pieces: readonly string[]): string {
  let text = 'true';
  for (let index = 0; ; index++) {
    const piece = pieces[index % pieces.length] ?? '';
    const more = `${text}${text.endsWith('\n') ? '' : ' && '}${piece}`;
    if (more.length > length - ' && echo x'.length) break;
    text = more;
  }
  text += text.endsWith('\n') ? 'echo ' : ' && echo ';
  return text.padEnd(length, 'x');
}
