/** Checkpoints of the whole program: written before changes, found and restored by another process. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { callTool, type TestRig, testRig, text } from './test-utils.js';

const ON = { general: { checkpointing: { enabled: true } } };

function checkpointFiles(rig: TestRig): string[] {
  const temp = join(rig.home, '.gemini/tmp');
  return readdirSync(temp, { recursive: true, encoding: 'utf8' })
    .filter((path) => /checkpoints\/[^/]+\.json$/.test(path))
    .sort()
    .map((path) => join(temp, path));
}

/** An engine in this process over the rig's home and folder. */
async function openProject({ home, workspace }: TestRig) {
  const before = process.env['GEMINI_CLI_HOME'];
  process.env['GEMINI_CLI_HOME'] = home;
  const { Config } = await import('@gemini-cli/core');
  const config = new Config({
    sessionId: 'another-session',
    targetDir: workspace,
    debugMode: false,
    model: 'offline',
    interactive: false,
  });
  onTestFinished(async () => {
    await config.shutdown();
    if (before === undefined) delete process.env['GEMINI_CLI_HOME'];
    else process.env['GEMINI_CLI_HOME'] = before;
  });
  await config.initialize();
  return config;
}

describe('with general.checkpointing.enabled', { timeout: 120_000 }, () => {
  it('a headless run saves files and conversation before an edit and before a command', async () => {
    const rig = await testRig({ settings: ON, files: { 'a.txt': 'one\n', 'b.txt': 'keep\n' } });
    rig.model.replies(
      [callTool('write_file', { file_path: 'a.txt', content: 'two\n' })],
      [callTool('run_shell_command', { command: 'rm b.txt; echo made > c.txt' })],
      [text('done')],
    );
    const run = await rig.cli('-p', 'change them', '-y', '-o', 'json');
    expect(run.exitCode, run.stderr).toBe(0);
    const files = checkpointFiles(rig);
    expect(files.map((path) => path.replace(/.*_\d{3}Z-/, ''))).toEqual([
      'a.txt-write_file.json',
      'workspace-run_shell_command.json',
    ]);
    const [first, second] = files.map((path) => JSON.parse(readFileSync(path, 'utf8')));
    expect(first).toMatchObject({
      sessionId: run.json().session_id,
      toolCall: { name: 'write_file', args: { file_path: 'a.txt', content: 'two\n' } },
      agentState: { mode: 'yolo' },
    });
    expect(second.clientHistory.map(({ role }: { role: string }) => role)).toEqual([
      'user',
      'model',
      'user',
      'model',
    ]);

    // This process is the other one.
    const { checkpoints } = await (await openProject(rig)).getCheckpoints();
    const names = checkpoints.list().checkpoints.map(({ name }) => name);
    expect(names).toEqual(files.map((path) => path.replace(/.*\/|\.json$/g, '')));
    const restored = await checkpoints.restore(names[0] ?? '');
    expect(restored.files.problem).toBeUndefined();
    expect(rig.read('a.txt')).toBe('one\n');
    expect(rig.read('b.txt')).toBe('keep\n');
    expect(readdirSync(rig.workspace).sort()).toEqual(['a.txt', 'b.txt']);
    expect(restored.history).toEqual([{ type: 'user', text: 'change them' }]);
    expect(checkpointFiles(rig)).toEqual(files);
  });

  it('nothing is written by default', async () => {
    const rig = await testRig();
    rig.model.replies([callTool('write_file', { file_path: 'a.txt', content: 'x\n' })], [text('done')]);
    expect((await rig.cli('-p', 'go', '-y')).exitCode).toBe(0);
    expect(checkpointFiles(rig)).toEqual([]);
  });
});
