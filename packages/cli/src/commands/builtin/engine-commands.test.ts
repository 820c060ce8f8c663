import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApprovalMode, type Config, type ConfigParameters, LoadedSettings } from '@gemini-cli/core';
import { createTestConfig, sendPrompt } from '@gemini-cli/test-utils';
import { describe, expect, it } from 'vitest';
import { plainItem } from '../../history/plain-item.js';
import { builtinCommands } from '../loaders/builtin.js';
import { runCommand } from '../run-command.js';
import { type TestContextOptions, testContext } from '../testing/context.test-helper.js';
import type { SlashCommandActionReturn } from '../types.js';

const commands = builtinCommands();
const LONG_TIMEOUT = { timeout: 60_000 };

interface Setup {
  config: Config;
  root: string;
  run(line: string, options?: TestContextOptions): Promise<SlashCommandActionReturn | undefined>;
  text(line: string, options?: TestContextOptions): Promise<string>;
  calls: string[];
}

async function setup(parameters: Partial<ConfigParameters> = {}): Promise<Setup> {
  const config = await createTestConfig(parameters);
  const root = config.getTargetDir();
  const calls: string[] = [];
  const run = async (line: string, options: TestContextOptions = {}) => {
    const app = { changeModel: (model: string) => config.setModel(model) };
    const context = testContext({ config, cwd: root, commands, app, ...options });
    const { result } = await runCommand(line, commands, context);
    calls.push(...context.calls);
    return result;
  };
  const text = async (line: string, options: TestContextOptions = {}) => textOf(await run(line, options));
  return { config, root, run, text, calls };
}

function textOf(result: SlashCommandActionReturn | undefined): string {
  if (result?.type === 'message') return result.content;
  if (result?.type === 'items') return result.items.map(plainItem).join('\n');
  if (result?.type === 'confirm_action') return String(result.prompt);
  return JSON.stringify(result);
}

describe('built-in commands with a running engine', LONG_TIMEOUT, () => {
  it('/memory shows, lists, adds and reloads context files', async () => {
    const { text, root, run } = await setup();
    writeFileSync(join(root, 'GEMINI.md'), 'Be brief.\u001b[2J\n');
    expect(await text('/memory refresh')).toMatch(/^Memory reloaded: \d+ characters from 1 file\.$/);
    expect(await text('/memory show')).toMatch(
      /^1 file read:\n\nProject \(1\)\n--- .*GEMINI\.md ---\nBe brief\.\\u\{1B\}/,
    );
    expect(await text('/memory list')).toContain(join(root, 'GEMINI.md'));
    expect(await text('/memory add I like  tabs')).toMatch(/^Added to .*GEMINI\.md\.$/);
    expect(await text('/memory show')).toContain('- I like  tabs');
    expect(await run('/memory add')).toMatchObject({ messageType: 'error' });
    expect(await run('/memory inbox')).toMatchObject({ messageType: 'warning' });
    const settings = { experimental: { autoMemory: true } };
    expect(await run('/memory inbox', { settings })).toMatchObject({
      dialog: 'inbox',
      plain: expect.stringContaining('suggestions'),
    });
  });

  it('/init creates one file and asks the model to fill it, and keeps an existing one', async () => {
    const { run, root } = await setup();
    expect(await run('/init')).toMatchObject({
      type: 'submit_prompt',
      content: expect.stringContaining('GEMINI.md'),
    });
    expect(readFileSync(join(root, 'GEMINI.md'), 'utf8')).toBe('');
    writeFileSync(join(root, 'GEMINI.md'), 'mine');
    expect(await run('/init')).toMatchObject({ content: expect.stringContaining('exists already') });
    expect(readFileSync(join(root, 'GEMINI.md'), 'utf8')).toBe('mine');
  });

  it('/model set changes the model, and the settings with --persist', async () => {
    const { run, config, calls } = await setup();
    expect(await run('/model set')).toMatchObject({ messageType: 'error' });
    expect(await run('/model set a b')).toMatchObject({ messageType: 'error' });
    expect(await run('/model set no-such-provider/x')).toMatchObject({ messageType: 'error' });
    expect(config.getModel()).toBe('offline');
    await run('/model set offline --persist');
    expect(calls).toEqual(['changeSetting("user", "model.name", "offline")']);
  });

  it('/tools lists what the model can call, with descriptions on request', async () => {
    const { text } = await setup();
    expect(await text('/tools')).toContain('(read_file)');
    expect((await text('/tools desc')).length).toBeGreaterThan((await text('/tools nodesc')).length);
  });

  it('/policies shows the rules by mode', async () => {
    const { text } = await setup({ excludeTools: ['web_fetch'] });
    const shown = await text('/policies list');
    expect(shown).toContain('deny: web_fetch');
    expect(shown).toContain('Plan mode:');
  });

  it('/cost shows what was used and the remaining budget', async () => {
    const { text, config } = await setup({ budget: { maxTokens: 5000, maxToolCalls: 3 } });
    expect(await text('/cost')).toBe(
      'Cost of this session:\n  Budget: tokens  (5,000 of 5,000 left)\n  Budget: tool calls  (3 of 3 left)',
    );
    const usage = { prompt: 1000, candidates: 200, cached: 400, thoughts: 0, tool: 0, total: 1200 };
    config.getLedger().add({ model: 'gemini-2.5-flash', role: 'main', usage });
    const shown = await text('/cost');
    expect(shown).toMatch(
      /gemini-2\.5-flash \(main\) {2}\(\$0\.00\d+\)\n {4}1 call: 1,000 in \(400 cached\), 200 out/,
    );
    expect(shown).toContain('3,800 of 5,000 left');
  });

  it('/directory adds folders after asking about trust, and completes them', async () => {
    const { run, text, root, config } = await setup();
    mkdirSync(join(root, '../other dir/inner'), { recursive: true });
    const settings = { security: { folderTrust: { enabled: true } } };
    expect(await run('/directory add ../other dir', { settings })).toMatchObject({
      type: 'confirm_action',
      originalInvocation: { raw: '/directory add ../other dir' },
    });
    expect(config.getWorkspaceContext().getDirectories()).toHaveLength(1);
    const question = await run('/directory add ../other dir', { settings });
    if (question?.type !== 'confirm_action') throw new Error('It does not ask.');
    expect(question.remember?.label).toBe('Yes, and remember the directories as trusted');
    await question.remember?.save();
    expect(await run('/directory add ../other dir', { settings })).toMatchObject({ type: 'items' });
    expect(await text('/dir show')).toContain('other dir');
    expect(await run('/dir add nope,.')).toMatchObject({ messageType: 'error' });
    expect(await run('/dir add')).toMatchObject({ messageType: 'error' });
    const { completeDirectory } = await import('./directory.js');
    const context = testContext({ config, cwd: root });
    expect(await completeDirectory(context, 'x,../oth')).toEqual(['x,../other dir/']);
    expect(await completeDirectory(context, '../other dir/')).toEqual(['../other dir/inner/']);
  });

  it('/plan switches the mode, shows the plan and sends a goal', async () => {
    const { run, text, config, calls } = await setup({ approvalMode: ApprovalMode.DEFAULT });
    expect(await text('/plan')).toContain('Plan mode');
    expect(calls).toEqual(['setApprovalMode("plan")']);
    expect(await run('/plan make it faster')).toEqual({ type: 'submit_prompt', content: 'make it faster' });
    expect(await run('/plan copy')).toMatchObject({ messageType: 'error' });
    const directory = config.getPolicyEngine().getPlansDirectory() ?? '';
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, 'p.md'), '# Plan');
    expect(await run('/plan')).toMatchObject({ items: [{ type: 'markdown', text: '# Plan' }] });
    await run('/plan copy');
    expect(calls.at(-1)).toBe('copyToClipboard("# Plan")');
    expect(await run('/plan', { settings: { general: { plan: { enabled: false } } } })).toMatchObject({
      messageType: 'error',
    });
  });

  it('/chat saves, lists, resumes, shares and deletes conversations', async () => {
    const { run, text, root, config } = await setup();
    expect(await run('/chat save x')).toMatchObject({ messageType: 'error' });
    await sendPrompt(config, 'hello there');
    expect(await run('/chat save my tag')).toMatchObject({ messageType: 'info' });
    expect(await run('/resume save my tag')).toMatchObject({ type: 'confirm_action' });
    expect(await run('/chat save my tag', { overwriteConfirmed: true })).toMatchObject({
      messageType: 'info',
    });
    expect(await text('/chat list')).toContain('my tag');
    const loaded = await run('/chat load my tag');
    expect(loaded).toMatchObject({
      type: 'load_history',
      history: [{ type: 'user', text: 'hello there' }, {}],
    });
    expect(await run('/chat resume nope')).toMatchObject({ messageType: 'error' });
    expect(await run('/export talk.md')).toMatchObject({ messageType: 'info' });
    expect(readFileSync(join(root, 'talk.md'), 'utf8')).toContain('## USER');
    expect(await run('/chat share talk.md')).toMatchObject({ type: 'confirm_action' });
    expect(await run('/chat share talk.txt')).toMatchObject({ messageType: 'error' });
    await run('/chat delete my tag');
    expect(await text('/chat checkpoints list')).toContain('No saved checkpoints');
  });

  it('/export-session writes what --session-file reads', async () => {
    const { run, root, config } = await setup({ sessions: {} });
    expect(await run('/export-session')).toMatchObject({ messageType: 'error' });
    await sendPrompt(config, 'hello');
    expect(await run('/export-session s.json')).toMatchObject({ messageType: 'info' });
    expect(JSON.parse(readFileSync(join(root, 's.json'), 'utf8'))).toMatchObject({
      sessionId: config.getSessionId(),
    });
    expect(await run('/export-session s.json')).toMatchObject({ type: 'confirm_action' });
  });

  it('/compress and /uncompress say when there is nothing to do', async () => {
    const { run, calls } = await setup();
    expect(await run('/uncompress')).toMatchObject({ messageType: 'error' });
    expect(await run('/compress')).toMatchObject({
      items: [{ type: 'compression', isPending: false, status: 'NOOP' }],
    });
    expect(calls).toEqual([
      'setPendingItem({"type":"compression","isPending":true})',
      'setPendingItem(null)',
    ]);
    expect(await run('/uncompress')).toMatchObject({ messageType: 'error' });
  });

  it('/bug saves the conversation beside the report', async () => {
    const { text, config } = await setup();
    await sendPrompt(config, 'hello');
    const path = /Conversation so far: (.*)$/.exec(await text('/bug'))?.[1] ?? '';
    expect(existsSync(path)).toBe(true);
    expect(readFileSync(path, 'utf8')).toContain('hello');
  });
});

it('testContext gives commands the settings of the test', () => {
  expect(testContext({ settings: { ui: {} } }).services.settings).toBeInstanceOf(LoadedSettings);
});
