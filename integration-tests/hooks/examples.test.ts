/** The examples of docs/hooks.md: each file runs as a hook of the built program and does what the page says. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { callTool, runTool, type TestRig, testRig, text, toolResponses, userText } from '../test-utils.js';

const docs = fileURLToPath(new URL('../../docs/', import.meta.url));
const folder = join(docs, 'examples/hooks');
const example = (name: string) => readFileSync(join(folder, name), 'utf8');

type Hooks = Record<string, { matcher?: string; hooks: { name: string; command: string }[] }[]>;
const { hooks: ALL } = JSON.parse(example('settings.json')) as { hooks: Hooks };

/** A trusted project with one of the examples, as the page configures it. `args` replaces what it runs. */
async function projectWith(name: string, { files = {}, args = '' } = {}): Promise<TestRig> {
  const found = Object.entries(ALL).flatMap(([event, definitions]) =>
    definitions
      .filter(({ hooks }) => hooks.some((hook) => hook.name === name))
      .map((one) => ({ event, one })),
  )[0];
  if (!found) throw new Error(`settings.json has no hook ${name}`);
  const hooks = found.one.hooks.map((hook) => ({
    ...hook,
    command: args === '' ? hook.command : hook.command.replace(/(\.mjs") .*/, `$1 ${args}`),
  }));
  return testRig({
    files: {
      [`.gemini/hooks/${name}.mjs`]: example(`${name}.mjs`),
      '.gemini/settings.json': JSON.stringify({ hooks: { [found.event]: [{ ...found.one, hooks }] } }),
      ...files,
    },
  });
}

describe('The examples of the page about hooks', { timeout: 60_000 }, () => {
  it('are printed there as they are, each with its settings', () => {
    const page = readFileSync(join(docs, 'hooks.md'), 'utf8');
    for (const name of readdirSync(folder)) {
      if (name.endsWith('.mjs')) expect(page, name).toContain(`\n${example(name)}\`\`\``);
    }
    for (const { command, name } of Object.values(ALL).flatMap((list) => list.flatMap(({ hooks }) => hooks)))
      expect(page, name).toContain(JSON.stringify(command));
  });

  it('no-push, the first of the page: a command that pushes is refused', async () => {
    const page = readFileSync(join(docs, 'hooks.md'), 'utf8');
    const [, settings = ''] = /```json\n([\s\S]*?)```/.exec(page) ?? [];
    const rig = await testRig({ files: { '.gemini/settings.json': settings } });
    const { answer } = await runTool(rig, 'run_shell_command', { command: 'echo git push' });
    expect(answer.error).toContain('Pushing is for people.');
    const { answer: other } = await runTool(rig, 'run_shell_command', { command: 'echo git status' });
    expect(other.output).toContain('git status');
  });

  it('block-secrets: a file with a key is not written, and the model learns why', async () => {
    const rig = await projectWith('block-secrets');
    const key = `AIza${'x'.repeat(35)}`;
    const { answer } = await runTool(rig, 'write_file', {
      file_path: 'config.js',
      content: `const k = "${key}"`,
    });
    expect(answer.error).toContain('a Google API key');
    expect(existsSync(rig.path('config.js'))).toBe(false);
  });

  it('block-secrets: other text is written', async () => {
    const rig = await projectWith('block-secrets');
    await runTool(rig, 'write_file', { file_path: 'config.js', content: 'const k = process.env.KEY' });
    expect(existsSync(rig.path('config.js'))).toBe(true);
  });

  it('format: the formatter runs on the written file, and the model is told', async () => {
    const formatter = `
      import { readFileSync, writeFileSync } from 'node:fs';
      const path = process.argv.at(-1);
      writeFileSync(path, JSON.stringify(JSON.parse(readFileSync(path, 'utf8')), null, 2));
    `;
    const rig = await projectWith('format', { files: { 'fmt.mjs': formatter }, args: 'node fmt.mjs' });
    const { answer } = await runTool(rig, 'write_file', { file_path: 'a.json', content: '{"a":1}' });
    expect(readFileSync(rig.path('a.json'), 'utf8')).toBe('{\n  "a": 1\n}');
    expect(answer.output).toContain('<hook_context>a.json was formatted.');
  });

  it('format: a formatter that fails is told to the user, and the edit stays', async () => {
    const rig = await projectWith('format', { args: 'node none.mjs' });
    const { run, answer } = await runTool(rig, 'write_file', { file_path: 'a.json', content: '{' });
    expect(run.stderr).toContain('format: Not formatted');
    expect(answer.error).toBeUndefined();
    expect(readFileSync(rig.path('a.json'), 'utf8')).toBe('{');
  });

  it('run-tests: failing tests send the model back to work once', async () => {
    const check = `import { readFileSync } from 'node:fs';
      if (readFileSync('answer.txt', 'utf8') !== '42') { console.log('expected 42'); process.exit(1); }`;
    const rig = await projectWith('run-tests', {
      files: { 'check.mjs': check, 'answer.txt': '41' },
      args: 'node check.mjs',
    });
    rig.model.replies(
      [text('It is done.')],
      [callTool('write_file', { file_path: 'answer.txt', content: '42' })],
      [text('Now it is.')],
    );
    const run = await rig.cli('-p', 'write the answer', '-y');
    expect(run.exitCode, run.stderr).toBe(0);
    expect(userText(rig, 1)).toContain('The tests fail. Correct this:\nexpected 42');
    expect(run.stdout).toContain('Now it is.');
    expect(run.stderr).toContain('run-tests: The tests pass.');
  });

  it('run-tests: tests that still fail end the run with a message', async () => {
    const rig = await projectWith('run-tests', { args: 'false' });
    rig.model.replies([text('Done.')], [text('I cannot.')]);
    const run = await rig.cli('-p', 'go on', '-y');
    expect(run.exitCode, run.stderr).toBe(0);
    expect(run.stderr).toContain('run-tests: The tests still fail.');
    expect(rig.model.requests).toHaveLength(2);
  });

  it('log-tools: each call becomes a line', async () => {
    const rig = await projectWith('log-tools', { files: { 'a.txt': 'x' } });
    rig.model.replies(
      [callTool('read_file', { file_path: 'a.txt' }), callTool('read_file', { file_path: 'none.txt' })],
      [text('done')],
    );
    await rig.cli('-p', 'read', '-y');
    expect(toolResponses(rig)).toHaveLength(2);
    const lines = readFileSync(rig.path('tool-calls.jsonl'), 'utf8').trim().split('\n');
    const calls = lines.map((line) => JSON.parse(line)).sort((a, b) => (a.target < b.target ? -1 : 1));
    expect(calls).toMatchObject([
      { tool: 'read_file', target: 'a.txt', failed: false },
      { tool: 'read_file', target: 'none.txt', failed: true },
    ]);
  });

  it('git-state: each prompt carries branch and changed files', async () => {
    const rig = await projectWith('git-state', { files: { 'new.txt': 'x' } });
    execFileSync('git', ['init', '-q', '-b', 'topic'], { cwd: rig.workspace });
    rig.model.replies([text('ok')]);
    await rig.cli('-p', 'what changed?');
    expect(userText(rig)).toMatch(/<hook_context>Git branch: topic\nChanged files:\n[\s\S]*\?\? new\.txt/);
    expect(userText(rig)).toContain('what changed?');
  });

  it('git-state: without a repository the prompt goes out as it is', async () => {
    const rig = await projectWith('git-state');
    rig.model.replies([text('ok')]);
    const run = await rig.cli('-p', 'hello');
    expect(run.stdout).toBe('ok\n');
    expect(userText(rig)).not.toContain('hook_context');
  });
});
