/** For tests: a session whose commands are really sandboxed, a front end that answers, a folder outside. */
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createTestConfig } from '@gemini-cli/test-utils';
import { onTestFinished } from 'vitest';
import type { ConfigParameters } from '../engine/parameters.js';
import { findProgram } from '../platform/process/find-program.js';
import { ApprovalMode, MessageBusType, ToolConfirmationOutcome } from '../protocol/confirmation.js';
import type { ConfirmationView } from '../protocol/questions.js';
import type { ShellToolParams } from '../tools/shell/params.js';
import type { AnyToolInvocation, ToolResult } from '../tools/tools.js';
import type { Config } from './config.js';

/** Without a sandbox these tests prove nothing, so they must fail. */
export function requireBubblewrap(): void {
  if (!findProgram('bwrap', process.env['PATH']))
    throw new Error('bubblewrap is missing: install the package "bubblewrap".');
}

export function sandboxedConfig(overrides: Partial<ConfigParameters> = {}): Promise<Config> {
  const parameters = { approvalMode: ApprovalMode.DEFAULT, interactive: true, toolSandboxing: true };
  return createTestConfig({ ...parameters, ...overrides });
}

/** Not below /tmp, which is private inside. */
export function outsideFolder(): string {
  const path = realpathSync(mkdtempSync('/var/tmp/gemini-outside-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

export function invocationOf(config: Config, params: ShellToolParams): AnyToolInvocation {
  const tool = config.getToolRegistry().getTool('run_shell_command');
  if (!tool) throw new Error('The shell tool is not registered.');
  return tool.build(params);
}

export function run(config: Config, params: ShellToolParams | string): Promise<ToolResult> {
  const call = typeof params === 'string' ? { command: params } : params;
  return invocationOf(config, call).execute(new AbortController().signal);
}

export async function textOf(result: Promise<ToolResult>): Promise<string> {
  return String((await result).llmContent);
}

/** What it would be asked before it runs, as the scheduler does it; undefined: another question, or none. */
export async function expansionOf(invocation: AnyToolInvocation) {
  const details = await invocation.shouldConfirmExecute(new AbortController().signal);
  return details && details.type === 'sandbox_expansion' ? details : undefined;
}

type ExpansionView = Extract<ConfirmationView, { type: 'sandbox_expansion' }>;

/** Answers every question with the next outcome; refuses any further one. Returns the questions. */
export function answering(config: Config, ...outcomes: ToolConfirmationOutcome[]): ExpansionView[] {
  const asked: ExpansionView[] = [];
  const bus = config.getMessageBus();
  bus.subscribe(MessageBusType.TOOL_CONFIRMATION_REQUEST, ({ correlationId, details }) => {
    if (details?.type === 'sandbox_expansion') asked.push(details);
    const outcome = outcomes.shift() ?? ToolConfirmationOutcome.Cancel;
    const confirmed = outcome !== ToolConfirmationOutcome.Cancel;
    bus.publish({ type: MessageBusType.TOOL_CONFIRMATION_RESPONSE, correlationId, confirmed, outcome });
  });
  return asked;
}

/** A server of this machine, outside of every sandbox. */
export async function localPort(): Promise<number> {
  const server = createServer((socket) => socket.end('welcome\n'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('The server has no port.');
  return address.port;
}

export function connectTo(port: number): string {
  return `(exec 3<>/dev/tcp/127.0.0.1/${port} && cat <&3) 2>/dev/null || echo no connection`;
}

/** Placeholders for missing `.git` and `.gemini` while a command runs. */
export function hasPlaceholders(config: Config): boolean {
  return ['.git', '.gemini'].some((name) => existsSync(join(config.getTargetDir(), name)));
}
