import { join } from 'node:path';
import { makeBus, makeHost, tempDir } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { killAllChildren } from '../../platform/process/child-registry.js';
import { ShellExecutionService } from '../../platform/shell/shell-service.js';
import type { ShellSettings } from '../../platform/shell/shell-settings.js';
import { DEFAULT_SHELL_SETTINGS } from '../../platform/shell/shell-settings.test-helper.js';
import { MessageBusType, PolicyDecision, ToolConfirmationOutcome } from '../../protocol/confirmation.js';
import { withDefaults } from '../../settings/schema/parameters.js';
import { registerBuiltinTools, type ToolHost } from '../catalog.js';
import { ToolRegistry } from '../tool-registry.js';
import type { ToolResult } from '../tools.js';
import { type BackgroundCompletion, watchBackgroundCompletion } from './background-completion.js';
import { SendProcessInputTool } from './send-process-input.js';
import { type ShellHost, ShellTool } from './shell.js';
import { StopProcessTool } from './stop-process.js';

let temp: ReturnType<typeof tempDir>;
let service: ShellExecutionService;
beforeEach(() => {
  temp = tempDir();
  service = new ShellExecutionService({
    logDirectory: join(temp.path, '.logs'),
    variables: process.env,
  });
});
afterEach(() => {
  killAllChildren();
  temp.cleanup();
});

const PATIENT = { timeout: 60_000 };
const signal = new AbortController().signal;
let settings: Partial<ShellSettings> = {};
beforeEach(() => {
  settings = {};
});

function host(): ShellHost {
  return {
    ...makeHost(temp.path),
    getShellSettings: () => ({ ...DEFAULT_SHELL_SETTINGS, ...settings }),
    getShellExecutionService: () => service,
    getDebugMode: () => false,
    isTrustedFolder: () => true,
  };
}

const run = (command: string) => new ShellTool(host(), makeBus()).build({ command }).execute(signal);
const send = (pid: number, input: string, enter?: boolean) =>
  new SendProcessInputTool(host(), makeBus()).build({ pid, input, enter }).execute(signal);
const stop = (pid: number) => new StopProcessTool(host(), makeBus()).build({ pid }).execute(signal);
const pidOf = (result: ToolResult) => Number(result.data?.['pid']);
const textOf = ({ llmContent }: ToolResult) => String(llmContent).replace(/(PID: |Process )\d+/g, '$1N');

describe('run_shell_command', PATIENT, () => {
  it('returns when the command waits for input, with its PID and last lines', async () => {
    const command = 'seq 1 100; read -r -p "Go on? [y/N] " x; echo "got $x"';
    const result = await run(command);
    expect(textOf(result)).toMatch(
      /^The command is waiting for input \(PID: N\)\. It stays in the background: answer it with send_process_input, wait with read_background_output and delay_ms, or end it with stop_process\. Its last lines:\n<untrusted_context>\n52\n53\n[\s\S]*\n100\nGo on\? \[y\/N\]\n<\/untrusted_context>$/,
    );
    const pid = pidOf(result);
    expect(result.returnDisplay).toBe(`Command is waiting for input (PID: ${pid}).`);
    expect(result.data).toMatchObject({ command, waitingForInput: true });
    expect(service.listBackground()).toMatchObject([{ pid, status: 'running' }]);
  });

  it('reports that a slow command was moved to the background', async () => {
    settings = { backgroundAfterSeconds: 0.2 };
    expect(textOf(await run('sleep 300'))).toBe(
      'The command still runs after 0.2 seconds and was moved to the background (PID: N). ' +
        'Use read_background_output to see what it prints. There was no output until then.',
    );
  });
});

describe('send_process_input', PATIENT, () => {
  it('types a line and returns the answer, until the process has ended', async () => {
    const pid = pidOf(
      await run('read -rs -p "First: " a; read -rs -p "Second: " b; echo; echo "$a+$b"; exit 3'),
    );
    const first = await send(pid, 'one');
    expect(textOf(first)).toBe(
      'Process N is waiting for input. It printed:\n<untrusted_context>\nSecond:\n</untrusted_context>',
    );
    const second = await send(pid, 'two\n');
    expect(textOf(second)).toBe(
      'Process N has ended (Exit Code: 3). It printed:\n<untrusted_context>\n\none+two\n</untrusted_context>',
    );
    expect(second.data).toEqual({ pid, state: 'exited', exitCode: 3 });
    expect((await send(pid, 'three')).error).toMatchObject({
      type: 'execution_failed',
      message: `Process ${pid} has already ended (Exit Code: 3). read_background_output shows its output.`,
    });
  });

  it('presses single keys', async () => {
    const pid = pidOf(await run('read -rsn 1 key; echo "key=$key"; read -r x'));
    expect(textOf(await send(pid, 'y', false))).toContain('key=y');
    expect(textOf(await send(pid, '\u0003', false))).toContain('Process N has ended');
  });

  it('reaches only processes of this session that have a terminal', async () => {
    expect((await send(1, 'x')).error?.message).toContain('Access denied: PID 1 is not');
    settings = { enableInteractiveShell: false };
    const invocation = new ShellTool(host(), makeBus()).build({
      command: 'sleep 300',
      is_background: true,
      delay_ms: 0,
    });
    const pid = pidOf(await invocation.execute(signal));
    expect((await send(pid, 'x')).error?.message).toBe(
      `Process ${pid} takes no input. stop_process ends it.`,
    );
  });

  it('refuses input of the size of a file', () => {
    const tool = new SendProcessInputTool(host(), makeBus());
    expect(() => tool.build({ pid: 1, input: 'x'.repeat(20_000) })).toThrow('Write it to a file');
    expect(() => tool.build({ pid: 1 } as never)).toThrow("required property 'input'");
  });

  it('asks with the input, its keys visible, and the command; "always" applies to this process in this session', async () => {
    const pid = pidOf(await run('read -r x'));
    const bus = makeBus(PolicyDecision.ASK_USER);
    const updates: unknown[] = [];
    bus.subscribe(MessageBusType.UPDATE_POLICY, (update) => updates.push(update));
    const invocation = new SendProcessInputTool(host(), bus).build({ pid, input: 'a\u0003' });
    const details = await invocation.shouldConfirmExecute(signal);
    expect(details).toMatchObject({
      type: 'info',
      prompt: `Type "a\\u0003" and Enter into process ${pid}: read -r x`,
    });
    if (details) await details.onConfirm(ToolConfirmationOutcome.ProceedAlwaysAndSave);
    expect(updates).toEqual([
      {
        type: MessageBusType.UPDATE_POLICY,
        toolName: 'send_process_input',
        persist: false,
        argsPattern: `\\x00"pid":${pid}\\x00`,
      },
    ]);
  });
});

describe('stop_process', PATIENT, () => {
  it('ends a process once', async () => {
    const pid = pidOf(await run('read -r x'));
    expect(textOf(await stop(pid))).toMatch(/^Process N was stopped \(Signal: SIG(?:TERM|KILL)\)\.$/);
    expect((await stop(pid)).error?.message).toContain('has already ended');
    expect((await stop(1)).error?.message).toContain('Access denied');
  });
});

describe('the tools for processes', PATIENT, () => {
  it('are declared only while there is a process to use them on', async () => {
    const registry = new ToolRegistry({ isAlwaysDenied: () => false });
    registerBuiltinTools(registry, { ...host(), isInteractive: () => true } as ToolHost, makeBus(), {
      ...withDefaults({}),
      coreTools: ['run_shell_command', 'send_process_input', 'StopProcessTool'],
    });
    const declared = () => registry.getFunctionDeclarations('gemini-3-pro').map(({ name }) => name);
    expect(declared()).toEqual(['run_shell_command']);
    const pid = pidOf(await run('read -r x'));
    expect(declared()).toEqual(['run_shell_command', 'send_process_input', 'stop_process']);
    await stop(pid);
    expect(declared()).toEqual(['run_shell_command']);
    settings = { enableInteractiveShell: false, backgroundAfterSeconds: 0.1 };
    await run('sleep 300');
    expect(declared()).toEqual(['run_shell_command', 'stop_process']);
  });
});

describe('the end of a background process', PATIENT, () => {
  const watched = async (kind: ShellSettings['backgroundCompletionBehavior'], command: string) => {
    const seen: BackgroundCompletion[] = [];
    watchBackgroundCompletion(
      service,
      () => kind,
      (completion) => seen.push(completion),
    );
    const pid = pidOf(await run(command));
    await send(pid, 'go');
    return seen.map(({ kind, text }) => [kind, text.replaceAll(String(pid), 'N')]);
  };
  const COMMAND = 'read -rs x; echo "got $x"; exit 2';

  it('is reported to the model with the output, to the user in short, or not at all', async () => {
    const note = `Background process N has ended (Exit Code: 2): ${COMMAND}`;
    expect(await watched('inject', COMMAND)).toEqual([
      ['inject', `${note}\nIts output:\n<untrusted_context>\ngot go\n</untrusted_context>`],
    ]);
    expect(await watched('notify', COMMAND)).toEqual([['notify', note]]);
    expect(await watched('silent', COMMAND)).toEqual([]);
  });

  it('is not reported when the session stopped it', async () => {
    const seen: BackgroundCompletion[] = [];
    watchBackgroundCompletion(
      service,
      () => 'inject',
      (completion) => seen.push(completion),
    );
    await stop(pidOf(await run('read -r x')));
    expect(seen).toEqual([]);
  });
});
