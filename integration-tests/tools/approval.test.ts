import { describe, expect, it } from 'vitest';
import { callTool, declaredTools, runTool, testRig, text } from '../test-utils.js';

const READERS = ['list_directory', 'read_file', 'glob', 'grep_search'];
const EDITORS = ['write_file', 'replace'];

async function offered(mode: string | undefined): Promise<string[]> {
  const rig = await testRig();
  rig.model.replies([text('ok')]);
  await rig.cli('-p', 'x', ...(mode ? ['--approval-mode', mode] : []));
  return declaredTools(rig);
}

describe('The tools offered to the model', () => {
  it('in mode plan are readers, and editors for plans only', async () => {
    const names = await offered('plan');
    expect(names).toEqual(expect.arrayContaining([...READERS, ...EDITORS]));
    for (const absent of ['run_shell_command', 'ask_user']) expect(names).not.toContain(absent);
  });

  it.each([undefined, 'default'])('in mode %s are only those that change nothing', async (mode) => {
    const names = await offered(mode);
    expect(names).toEqual(expect.arrayContaining(READERS));
    for (const absent of [
      ...EDITORS,
      'run_shell_command',
      'ask_user',
      'read_many_files',
      'get_internal_docs',
    ]) {
      expect(names).not.toContain(absent);
    }
  });

  it('in mode auto_edit include edits, not commands', async () => {
    const names = await offered('auto_edit');
    expect(names).toEqual(expect.arrayContaining([...READERS, ...EDITORS]));
    expect(names).not.toContain('run_shell_command');
  });

  it('in mode yolo include commands', async () => {
    expect(await offered('yolo')).toEqual(
      expect.arrayContaining([...READERS, ...EDITORS, 'run_shell_command']),
    );
  });

  it('are narrowed by tools.core and tools.exclude', async () => {
    const rig = await testRig({
      settings: { tools: { core: ['ReadFileTool', 'glob', 'grep_search'], exclude: ['glob'] } },
    });
    rig.model.replies([text('ok')]);
    await rig.cli('-p', 'x');
    expect(declaredTools(rig).sort()).toEqual(['grep_search', 'read_file']);
  });

  it('are none with tools.core: []', async () => {
    const rig = await testRig({ settings: { tools: { core: [] } } });
    rig.model.replies([text('ok')]);
    expect((await rig.cli('-p', 'x')).stdout).toBe('ok\n');
    expect(declaredTools(rig)).toEqual([]);
  });

  it('include one more with --allowed-tools, with a warning that it is deprecated', async () => {
    const rig = await testRig({ files: { 'a.txt': 'hi\n' } });
    rig.model.replies([callTool('run_shell_command', { command: 'cp a.txt made.txt' })], [text('ok')]);
    const run = await rig.cli('-p', 'x', '--allowed-tools', 'run_shell_command');
    expect(rig.read('made.txt')).toBe('hi\n');
    expect(run.stderr).toMatch(/\[WARNING\].*allowed-tools.*deprecated/i);
  });

  it('include only the allowed part of a tool with --allowed-tools', async () => {
    const rig = await testRig({ files: { 'a.txt': 'hi\n' } });
    rig.model.replies(
      [
        callTool('run_shell_command', { command: 'cp a.txt made.txt' }),
        callTool('run_shell_command', { command: 'mv a.txt b.txt' }),
      ],
      [text('ok')],
    );
    await rig.cli('-p', 'x', '--allowed-tools', 'run_shell_command(cp)');
    expect(rig.read('made.txt')).toBe('hi\n');
    expect(rig.exists('b.txt')).toBe(false);
  });

  it('keep the first request small', async () => {
    const rig = await testRig();
    rig.model.replies([text('ok')]);
    await rig.cli('-p', 'hello', '-m', 'gemini-2.5-flash', '--approval-mode', 'yolo');
    expect(rig.model.requests[0]?.bytes).toBeLessThanOrEqual(16_000);
  });
});

describe('A call that was not offered', () => {
  it.each([
    ['write_file', { file_path: 'a.txt', content: 'changed' }],
    ['replace', { file_path: 'a.txt', old_string: 'same', new_string: 'changed' }],
    ['run_shell_command', { command: 'echo changed > a.txt' }],
  ])('%s is refused in default mode and changes nothing', async (name, args) => {
    const rig = await testRig({ files: { 'a.txt': 'same' } });
    const { answer, result, run } = await runTool(rig, name, args, 'default');
    expect(answer.error).toBeTruthy();
    expect(result['status']).toBe('error');
    expect(rig.read('a.txt')).toBe('same');
    expect(run.exitCode).toBe(0);
  });

  it.each([undefined, 'default', 'auto_edit', 'plan'])(
    'mode %s: a harmless command is answered as if there were no shell',
    async (mode = 'default') => {
      const rig = await testRig({ files: { 'a.txt': 'secret words' } });
      for (const command of ['cat a.txt', 'git status', 'ls']) {
        const { answer, result } = await runTool(rig, 'run_shell_command', { command }, mode);
        expect(String(answer.error)).toMatch(/^Tool "run_shell_command" not found/);
        expect(result).toMatchObject({ status: 'error', error: { type: 'tool_not_registered' } });
      }
    },
  );

  it('runs only with a rule for it; a harmless command without a rule does not', async () => {
    const rig = await testRig({
      settings: { tools: { allowed: ['run_shell_command(cat)'] } },
      files: { 'a.txt': 'words' },
    });
    const cat = await runTool(rig, 'run_shell_command', { command: 'cat a.txt' }, 'default');
    expect(cat.answer.output).toContain('words');
    const both = await runTool(rig, 'run_shell_command', { command: 'cat a.txt && ls' }, 'default');
    expect(String(both.answer.error)).toContain('Tool execution denied by policy');
  });

  it('includes ask_user, which is never offered', async () => {
    const rig = await testRig();
    const { result } = await runTool(rig, 'ask_user', { questions: [] });
    expect(result).toMatchObject({ status: 'error', error: { type: 'tool_not_registered' } });
  });
});

describe('--yolo', () => {
  const WARNING = '[WARNING] --yolo (-y): every tool call is approved without a question.\n';

  it.each([
    ['-y in text', ['-y'], WARNING],
    ['-y in json', ['-y', '-o', 'json'], ''],
    ['the approval mode', ['--approval-mode', 'yolo'], ''],
  ])('is announced once on stderr, for people: %s', async (_name, flags, stderr) => {
    const rig = await testRig();
    rig.model.replies([callTool('list_directory', { dir_path: '.' })], [text('done')]);
    const run = await rig.cli('-p', 'x', ...flags);
    expect({ exitCode: run.exitCode, stderr: run.stderr }).toEqual({ exitCode: 0, stderr });
    expect(run.stdout).not.toContain('approved without');
  });
});
