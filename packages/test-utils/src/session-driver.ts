/** Runs the engine in this process: a real Config over temporary folders, with shortcuts to drive it. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AgentEvent, ApprovalMode, Config, type ConfigParameters } from '@gemini-cli/core';
import { onTestFinished } from 'vitest';
import type { ModelServer } from './model-server.js';

/** The parameters of a headless session without user settings. */
export const DEFAULT_PARAMETERS = new Config({
  sessionId: 's',
  targetDir: '/',
  debugMode: false,
  model: 'offline',
  interactive: false,
}).parameters;

/**
 * An initialized Config with a temporary home and workspace, shut down and removed after the test. It uses `model` if
 * one is given, else the offline guide.
 */
export async function createTestConfig(
  overrides: Partial<ConfigParameters> = {},
  { model }: { model?: ModelServer } = {},
): Promise<Config> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'gemini-config-')));
  const targetDir = join(root, 'workspace');
  mkdirSync(targetDir);
  const restore = setEnvironment({
    GEMINI_CLI_HOME: join(root, 'home'),
    GEMINI_API_KEY: model && 'test',
    GOOGLE_GEMINI_BASE_URL: model?.url,
  });
  const config = new Config({
    sessionId: randomUUID(),
    targetDir,
    debugMode: false,
    model: model ? 'gemini-2.5-flash' : 'offline',
    interactive: false,
    approvalMode: ApprovalMode.YOLO,
    ...overrides,
  });
  onTestFinished(async () => {
    await config.shutdown();
    restore();
    rmSync(root, { recursive: true, force: true });
  });
  await config.initialize();
  return config;
}

export interface CommandResult {
  /** What the model would read. */
  output: string;
  error: string | undefined;
  data: Record<string, unknown> | undefined;
}

/** Runs a command line through the shell tool of this Config. */
export async function executeCommand(config: Config, command: string): Promise<CommandResult> {
  const tool = config.getToolRegistry().getTool('run_shell_command');
  if (!tool) throw new Error('The shell tool is not registered.');
  const result = await tool.build({ command }).execute(new AbortController().signal);
  const { llmContent, error, data } = result;
  const output = typeof llmContent === 'string' ? llmContent : JSON.stringify(llmContent);
  return { output, error: error?.message, data };
}

/** Sends one prompt and collects all events. */
export async function sendPrompt(config: Config, prompt: string): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of config.getSession().send(prompt)) events.push(event);
  return events;
}

/** Config reads the process environment; returns a function that restores it. */
function setEnvironment(variables: Record<string, string | undefined>): () => void {
  const before = Object.keys(variables).map((name) => [name, process.env[name]] as const);
  apply(Object.entries(variables));
  return () => apply(before);
}

function apply(variables: readonly (readonly [string, string | undefined])[]): void {
  for (const [name, value] of variables) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
}
