/** `kill -9`, full disks, a home that cannot be written, two at once: files are whole, nothing recorded is lost (row 25). */
import { mkdirSync, readdirSync } from 'node:fs';
import { expect } from 'vitest';
import { callTool, mountNamespace, type Step, type TestRig, text } from '../test-utils.js';
import { attack, callOnce, type Outcome } from './attack.js';

/** `ATTACK_KILLS=1000` is the long series. */
const KILLS = Number(process.env['ATTACK_KILLS'] ?? 40);
const NAMES = ['written', 'replaced', 'moved-into-place', 'removed', 'renamed'];
const KINDS = ['write_file', 'replace', 'run_shell_command', 'undo'] as const;

/** Large enough that a write takes several system calls; its end shows whether it is whole. */
function wholeText(name: string, version: string): string {
  // Long lines keep the shown diff short.
  const line = `${`${version} of ${name} `.repeat(50)}\n`;
  return `${name} begins: ${version}\n${line.repeat(200)}${name} ends: ${version}\n`;
}

function callsOf(kind: (typeof KINDS)[number]): Step[] {
  const files = {
    write_file: callTool('write_file', { file_path: 'written', content: wholeText('written', 'new') }),
    replace: callTool('replace', {
      file_path: 'replaced',
      old_string: 'replaced begins: old',
      new_string: 'replaced begins: new',
    }),
    // The command itself changes each file in one step; the rest is the program's work.
    run_shell_command: callTool('run_shell_command', {
      command:
        'cp staged t && mv t moved-into-place; rm -f removed; [ -e renamed ] && mv renamed renamed-away',
    }),
  };
  return kind === 'undo' ? [] : [files[kind]];
}

/** The only contents a file may have. */
const VERSIONS: Record<string, (string | undefined)[]> = {
  written: [wholeText('written', 'old'), wholeText('written', 'new')],
  replaced: [
    wholeText('replaced', 'old'),
    wholeText('replaced', 'old').replace('begins: old', 'begins: new'),
  ],
  'moved-into-place': [wholeText('moved-into-place', 'old'), wholeText('moved-into-place', 'new')],
  removed: [wholeText('removed', 'old'), undefined],
  renamed: [wholeText('renamed', 'old'), undefined],
  'renamed-away': [wholeText('renamed', 'old'), undefined],
  staged: [wholeText('moved-into-place', 'new')],
};

for (const [index, kind] of KINDS.entries()) {
  const kills = Math.ceil(KILLS / KINDS.length);
  attack(25, `kill -9 during ${kind}, ${kills} times`, (rig) => killSeries(rig, kind, kills, 1000 + index), {
    timeoutMs: 60_000 + kills * 2000,
  });
}

async function killSeries(
  rig: TestRig,
  kind: (typeof KINDS)[number],
  kills: number,
  seed: number,
): Promise<void> {
  const random = seeded(seed);
  rig.write('staged', wholeText('moved-into-place', 'new'));
  // Answers by what the conversation contains, so a killed run leaves nothing behind for the next.
  rig.model.otherwise(({ body }) => {
    const answered = body.contents
      .flatMap(({ parts }) => parts)
      .filter((part) => part.functionResponse).length;
    const calls =
      kind === 'undo' ? [...callsOf('write_file'), ...callsOf('run_shell_command')] : callsOf(kind);
    const next = calls[answered];
    return [next ?? text('done')];
  });
  const session = () => rig.spawn('-p', 'x', '--approval-mode', 'yolo');
  const undo = () => rig.spawn('undo', '--yes');
  const victim = kind === 'undo' ? undo : session;
  restore(rig);
  await session().done;
  restore(rig);
  if (kind === 'undo') await session().done;
  const usual = (await victim().done).durationMs;
  for (let kill = 0; kill < kills; kill++) {
    restore(rig);
    if (kind === 'undo') await session().done;
    const run = victim();
    // The first third is the program's start.
    const wait = Math.floor(usual * (0.3 + 0.8 * random()));
    const timer = setTimeout(() => run.kill('SIGKILL'), wait);
    await run.done;
    clearTimeout(timer);
    expectWhole(rig, `after kill ${kill} (${wait} ms)`);
    if (kill % 5 !== 4) continue;
    // The next run can read the records and restores the files whole.
    const list = await rig.cli('undo', '--list');
    expect(list.exitCode, list.stderr).toBe(0);
    await undo().done;
    expectWhole(rig, `after the undo of kill ${kill}`);
  }
  restore(rig);
  expect((await session().done).exitCode).toBe(0);
  expect((await undo().done).exitCode).toBe(0);
  if (kind !== 'undo') expect(state(rig)).toEqual(originalState());
  expectWhole(rig, 'in the end');
  expect(readdirSync(rig.workspace).filter((name) => !(name in VERSIONS) && name !== 't')).toEqual([]);
}

function restore(rig: TestRig): void {
  for (const name of NAMES) rig.write(name, wholeText(name, 'old'));
}

function state(rig: TestRig): Record<string, string | undefined> {
  return Object.fromEntries(NAMES.map((name) => [name, contentOf(rig, name)]));
}

function originalState(): Record<string, string> {
  return Object.fromEntries(NAMES.map((name) => [name, wholeText(name, 'old')]));
}

function expectWhole(rig: TestRig, when: string): void {
  const broken = Object.keys(VERSIONS).filter((name) => !VERSIONS[name]?.includes(contentOf(rig, name)));
  expect(broken, when).toEqual([]);
}

function contentOf(rig: TestRig, name: string): string | undefined {
  return rig.exists(name) ? rig.read(name) : undefined;
}

/** Either the failure is reported and the file is the old one, or the file is the new one. */
function expectAllOrNothing({ answer }: Pick<Outcome, 'answer'>, now: string): void {
  expect(now).toBe(answer.error === undefined ? 'new\n' : 'old\n');
}

const HOME_TROUBLE: [string, string][] = [
  [
    'a full disk under the home',
    'mount -t tmpfs -o size=128k tmpfs "$HOME/.gemini" && cp -r seed/. "$HOME/.gemini" && head -c 200k /dev/zero > "$HOME/.gemini/fill" 2>/dev/null; "$@"',
  ],
  ['a home that is read-only', 'mount --bind "$HOME" "$HOME" && mount -o remount,ro,bind "$HOME" && "$@"'],
  ['files of at most 1 KB', 'ulimit -f 1; "$@"'],
];
for (const [what, script] of HOME_TROUBLE) {
  for (const [tool, args] of [
    ['write_file', { file_path: 'a.txt', content: 'new\n' }],
    ['run_shell_command', { command: 'echo new > a.txt' }],
  ] as const) {
    attack(25, `${what}: ${tool} is done or refused, and said`, async (rig) => {
      rig.write('a.txt', 'old\n');
      mkdirSync(rig.path('seed'));
      rig.write('seed/trustedFolders.json', JSON.stringify({ [rig.workspace]: 'TRUST_FOLDER' }));
      const under = [...mountNamespace(), 'bash', '-c', script, 'bash'];
      const outcome = await callOnce(rig, tool, args, { mode: 'yolo', under });
      expectAllOrNothing(outcome, rig.read('a.txt'));
      expect(`${outcome.run.stderr}${outcome.answer.error ?? ''}`).toMatch(
        /undo|snapshot|space|read-only|too large|cannot be written/i,
      );
    });
  }
}

attack(25, 'two processes at once: both calls are done and recorded, and both can be undone', async (rig) => {
  rig.write('a.txt', 'old a\n');
  rig.write('b.txt', 'old b\n');
  rig.model.otherwise(({ body }) => {
    const said = JSON.stringify(body.contents);
    const name = said.includes('change a') ? 'a' : 'b';
    return said.includes('functionResponse')
      ? [text('done')]
      : [callTool('write_file', { file_path: `${name}.txt`, content: `new ${name}\n` })];
  });
  const runs = await Promise.all(
    ['a', 'b'].map((name) => rig.cli('-p', `change ${name}`, '--approval-mode', 'auto_edit')),
  );
  expect(runs.map(({ exitCode, stderr }) => [exitCode, stderr])).toEqual([
    [0, ''],
    [0, ''],
  ]);
  expect([rig.read('a.txt'), rig.read('b.txt')]).toEqual(['new a\n', 'new b\n']);
  const { stdout } = await rig.cli('undo', '--list');
  const ids = [...stdout.matchAll(/^([0-9a-f]{8})\b.*write_file/gm)].map(([, id]) => id ?? '');
  expect(ids).toHaveLength(2);
  for (const id of ids) expect((await rig.cli('undo', id, '--yes')).exitCode).toBe(0);
  expect([rig.read('a.txt'), rig.read('b.txt')]).toEqual(['old a\n', 'old b\n']);
});

attack(25, 'two processes write one file: it is one of both, whole', async (rig) => {
  rig.write('a.txt', 'old\n');
  const content = { one: `${'one '.repeat(500)}\n`.repeat(100), two: `${'two '.repeat(500)}\n`.repeat(100) };
  rig.model.otherwise(({ body }) => {
    const said = JSON.stringify(body.contents[0]);
    if (JSON.stringify(body.contents).includes('functionResponse')) return [text('done')];
    const which = said.includes('write one') ? 'one' : 'two';
    return [callTool('write_file', { file_path: 'a.txt', content: content[which] })];
  });
  const args = ['--approval-mode', 'auto_edit'];
  await Promise.all([rig.cli('-p', 'write one', ...args), rig.cli('-p', 'write two', ...args)]);
  expect(Object.values(content).includes(rig.read('a.txt'))).toBe(true);
});

attack(25, 'two undos at once: the file comes back once, whole', async (rig) => {
  rig.write('a.txt', 'old\n');
  await callOnce(rig, 'write_file', { file_path: 'a.txt', content: 'new\n' }, { mode: 'yolo' });
  const { stdout } = await rig.cli('undo', '--list');
  const [id = ''] = /^[0-9a-f]{8}/m.exec(stdout) ?? [];
  await Promise.all([rig.cli('undo', id, '--yes'), rig.cli('undo', id, '--yes')]);
  expect(rig.read('a.txt')).toBe('old\n');
});

/** The same numbers in every run. */
function seeded(seed: number): () => number {
  let value = seed;
  return () => {
    value = (Math.imul(value, 1_664_525) + 1_013_904_223) >>> 0;
    return value / 2 ** 32;
  };
}
