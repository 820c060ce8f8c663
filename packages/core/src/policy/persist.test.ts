/** "Always" answers: how they are narrowed, kept, saved and found again. */
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ApprovalMode, MessageBusType, type UpdatePolicy } from '../protocol/confirmation.js';
import { narrowAlways } from './always-rules.js';
import { policyLab, shell } from './policy-lab.test-helper.js';
import { parsePolicyFile } from './toml-loader.js';

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

describe('narrowing', () => {
  it.each<[string, string | string[], boolean?]>([
    ['npm test', ['npm test']],
    ['npm test && git push origin', ['npm test', 'git push origin']],
    ['git log > x', ['git log'], true],
    ['python3 -c "print(1)"', ["python3 -c 'print(1)'"]],
    ['sudo npm i', ['sudo npm i', 'npm i']],
    ['bash -c "npm i"', ['npm i']],
    ['rm -rf dist', ['rm -rf dist']],
    ['find . -delete', ['find . -delete']],
    ['git -c a.b=c push', ['git -c a.b=c push']],
    ['timeout 5 make all', ['make all']],
    ['$X y', '$X y'],
    ['echo "', 'echo "'],
    ['FOO=1 npm test', ['npm test']],
  ])('%s', async (command, commandPrefix, allowRedirection) => {
    const expected = allowRedirection ? { commandPrefix, allowRedirection } : { commandPrefix };
    expect(await narrowAlways('run_shell_command', { command })).toEqual(expected);
  });

  it('of files and searches: exactly these', async () => {
    expect(await narrowAlways('write_file', { file_path: 'a.b', content: 'c' })).toEqual({
      argsPattern: '\\x00"file_path":"a\\.b"\\x00',
    });
    expect(await narrowAlways('search_file_content', { pattern: 'x+' })).toEqual({
      argsPattern: '\\x00"pattern":"x\\+"\\x00',
    });
    expect(await narrowAlways('read_many_files', { include: ['a', 'b'] })).toEqual({
      argsPattern: '\\x00"include":\\["a","b"\\]\\x00',
    });
    expect(await narrowAlways('web_fetch', {})).toBeUndefined();
  });
});

it('is not broader than what was shown', async () => {
  const engine = await lab.engine();
  engine.applyUpdate(
    update({ persist: false, ...(await narrowAlways('run_shell_command', { command: 'python3 a.py' })) }),
  );
  expect(await shell(engine, 'python3 a.py')).toBe('allow');
  expect(await shell(engine, 'python3 b.py')).toBe('ask_user');
  const write = (file_path: string) =>
    engine.evaluate({ name: 'write_file', args: { file_path, content: 'x' } });
  engine.applyUpdate(
    update({
      toolName: 'write_file',
      persist: false,
      ...(await narrowAlways('write_file', { file_path: 'src/a' })),
    }),
  );
  expect([await write('src/a'), await write('src/ab'), await write('x/src/a')]).toEqual([
    'allow',
    'ask_user',
    'ask_user',
  ]);
});

it('works after a restart, in the mode of the answer and more permissive ones', async () => {
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

it('merges equal rules, and many answers at once lose none', async () => {
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

it('keeps a broken file aside and refuses a link', async () => {
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
  engine.applyUpdate(update({ commandPrefix: 'touch', persistScope: 'workspace' }));
  await engine.flush();
  expect(readFileSync(target, 'utf8')).toBe('');
  expect(notices).toEqual([expect.stringContaining('.bak'), expect.stringContaining('symbolic link')]);
  expect(await shell(engine, 'touch x')).toBe('allow');
});

it('saves into the project without having to be accepted again', async () => {
  const engine = await lab.engine();
  engine.applyUpdate(update({ commandPrefix: 'mkdir', persistScope: 'workspace' }));
  await engine.flush();
  expect(existsSync(saved())).toBe(false);
  expect(await shell(await lab.engine({ interactive: false }), 'mkdir x')).toBe('allow');
});

it('makes no rule of nonsense', async () => {
  const engine = await lab.engine();
  engine.applyUpdate(update({ persist: false, commandPrefix: ' ' }));
  engine.applyUpdate(update({ persist: false, toolName: '*' }));
  engine.applyUpdate(update({ persist: false, toolName: 'web_fetch', argsPattern: '(' }));
  engine.applyUpdate(update({ persist: false, toolName: 'web_fetch', commandPrefix: 'x' }));
  expect(await shell(engine, 'mkdir x')).toBe('ask_user');
  expect(await engine.evaluate({ name: 'web_fetch', args: {} })).toBe('ask_user');
});
