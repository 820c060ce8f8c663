import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config, ConfigParameters } from '@gemini-cli/core';
import { createTestConfig, executeCommand, sendPrompt } from '@gemini-cli/test-utils';
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
    const context = testContext({ config, cwd: root, commands, ...options });
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
  it('/undo previews, asks, and restores files', async () => {
    const { run, text, root, config } = await setup();
    writeFileSync(join(root, 'a.txt'), 'one\n');
    await sendPrompt(config, 'hello');
    const { loadSnapshots } = await import('@gemini-cli/core');
    const { SnapshotEngine } = await loadSnapshots();
    const { storage } = config;
    const [storeDir, globalDir] = [storage.getSnapshotDir(), storage.getGlobalGeminiDir()];
    const store = { storeDir, globalDir, roots: [root], maxBytes: 1e6 };
    const engine = new SnapshotEngine(store);
    const { id } = engine.beforeCommand({ callId: 'c', toolName: 'run_shell_command', promptId: 'p' });
    await executeCommand(config, 'echo two > a.txt');
    engine.after(id);
    expect(await run('/undo')).toEqual({ type: 'dialog', dialog: 'undo' });
    const asked = await run('/undo last');
    expect(asked).toMatchObject({ type: 'confirm_action', originalInvocation: { raw: `/undo ${id}` } });
    // For the screen, which draws the diff with line numbers.
    expect(asked).toMatchObject({
      files: { question: 'Restore these files?', steps: [{ action: 'restore', diff: expect.any(String) }] },
    });
    expect(textOf(asked)).toContain('restore  a.txt');
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('two\n');
    expect(await text(`/undo ${id}`, { overwriteConfirmed: true })).toMatch(
      /^Restored 1 file\.\nTo redo the change: \/undo \w+$/,
    );
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('one\n');
    expect(await run('/undo nope')).toMatchObject({ messageType: 'error' });
  });

  it('/chat debug writes the last request without secrets, and names the file', async () => {
    const { text, config } = await setup();
    expect(await text('/chat debug')).toBe('No request has been sent yet.');
    config.getRedactor().addSecret('hidden-token-123456');
    await sendPrompt(config, 'hello hidden-token-123456');
    const said = await text('/chat debug');
    const path = /^Saved the last request to (.*\.json)\.$/.exec(said)?.[1] ?? '';
    const request = JSON.parse(readFileSync(path, 'utf8'));
    expect(JSON.stringify(request.contents)).toContain('hello');
    expect(request).toMatchObject({ model: config.getModel(), systemInstruction: { parts: [{}] } });
    expect(readFileSync(path, 'utf8')).not.toContain('hidden-token-123456');
  });

  it('/checkpoint saves and /restore restores files and conversation', async () => {
    const { run, text, root, config } = await setup();
    expect(await text('/restore')).toContain('No checkpoints found.');
    writeFileSync(join(root, 'a.txt'), 'one\n');
    await sendPrompt(config, 'hello');
    const name = /^Saved checkpoint (\S+)\. Restore it/.exec(await text('/checkpoint before'))?.[1] ?? '';
    expect(await text('/restore')).toContain(`Checkpoints:\n  ${name}`);
    expect(await text('/restore list')).toContain(`Checkpoints:\n  ${name}`);
    const { completeCheckpoint } = await import('./restore.js');
    expect(await completeCheckpoint(testContext({ config }), name.slice(0, 5))).toEqual([name]);
    await sendPrompt(config, 'more');
    const result = await run(`/restore ${name}`);
    expect(result).toMatchObject({ type: 'load_history' });
    if (result?.type !== 'load_history') return;
    expect(result.history[0]).toMatchObject({ type: 'user', text: 'hello' });
    expect(JSON.stringify(result.clientHistory)).not.toContain('more');
    expect(await run('/restore nope')).toMatchObject({ messageType: 'error' });
    await text('/checkpoint list');
    expect(await run('/restore list')).toMatchObject({ type: 'load_history' });
  });
});
