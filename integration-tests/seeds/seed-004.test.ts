/**
 * Runs the code printed in seed document 004. `printed/` holds it as it stands there; where something had to be added,
 * the first lines of the file say so. It is compiled by the `tsconfig.json` of this folder. §8.3 and §8.4 are tests
 * themselves: `printed/8.3.test.ts`, `printed/8.4.test.ts`.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  ApprovalMode,
  type BusMessage,
  type Config,
  type ConfigParameters,
  MessageBus,
  MessageBusType,
  PolicyDecision,
  setLogSink,
  ToolConfirmationOutcome,
  type ToolInvocation,
  type ToolResult,
} from '@gemini-cli/core';
import { type FakeAnswer, FakeModel } from '@gemini-cli/core/testing';
import { createTestConfig, sendPrompt } from '@gemini-cli/test-utils';
import { describe, expect, it, onTestFinished } from 'vitest';
import { testContext } from '../../packages/cli/src/commands/testing/context.test-helper.js';
import { printAnswer } from './printed/3.1-gemini-client.js';
import { startEngine } from './printed/3.2-config.js';
import { ReadFileTool } from './printed/4.7-read-file.js';
import { ShellToolInvocation, type ShellToolParams } from './printed/4.8-shell.js';
import { MyTool } from './printed/4.10-my-tool.js';
import { chatCommand, dangerousCommand, modelCommand } from './printed/5.4-commands.js';
import { inspectMessageBus, logSomething } from './printed/9.4-debugging.js';

const answeredBy = (...answers: FakeAnswer[]): Partial<ConfigParameters> => ({
  model: 'fake',
  contentGenerator: new FakeModel(answers),
});

/** What the model got back from its one tool call, through the whole engine. */
async function toolAnswer(config: Config): Promise<string> {
  const finished = (await sendPrompt(config, 'go')).find((event) => event.type === 'tool_finished');
  return JSON.stringify(finished?.call);
}

it('§3.1: a consumer reads the answer from sendMessageStream', async () => {
  const config = await createTestConfig(answeredBy('Hello to you.'));
  const printed: unknown[] = [];
  const problems: unknown[] = [];
  await printAnswer(config, {
    log: (text) => void printed.push(text),
    error: (error) => void problems.push(error),
  });
  expect(printed.join('')).toBe('Hello to you.');
  expect(problems).toEqual([]);
});

it('§3.2: services are there after initialize, and the error before it says so', async () => {
  const { parameters } = await createTestConfig(answeredBy());
  const { config, tools } = await startEngine(parameters);
  onTestFinished(() => config.shutdown());
  expect(tools.getTool('read_file')?.displayName).toBe('ReadFile');
  const early = new (config.constructor as typeof Config)(parameters);
  expect(() => early.getToolRegistry()).toThrow('initialize()');
});

describe('§4.7: the printed ReadFileTool', () => {
  it('runs in the engine in place of ours', async () => {
    const call = { name: 'read_file', args: { file_path: 'a.txt', limit: 2 } };
    const config = await createTestConfig(answeredBy({ calls: [call] }, 'done'));
    writeFileSync(join(config.getTargetDir(), 'a.txt'), 'one\ntwo\nthree\n');
    config.getToolRegistry().unregisterTool('read_file');
    config.getToolRegistry().registerTool(new ReadFileTool(config, config.getMessageBus()));
    const answer = await toolAnswer(config);
    expect(answer).toContain('Status: Showing lines 1-2 of 3 total lines.');
    expect(answer).toContain('use offset: 2');
  });

  it('reports a missing file, and refuses a path outside', async () => {
    const config = await createTestConfig();
    const tool = new ReadFileTool(config, config.getMessageBus());
    const result = await tool.build({ file_path: 'gone.txt' }).execute(new AbortController().signal);
    expect(result.error).toEqual({
      message: expect.stringContaining('File not found'),
      type: 'file_not_found',
    });
    expect(() => tool.build({ file_path: '/etc/hosts' })).toThrow('File path must be within workspace');
    expect(tool.build({ file_path: 'sub/a.txt' }).getDescription()).toBe(join('sub', 'a.txt'));
  });
});

describe('§4.8: the printed ShellToolInvocation', () => {
  async function invocation(command: string) {
    const bus = new MessageBus({ check: async () => ({ decision: PolicyDecision.ASK_USER }) });
    const updates: BusMessage[] = [];
    bus.subscribe(MessageBusType.UPDATE_POLICY, (message) => void updates.push(message));
    const config = await createTestConfig();
    // As the engine sees it: callers may pass options, too.
    const built: ToolInvocation<ShellToolParams, ToolResult> = new ShellToolInvocation(
      config,
      { command },
      bus,
      'run_shell_command',
    );
    return { built, updates };
  }

  it('asks with the names of the programs, and an "always" holds for them', async () => {
    const { built, updates } = await invocation(`bash -c 'git status && git log | head'`);
    const details = await built.shouldConfirmExecute(new AbortController().signal);
    expect(details).toMatchObject({
      type: 'exec',
      rootCommand: 'git, git, head',
      rootCommands: ['git', 'head'],
    });
    if (details) await details.onConfirm(ToolConfirmationOutcome.ProceedAlways);
    expect(updates).toMatchObject([{ toolName: 'run_shell_command', commandPrefix: ['git', 'head'] }]);
  });

  it('shows the first word of a line that cannot be read, and an "always" holds for that line', async () => {
    const { built, updates } = await invocation('echo $(date)');
    const details = await built.shouldConfirmExecute(new AbortController().signal);
    expect(details).toMatchObject({ rootCommand: 'echo', rootCommands: [] });
    if (details) await details.onConfirm(ToolConfirmationOutcome.ProceedAlways);
    expect(updates).toMatchObject([{ commandPrefix: 'echo $(date)' }]);
  });

  it('gets signal and output function from a caller that passes options', async () => {
    const { built } = await invocation('ls');
    const shown: unknown[] = [];
    const result = await built.execute({
      abortSignal: AbortSignal.abort(),
      updateOutput: (output) => void shown.push(output),
    });
    expect(result.llmContent).toBe('aborted: true');
    expect(shown).toEqual(['started']);
  });
});

it('§4.10: a tool written by the steps runs in the engine', async () => {
  const call = { name: MyTool.Name, args: { required_param: 'x' } };
  const config = await createTestConfig({
    ...answeredBy({ calls: [call] }, 'done'),
    approvalMode: ApprovalMode.YOLO,
  });
  config.getToolRegistry().registerTool(new MyTool(config, config.getMessageBus()));
  expect(await toolAnswer(config)).toContain('Result text');
});

describe('§5.4: the printed commands', () => {
  it('open a dialog', async () => {
    const config = await createTestConfig();
    expect(await modelCommand.action?.(testContext({ config }), '')).toEqual({
      type: 'dialog',
      dialog: 'model',
    });
  });

  it('have sub-commands with completion', async () => {
    const [list, resume] = chatCommand.subCommands ?? [];
    const context = testContext();
    expect(await list?.action?.(context, '')).toMatchObject({ type: 'message', content: 'monday, tuesday' });
    expect(await resume?.action?.(context, ' ')).toMatchObject({ messageType: 'error' });
    expect(await resume?.action?.(context, 'monday')).toMatchObject({ type: 'load_history' });
    expect(await resume?.completion?.(context, 'tu')).toEqual(['tuesday']);
  });

  it('ask before they do something dangerous', async () => {
    expect(await dangerousCommand.action?.(testContext(), 'now')).toMatchObject({
      type: 'confirm_action',
      originalInvocation: { raw: '/dangerous now' },
    });
    const confirmed = testContext({ overwriteConfirmed: true });
    expect(await dangerousCommand.action?.(confirmed, 'now')).toBeUndefined();
  });
});

describe('§9.4: debugging', () => {
  it('debugLogger writes to the log of the program', () => {
    const lines: unknown[] = [];
    setLogSink((...line) => void lines.push(line));
    onTestFinished(() => setLogSink(undefined));
    const error = new Error('broken');
    logSomething(error);
    expect(lines).toEqual([
      ['debug', 'debug', 'My message', { context: 'data' }],
      ['error', 'debug', 'Error occurred', error],
    ]);
  });

  it('a subscriber sees confirmation requests', async () => {
    const bus = new MessageBus({ check: async () => ({ decision: PolicyDecision.ASK_USER }) });
    const printed = new Promise<unknown[]>((resolve) => {
      inspectMessageBus(bus, { log: (...values: unknown[]) => resolve(values) });
    });
    const toolCall = { name: 'x', args: {} };
    bus.publish({ type: MessageBusType.TOOL_CONFIRMATION_REQUEST, toolCall, correlationId: '1' });
    expect(await printed).toMatchObject(['Confirmation request:', { toolCall, correlationId: '1' }]);
  });
});
