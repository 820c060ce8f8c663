import { execFileSync } from 'node:child_process';
import { readdirSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import {
  callTool,
  mountNamespace,
  peakMemory,
  runTool,
  testRig,
  text,
  toolResponses,
} from '../test-utils.js';

const TOOLS: [string, (path: string) => object][] = [
  ['read_file', (file_path) => ({ file_path })],
  ['replace', (file_path) => ({ file_path, old_string: 'a', new_string: 'b' })],
  ['write_file', (file_path) => ({ file_path, content: 'x' })],
];

describe.each(TOOLS)('%s', (tool, args) => {
  it('answers at once on a named pipe without a writer', async () => {
    const rig = await testRig();
    execFileSync('mkfifo', [rig.path('pipe')]);
    const { answer, run } = await runTool(rig, tool, args('pipe'));
    expect(answer.error).toContain('pipe');
    expect(run.exitCode).toBe(0);
  });

  it('answers at once on a socket', async () => {
    const rig = await testRig();
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(rig.path('sock'), resolve));
    const { answer } = await runTool(rig, tool, args('sock'));
    server.close();
    expect(answer.error).toContain('sock');
  });

  it('refuses a link to a device', async () => {
    const rig = await testRig();
    symlinkSync('/dev/zero', rig.path('zero'));
    const { answer } = await runTool(rig, tool, args('zero'));
    expect(answer.error).toContain('zero');
  });

  it('refuses a link cycle', async () => {
    const rig = await testRig();
    symlinkSync('b', rig.path('a'));
    symlinkSync('a', rig.path('b'));
    const { answer } = await runTool(rig, tool, args('a'));
    expect(answer.error).toBeTruthy();
  });

  it.each(['../outside.txt', '/etc/passwd', 'up/../../outside.txt', 'escape/passwd'])(
    'refuses %s',
    async (path) => {
      const rig = await testRig({ files: { 'up/x': '' } });
      symlinkSync('/etc', rig.path('escape'));
      const { answer } = await runTool(rig, tool, args(path));
      expect(answer.error).toContain('Path not in workspace');
    },
  );

  it.each([
    ['an over-long name', 'x'.repeat(5000)],
    ['a name with a line break', 'a\nb'],
    ['no name', ''],
  ])('refuses %s', async (_what, path) => {
    const rig = await testRig();
    const { answer, run } = await runTool(rig, tool, args(path));
    expect(answer.error).toBeTruthy();
    expect(run.exitCode).toBe(0);
  });
});

describe('a file of 1 GB', () => {
  it.each([
    ['read_file', { file_path: 'huge.txt' }],
    ['replace', { file_path: 'huge.txt', old_string: 'begin', new_string: 'end' }],
  ])('%s refuses it with bounded memory', async (tool, args) => {
    const rig = await testRig();
    rig.writeSparse('huge.txt', 2 ** 30, 'begin\n');
    rig.model.replies([callTool(tool, args)], [text('ok')]);
    const run = rig.spawn('-p', 'x', '--approval-mode', 'yolo');
    let peak = Number.NaN;
    rig.model.onRequest = ({ index }) => {
      if (index === 1) peak = peakMemory(run.pid);
    };
    await rig.model.waitForRequest(2);
    expect((await run.done).exitCode).toBe(0);
    expect(toolResponses(rig)[0]?.response.error).toMatch(/20 ?MB|too large/i);
    expect(peak).toBeLessThan(250);
  });

  it('does not stop a search that skips it', async () => {
    const rig = await testRig({ files: { 'small.txt': 'needle\n' } });
    rig.writeSparse('huge.txt', 2 ** 30, 'begin\n');
    const { answer } = await runTool(rig, 'grep_search', { pattern: 'needle' });
    expect(answer.output).toContain('small.txt');
  });
});

describe('a device in the workspace', () => {
  const isRoot = process.getuid?.() === 0;
  it.runIf(isRoot)('is an error, not an endless read', async () => {
    const rig = await testRig();
    execFileSync('mknod', [rig.path('endless'), 'c', '1', '5']);
    const { answer } = await runTool(rig, 'read_file', { file_path: 'endless' });
    expect(answer.error).toContain('endless');
  });
});

describe('a file that vanishes', () => {
  it('between two calls is a missing file', async () => {
    const rig = await testRig({ files: { 'a.txt': 'A' } });
    rig.model.replies([callTool('read_file', { file_path: 'a.txt' })], () => {
      execFileSync('rm', [rig.path('a.txt')]);
      return [callTool('replace', { file_path: 'a.txt', old_string: 'A', new_string: 'B' })];
    }, [text('ok')]);
    const run = await rig.cli('-p', 'x', '--approval-mode', 'yolo', '-o', 'stream-json');
    expect(run.events().filter(({ type }) => type === 'tool_result')[1]).toMatchObject({
      error: { type: 'file_not_found' },
    });
    expect(rig.exists('a.txt')).toBe(false);
  });
});

describe('a full disk', () => {
  it('leaves the old file whole and ends with 54', async () => {
    const rig = await testRig({ files: { 'small/keep.txt': 'precious' } });
    const script =
      'mount -t tmpfs -o size=64k tmpfs small && printf precious > small/keep.txt && "$@"; code=$?; cp -r small seen; exit $code';
    rig.model.replies([
      callTool('write_file', { file_path: 'small/keep.txt', content: 'x'.repeat(300_000) }),
    ]);
    const run = await rig.cli('-p', 'x', '--approval-mode', 'yolo', '-o', 'json', {
      under: [...mountNamespace(), 'bash', '-c', script, 'bash'],
    });
    expect(run.exitCode, run.stderr).toBe(54);
    expect(run.json().error).toMatchObject({ type: 'FatalToolExecutionError' });
    expect(rig.read('seen/keep.txt')).toBe('precious');
    expect(readdirSync(rig.path('seen'))).toEqual(['keep.txt']);
  });
});
