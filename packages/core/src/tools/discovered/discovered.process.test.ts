import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTestConfig, tempDir } from '@gemini-cli/test-utils';
import { describe, expect, it, onTestFinished } from 'vitest';
import { EventStream } from '../../bus/event-stream.js';
import type { ConfigParameters } from '../../engine/parameters.js';
import { ApprovalMode } from '../../protocol/confirmation.js';
import { ToolErrorType } from '../tool-error.js';
import { discoverOffers } from './run-commands.js';

const DECLARED = [
  {
    name: 'add',
    description: 'Adds.',
    parameters: { type: 'OBJECT', properties: { n: { type: 'INTEGER' } } },
  },
  { function_declarations: [{ name: 'old', description: 'An older form.' }] },
  { functionDeclarations: [{ name: 'new', parametersJsonSchema: { type: 'object', required: ['x'] } }] },
  { name: 'not a name' },
  7,
];

/** Prints what the shell script given as `call` prints; `discover` prints the declarations. */
async function session(call: string, more: Partial<ConfigParameters> = {}, discover?: string) {
  const folder = tempDir('discovered-');
  onTestFinished(() => folder.cleanup());
  const script = (name: string, text: string) => {
    const path = join(folder.path, name);
    writeFileSync(path, `#!/bin/sh\n${text}\n`);
    chmodSync(path, 0o700);
    return path;
  };
  const ran = join(folder.path, 'discovery-ran');
  const declare = discover ?? `cat <<'END'\n${JSON.stringify(DECLARED)}\nEND`;
  const command = `'${script('discover it', `touch '${ran}'\n${declare}`)}' --all`;
  const callCommand = script('call', call);
  const events = new EventStream();
  const notices: string[] = [];
  events.subscribe((event) => {
    if (event.type === 'notice') notices.push(event.message);
  });
  const config = await createTestConfig({
    approvalMode: ApprovalMode.YOLO,
    discovery: { command, callCommand },
    events,
    ...more,
  });
  onTestFinished(() => config.shutdown());
  const registry = await config.createToolRegistry();
  return {
    config,
    registry,
    notices,
    wasRun: () => existsSync(ran),
    names: () => registry.getAllToolNames().filter((name) => name.startsWith('discovered_tool_')),
    run: (name: string, args: object) => {
      const tool = registry.getTool(`discovered_tool_${name}`);
      if (!tool) throw new Error(`There is no ${name}.`);
      return tool.build(args).execute({ abortSignal: new AbortController().signal });
    },
  };
}

describe('discovered tools', () => {
  it('are declared after the built-in ones, whatever form the command prints', async () => {
    const { registry, notices, names } = await session('true');
    expect(names()).toEqual(['discovered_tool_add', 'discovered_tool_old', 'discovered_tool_new']);
    const declared = registry.getFunctionDeclarations('gemini-2.5-pro');
    expect(declared.slice(-3).map(({ name }) => name)).toEqual(names());
    expect(declared.find(({ name }) => name === 'discovered_tool_add')?.parametersJsonSchema).toMatchObject({
      type: 'object',
      properties: { n: { type: 'integer' } },
    });
    expect(notices).toContain('tools.discoveryCommand printed entries that are not tools: "not a name", 7');
  });

  it('are run with the name as argument and the JSON on stdin, in the project', async () => {
    const { run, config } = await session('echo "$# $1 $(cat) $PWD"');
    expect(await run('add', { n: 1 })).toEqual({
      llmContent: `1 add {"n":1} ${config.getTargetDir()}\n`,
      returnDisplay: `1 add {"n":1} ${config.getTargetDir()}\n`,
    });
  });

  it('check arguments by the schema the command gave', async () => {
    const { registry } = await session('true');
    const build = (args: object) => registry.getTool('discovered_tool_add')?.build(args);
    expect(() => build({ n: 'one' })).toThrow('n');
  });

  it.each([
    [
      'an exit code',
      'echo out; exit 3',
      'Stdout: out\n\nStderr: (empty)\nError: (none)\nExit Code: 3\nSignal: (none)',
    ],
    [
      'text on stderr',
      'echo bad >&2',
      'Stdout: (empty)\nStderr: bad\n\nError: (none)\nExit Code: 0\nSignal: (none)',
    ],
    [
      'a signal',
      'kill -9 $$',
      'Stdout: (empty)\nStderr: (empty)\nError: (none)\nExit Code: (none)\nSignal: SIGKILL',
    ],
  ])('fail with %s', async (_what, call, message) => {
    const { error } = await (await session(call)).run('add', {});
    expect(error).toEqual({ message, type: ToolErrorType.DISCOVERED_TOOL_EXECUTION_ERROR });
  });

  it('fail when the command cannot be started or takes too long', async () => {
    const gone = await session('true', {});
    gone.config.getEngine().project.change({
      discovery: { command: 'true', callCommand: '/no/such/program' },
    });
    expect((await gone.run('add', {})).error?.message).toContain('ENOENT');
    const slow = await session('sleep 60', { shell: { inactivityTimeout: 0.1 } });
    expect((await slow.run('add', {})).error?.message).toContain('Error: it took longer than 0.1 s');
  });

  it('get an environment without secrets', async () => {
    const { run } = await session('echo "[$MY_API_TOKEN] [$PAGER]"', {
      environmentRedaction: { enabled: true },
      environment: {
        variables: { ...process.env, MY_API_TOKEN: 'hunter2hunter2' },
        cwd: process.cwd(),
        home: process.env['HOME'] ?? '/',
      },
    });
    expect((await run('add', {})).llmContent).toBe('[] [cat]\n');
  });

  it('ask in default mode, and are refused in plan mode and headless', async () => {
    const decide = async (approvalMode: ApprovalMode, interactive: boolean) => {
      const { config } = await session('true', { approvalMode, interactive });
      return config.getPolicyEngine().evaluate({ name: 'discovered_tool_add', args: {} });
    };
    expect(await decide(ApprovalMode.DEFAULT, true)).toBe('ask_user');
    expect(await decide(ApprovalMode.DEFAULT, false)).toBe('deny');
    expect(await decide(ApprovalMode.PLAN, true)).toBe('deny');
  });

  it('do not exist in an untrusted folder, and go when trust is revoked', async () => {
    const untrusted = await session('true', { trusted: false });
    expect(untrusted.names()).toEqual([]);
    expect(untrusted.wasRun()).toBe(false);
    const { config, run } = await session('echo ran');
    const main = config.getToolRegistry();
    // The main agent waits for them before its first request.
    for await (const _ of config.getSession().send('hello'));
    expect(main.getTool('discovered_tool_add')).toBeDefined();
    config.setTrusted(false);
    expect(main.getTool('discovered_tool_add')).toBeUndefined();
    expect((await run('add', {})).error?.message).toContain('no longer trusted');
  });
});

describe('a discovery that fails', () => {
  it.each([
    ['exit 2', 'it failed with exit code 2'],
    ['echo no tools >&2; exit 1', 'it failed with exit code 1: no tools'],
    ['echo hello', 'it did not print JSON'],
    ['echo "{}"', 'it did not print a list of declarations'],
    ['head -c 11000000 /dev/zero', 'it printed more than 10 MB'],
  ])('is reported and brings no tools: %s', async (discover, problem) => {
    const { notices, names, registry } = await session('true', {}, discover);
    expect(names()).toEqual([]);
    expect(registry.getAllToolNames()).toContain('read_file');
    expect(notices.join('\n')).toContain(`tools.discoveryCommand brought no tools: ${problem}`);
  });

  it('ends after its time limit', async () => {
    const host = {
      getDiscoveryCommands: () => undefined,
      getTargetDir: () => process.cwd(),
      getCommandEnvironment: () => ({ PATH: process.env['PATH'] ?? '' }),
      getCallLimitMs: () => 0,
    };
    const discovery = discoverOffers(host, 'sleep 60', new AbortController().signal, 100);
    await expect(discovery).rejects.toThrow('it took longer than 0.1 s');
  });

  it('names the command that is missing', async () => {
    const { notices } = await session('true', { discovery: { command: 'true' } });
    expect(notices).toContain('tools.discoveryCommand has no effect without tools.callCommand.');
  });
});
