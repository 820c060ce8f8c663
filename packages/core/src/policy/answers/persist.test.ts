/** Tests how "always" answers are narrowed, saved and read again. */
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { realPathOf } from '../../platform/files/real-path.js';
import { ApprovalMode, MessageBusType, type UpdatePolicy } from '../../protocol/confirmation.js';
import { parsePolicyFile } from '../files/toml-loader.js';
import type { PolicyEngine } from '../policy-engine.js';
import { policyLab, shell } from '../policy-lab.test-helper.js';
import { narrowCommand } from './always-rules.js';

let lab: ReturnType<typeof policyLab>;
beforeEach(() => {
  lab = policyLab();
});
afterEach(() => lab.folder.cleanup());
const update = (rest: Partial<UpdatePolicy>): UpdatePolicy => ({
  type: MessageBusType.UPDATE_POLICY,
  toolName: 'run_shell_command',
  persist: true,
  ...rest,
});
const saved = () => join(lab.globalDir, 'policies/auto-saved.toml');

describe('an "always" answer to a command', () => {
  it.each<[string, string[]]>([
    ['touch a', ['touch']],
    ['touch a && git add a', ['touch', 'git add']],
    ['git log 2>/dev/null', ['git log']],
    ['FOO=1 touch a', ['touch']],
  ])('makes a rule for the command family: %s', async (command, commandPrefix) => {
    expect(await narrowCommand(command, { directory: '/p' })).toEqual({ commandPrefix });
  });

  it.each([
    'npm test',
    'git log > x',
    'python3 -c "print(1)"',
    'sudo npm i',
    'bash -c "npm i"',
    'rm -rf dist',
    'find . -delete',
    'git -c a.b=c push',
    'timeout 5 make all',
    '$X y',
    'PATH=. touch a',
    'node',
    'git',
  ])('makes a rule for this line in this folder: %s', async (command) => {
    expect(await narrowCommand(command, { directory: '/p' })).toEqual({ commandExact: command, path: '/p' });
  });

  it('makes no rule if the line cannot be parsed, so the line asks each time', async () => {
    expect(await narrowCommand('echo "', { directory: '/p' })).toBeUndefined();
  });
});

it('an answer for a file covers every spelling of its path, but not another file behind a link', async () => {
  const engine = await lab.engine();
  const write = (file_path: string) =>
    engine.evaluate({ name: 'write_file', args: { file_path, content: 'x' } });
  lab.write('home/project/src/a', '');
  lab.write('home/project/other', '');
  symlinkSync(join(lab.project, 'src/a'), join(lab.project, 'link'));
  engine.applyUpdate(
    update({ toolName: 'write_file', persist: false, path: realPathOf(join(lab.project, 'src/a')) }),
  );
  const spellings = ['src/a', './src/../src/a', join(lab.project, 'src/a'), 'link'];
  expect(await Promise.all(spellings.map(write))).toEqual(spellings.map(() => 'allow'));
  expect(await Promise.all(['src/ab', 'x/src/a', 'other'].map(write))).toEqual(Array(3).fill('ask_user'));
  rmSync(join(lab.project, 'src/a'));
  symlinkSync(join(lab.project, 'other'), join(lab.project, 'src/a'));
  expect(await write('src/a')).toBe('ask_user');
});

describe('a saved answer', () => {
  const elsewhere = () => {
    const other = join(lab.home, 'other');
    mkdirSync(other, { recursive: true });
    return { workspace: () => ({ cwd: other, directories: [other] }), sourcesWith: { projectDir: other } };
  };
  const write = (engine: PolicyEngine, file_path: string) =>
    engine.evaluate({ name: 'write_file', args: { file_path, content: 'x' } });

  it('covers the file in this project, not a file of the same name in another', async () => {
    const first = await lab.engine();
    first.applyUpdate(update({ toolName: 'write_file', path: realPathOf(join(lab.project, 'a.txt')) }));
    await first.flush();
    expect(await write(await lab.engine(), 'a.txt')).toBe('allow');
    const other = await lab.engine(elsewhere());
    expect(await write(other, 'a.txt')).toBe('ask_user');
    expect(await write(other, join(lab.project, 'a.txt'))).toBe('ask_user');
    expect(readFileSync(saved(), 'utf8')).toContain('\\\\x00\\"file_path\\"');
  });

  it('for all edits covers this project alone, without protected files', async () => {
    const first = await lab.engine();
    const folder = realPathOf(lab.project);
    for (const toolName of ['write_file', 'replace']) first.applyUpdate(update({ toolName, folder }));
    expect(await write(first, 'a.txt')).toBe('allow');
    expect(await write(first, '.git/config')).toBe('ask_user');
    await first.flush();
    const next = await lab.engine();
    expect(await write(next, 'sub/b.txt')).toBe('allow');
    expect(await write(next, join(lab.project, 'c.txt'))).toBe('allow');
    for (const path of ['.gemini/settings.json', '.git/config', '.env', '../outside.txt', '/etc/hosts'])
      expect([path, await write(next, path)]).toEqual([path, 'ask_user']);
    const other = await lab.engine(elsewhere());
    expect(await write(other, 'a.txt')).toBe('ask_user');
    expect(await write(other, join(lab.project, 'a.txt'))).toBe('ask_user');
  });

  it('covers exactly the same line in the same folder of the same project', async () => {
    const line = "python3.11 a.py --x='(1+1)'\n# second";
    const first = await lab.engine();
    first.applyUpdate(update((await narrowCommand(line, { directory: realPathOf(lab.project) })) ?? {}));
    await first.flush();
    const engine = await lab.engine();
    expect(await shell(engine, line)).toBe('allow');
    expect(await shell(engine, `${line}x`)).toBe('ask_user');
    expect(await shell(engine, line, { dir_path: 'src' })).toBe('ask_user');
    expect(await shell(await lab.engine(elsewhere()), line)).toBe('ask_user');
    expect(readFileSync(saved(), 'utf8')).not.toContain('commandPrefix');
  });

  it('for a command family holds only in this project', async () => {
    const first = await lab.engine();
    first.applyUpdate(update((await narrowCommand('git add a')) ?? {}));
    await first.flush();
    expect(await shell(await lab.engine(), 'git add b')).toBe('allow');
    expect(await shell(await lab.engine(elsewhere()), 'git add b')).toBe('ask_user');
  });

  it('that is too long for a policy file is refused, and the user is told', async () => {
    const notices: string[] = [];
    const engine = await lab.engine({ onNotice: (message) => notices.push(message) });
    engine.applyUpdate(update({ commandExact: `node ${'x'.repeat(2000)}` }));
    await engine.flush();
    expect(existsSync(saved())).toBe(false);
    expect(notices).toEqual([expect.stringContaining('too long')]);
  });
});

describe('an answer saved by an older version', () => {
  const old = (rule: string) => `[[rule]]\n${rule}\ndecision = "allow"\npriority = 950\n`;
  const load = async (rule: string) => {
    lab.write('home/.gemini/policies/auto-saved.toml', old(rule));
    const engine = lab.make();
    return { engine, loaded: await engine.reload() };
  };

  it('covers no more than a new answer', async () => {
    const { engine } = await load(
      'toolName = "run_shell_command"\ncommandPrefix = ["npm", "git", "git add", "touch", "python3 a.py"]\nallowRedirection = true',
    );
    for (const line of ['touch a', 'git add b', 'python3 a.py', 'touch a > out'])
      expect([line, await shell(engine, line)]).toEqual([line, 'allow']);
    for (const line of ['npm exec -c x', 'git config a.b c', 'python3 a.py -x', 'touch a > /etc/x'])
      expect([line, await shell(engine, line)]).toEqual([line, 'ask_user']);
  });

  it('covers a file with an absolute path, not a relative path in any project', async () => {
    const whole = JSON.stringify(join(lab.project, 'a.txt')).replaceAll(/[./]/g, '\\$&');
    const absolute = await load(`toolName = "write_file"\nargsPattern = '\\x00"file_path":${whole}\\x00'`);
    const write = (engine: PolicyEngine) =>
      engine.evaluate({ name: 'write_file', args: { file_path: 'a.txt', content: 'x' } });
    expect(await write(absolute.engine)).toBe('allow');
    const relative = await load(`toolName = "write_file"\nargsPattern = '\\x00"file_path":"a\\.txt"\\x00'`);
    expect(await write(relative.engine)).toBe('ask_user');
    expect(relative.loaded?.problems.map(({ message }) => message)).toEqual([
      expect.stringContaining('names a file but no project'),
    ]);
  });
});

it('a saved answer works after a restart, in its mode and in more permissive ones', async () => {
  const first = await lab.engine({ approvalMode: ApprovalMode.AUTO_EDIT });
  first.applyUpdate(update({ commandPrefix: ['npm test', 'say "hi"\\'], allowRedirection: true }));
  first.applyUpdate(update({ toolName: 'mcp_srv_t', mcpName: 'srv' }));
  first.applyUpdate(update({ toolName: 'write_file', argsPattern: '\\x00"file_path":"a\\.b"\\x00' }));
  await first.flush();
  const engine = await lab.engine({ approvalMode: ApprovalMode.AUTO_EDIT });
  expect(await shell(engine, 'npm test > x')).toBe('allow');
  expect(await engine.evaluate({ name: 'mcp_srv_t', args: {} }, { serverName: 'srv' })).toBe('allow');
  engine.setApprovalMode(ApprovalMode.DEFAULT);
  expect(await shell(engine, 'npm test')).toBe('ask_user');
  const text = readFileSync(saved(), 'utf8');
  const { rules, problems } = await parsePolicyFile({ path: 'x', text }, 'user');
  expect(problems).toEqual([]);
  expect(rules.map(({ priority, toolNames, mcpName }) => [priority, toolNames?.[0], mcpName])).toEqual([
    [4.95, 'run_shell_command', undefined],
    [4.95, 't', 'srv'],
    [4.95, 'write_file', undefined],
  ]);
  expect(rules[0]?.commandPrefixes).toEqual(['npm test', 'say "hi"\\']);
  const forbidding = await lab.engine({ approvalMode: ApprovalMode.AUTO_EDIT, disableAlwaysAllow: true });
  expect(await shell(forbidding, 'npm test')).toBe('ask_user');
});

it('saving merges equal rules and loses none of many parallel answers', async () => {
  const engine = await lab.engine();
  for (let index = 0; index < 10; index++)
    engine.applyUpdate(update({ commandPrefix: `npm run ${index % 5}` }));
  const other = await lab.engine({ approvalMode: ApprovalMode.PLAN });
  other.applyUpdate(update({ commandPrefix: 'npm run 0' }));
  await Promise.all([engine.flush(), other.flush()]);
  const { rules } = await parsePolicyFile({ path: 'x', text: readFileSync(saved(), 'utf8') }, 'user');
  expect(rules.map(({ commandPrefixes }) => commandPrefixes?.[0]).sort()).toEqual(
    [0, 1, 2, 3, 4].map((index) => `npm run ${index}`),
  );
  expect(
    [...(rules.find(({ commandPrefixes }) => commandPrefixes?.[0] === 'npm run 0')?.modes ?? [])].sort(),
  ).toEqual(['autoEdit', 'default', 'plan', 'yolo']);
});

it('saving backs up a broken file and refuses a symbolic link', async () => {
  const notices: string[] = [];
  lab.write('home/.gemini/policies/auto-saved.toml', '[[rule');
  const engine = await lab.engine({ onNotice: (message) => notices.push(message) });
  engine.applyUpdate(update({ commandPrefix: 'mkdir' }));
  await engine.flush();
  expect(readFileSync(`${saved()}.bak`, 'utf8')).toBe('[[rule');
  expect(readFileSync(saved(), 'utf8')).toContain('"mkdir"');
  const target = join(lab.folder.path, 'target');
  writeFileSync(target, '');
  mkdirSync(join(lab.project, '.gemini/policies'), { recursive: true });
  symlinkSync(target, join(lab.project, '.gemini/policies/auto-saved.toml'));
  engine.applyUpdate(update({ commandPrefix: 'mkdir', persistScope: 'workspace' }));
  await engine.flush();
  expect(readFileSync(target, 'utf8')).toBe('');
  expect(notices).toEqual([expect.stringContaining('.bak'), expect.stringContaining('symbolic link')]);
  expect(await shell(engine, 'mkdir x')).toBe('allow');
});

it('saving into the project does not require the policies to be accepted again', async () => {
  const engine = await lab.engine();
  engine.applyUpdate(update({ commandPrefix: 'touch', persistScope: 'workspace' }));
  await engine.flush();
  expect(existsSync(saved())).toBe(false);
  expect(await shell(await lab.engine({ interactive: false }), 'touch x')).toBe('allow');
});

it('an invalid answer makes no rule', async () => {
  const engine = await lab.engine();
  engine.applyUpdate(update({ persist: false, commandPrefix: ' ' }));
  engine.applyUpdate(update({ persist: false, toolName: '*' }));
  engine.applyUpdate(update({ persist: false, toolName: 'web_fetch', argsPattern: '(' }));
  engine.applyUpdate(update({ persist: false, toolName: 'web_fetch', commandPrefix: 'x' }));
  expect(await shell(engine, 'mkdir x')).toBe('ask_user');
  expect(await engine.evaluate({ name: 'web_fetch', args: {} })).toBe('ask_user');
});
