/** Extensions made from the templates, linked and at work in the built program. */
import { symlinkSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  callTool,
  declaredTools,
  runTool,
  type TestRig,
  testRig,
  text,
  toolResponses,
  userText,
} from '../test-utils.js';
import { ask, command, LONG, startUi } from '../ui/ui.js';

/** Makes an extension from a template and links it as `gemini extensions link` does. */
async function linked(template: string): Promise<TestRig> {
  const rig = await testRig();
  expect((await rig.cli('extensions', 'new', 'made', template)).exitCode).toBe(0);
  rig.writeHome(
    'extensions/made/.gemini-extension-install.json',
    JSON.stringify({ source: rig.path('made'), type: 'link' }),
  );
  return rig;
}

const system = (rig: TestRig, index = rig.model.requests.length - 1) =>
  JSON.stringify(rig.model.requests[index]?.body ?? {});

describe('A linked template', () => {
  it('policies: searching for .env is denied with its message', async () => {
    const rig = await linked('policies');
    const { answer } = await runTool(rig, 'grep_search', { pattern: '.env' });
    expect(answer.error).toContain('Searching for .env files is not allowed');
    const shell = await runTool(rig, 'run_shell_command', { command: 'grep -r KEY .env' });
    expect(shell.answer.error).toContain('Searching for .env files is not allowed');
  });

  it('policies: rm -rf asks also in yolo mode, so a run without a user refuses it', async () => {
    const rig = await linked('policies');
    rig.write('keep/a.txt', 'a');
    const { answer } = await runTool(rig, 'run_shell_command', { command: 'rm -rf keep' });
    expect(answer.error).toBeDefined();
    expect(rig.read('keep/a.txt')).toBe('a');
  });

  it('mcp-server: the model calls fetch_posts', async () => {
    const rig = await linked('mcp-server');
    symlinkSync(resolve(import.meta.dirname, '../../node_modules'), rig.path('made/node_modules'));
    const { answer } = await runTool(rig, 'mcp_example_fetch_posts', { limit: 1 });
    expect(answer.output).toContain('Writing prompts');
  });

  it('hooks: a generated file is not changed', async () => {
    const rig = await linked('hooks');
    const file_path = rig.path('generated/a.txt');
    const { answer } = await runTool(rig, 'write_file', { file_path, content: 'x' });
    expect(JSON.stringify(answer)).toContain('is generated. Change its source');
  });

  it('custom-commands: /explain is a prompt', async () => {
    const rig = await linked('custom-commands');
    rig.model.replies([text('Explained.')]);
    const run = await rig.cli('-p', '/explain recursion');
    expect(run.stdout.trim()).toBe('Explained.');
    expect(userText(rig)).toContain('recursion');
  });

  it('exclude-tools: the tools are hidden or refused', async () => {
    const rig = await linked('exclude-tools');
    rig.model.replies([text('Hi.')]);
    await rig.cli('-p', 'hello');
    expect(declaredTools(rig)).not.toContain('web_fetch');
  });

  it.each([
    ['context', 'made'],
    ['skills', 'release-notes'],
    ['agents', 'docs-checker'],
  ])('%s: the model is told of it', async (template, expected) => {
    const rig = await linked(template);
    rig.model.replies([text('Hi.')]);
    await rig.cli('-p', 'hello');
    expect(system(rig)).toContain(expected);
  });
});

describe('Extensions in a running session', { timeout: 60_000 }, () => {
  it('leave and come back with their commands and hooks; the conversation continues', async () => {
    const rig = await linked('hooks');
    rig.write('made/commands/greet.toml', 'description = "Greets"\nprompt = "Say hello to {{args}}"\n');
    rig.writeHome('settings.json', JSON.stringify({ experimental: { extensionReloading: true } }));
    const write = callTool('write_file', { file_path: rig.path('generated/a.txt'), content: 'x' });
    rig.model.replies([write], [text('First answer.')], [write], [text('Second answer.')]);
    const screen = await startUi(rig, ['--approval-mode', 'yolo'], { cols: 110, rows: 40 });
    await ask(screen, 'write it', 'First answer.');
    expect(JSON.stringify(toolResponses(rig))).toContain('is generated');
    await command(screen, '/extensions disable made');
    await screen.waitFor('Extension "made" disabled (session).', LONG);
    await ask(screen, 'write it again', 'Second answer.');
    expect(JSON.stringify(toolResponses(rig))).not.toContain('is generated. Change');
    expect(system(rig)).toContain('First answer.');
    await command(screen, '/extensions enable made');
    await screen.waitFor('Extension "made" enabled (session).', LONG);
    rig.model.replies([text('Hello to you.')]);
    await ask(screen, '/greet Ada', 'Hello to you.');
    expect(userText(rig, rig.model.requests.length - 1)).toContain('Say hello to Ada');
  });
});
