/** Runs a hook as a command hook of settings.json: JSON on stdin, JSON on stdout, the documented exit codes. */
import { readFile } from 'node:fs/promises';
import type { GeminiCliAgent } from '../agent/agent.js';
import type { GeminiCliSession } from '../agent/session.js';
import { consoleTo } from '../console-to.js';
import { SessionShell } from '../context/shell.js';
import type { Message, SessionContext } from '../context/types.js';
import { GeminiCliError } from '../errors.js';
import type { HookEvent } from './event-map.js';
import type { Hook, HookCommandIo, HookDefinition } from './hook.js';
import { toPayload, toWire } from './wire.js';

type Fields = Readonly<Record<string, unknown>>;

/** With the process's own streams it also sets the exit code of the process. */
export async function runAsCommand<E extends HookEvent>(
  definition: HookDefinition<E>,
  run: Hook<E>['run'],
  io: HookCommandIo = {},
): Promise<void> {
  const { stdin = process.stdin, stdout = process.stdout, stderr = process.stderr } = io;
  // stdout carries the result alone.
  const restore = consoleTo(stderr);
  // A process whose hook waits for nothing ends with 0, as if the hook had agreed.
  const onExit = (code: number) => {
    // The hook itself has ended it.
    if (code !== 0) return;
    stderr.write(`The hook "${definition.name}" did not finish.\n`);
    process.exitCode = 1;
  };
  process.once('exit', onExit);
  try {
    const input: unknown = JSON.parse(await textOf(stdin));
    if (!isFields(input)) throw new TypeError('the input is not a JSON object');
    if (!concerns(definition, input)) return;
    const controller = new AbortController();
    const context = await commandContext(input, controller.signal, stderr);
    try {
      const output = toWire(definition.event, await run(toPayload<E>(input), context.ctx));
      if (output) stdout.write(`${JSON.stringify(output)}\n`);
    } finally {
      controller.abort();
      await context.close();
    }
  } catch (error) {
    const isBlock = error instanceof Error && error.name === 'HookBlockError';
    const message = error instanceof Error ? error.message : String(error);
    stderr.write(isBlock ? `${message}\n` : `The hook "${definition.name}" failed: ${message}\n`);
    process.exitCode = isBlock ? 2 : 1;
  } finally {
    process.off('exit', onExit);
    restore();
  }
}

/** Only its own event, and what its matcher names, as in the engine. */
function concerns({ event, matcher }: HookDefinition<HookEvent>, input: Fields): boolean {
  if (input['hook_event_name'] !== event) return false;
  const wanted = matcher?.trim();
  if (!wanted || wanted === '*') return true;
  const subject = input['tool_name'] ?? input['source'] ?? input['reason'] ?? input['trigger'];
  if (typeof subject !== 'string') return true;
  if (input['tool_name'] === undefined) return subject === wanted;
  try {
    return new RegExp(wanted).test(subject);
  } catch {
    return subject === wanted;
  }
}

interface CommandContext {
  ctx: SessionContext;
  close(): Promise<void>;
}

/** Files and commands work in the folder of the input; there is no session to speak to. */
async function commandContext(
  input: Fields,
  signal: AbortSignal,
  stderr: NonNullable<HookCommandIo['stderr']>,
): Promise<CommandContext> {
  const cwd = typeof input['cwd'] === 'string' ? input['cwd'] : process.cwd();
  const transcript = await transcriptOf(input['transcript_path']);
  const config = late(() => startConfig(cwd));
  const ctx: SessionContext = {
    sessionId: String(input['session_id'] ?? ''),
    transcript,
    cwd,
    timestamp: String(input['timestamp'] ?? new Date().toISOString()),
    fs: lateFilesystem(config.get),
    shell: new SessionShell(config.get, signal),
    get agent(): GeminiCliAgent {
      throw noSession('agent');
    },
    get session(): GeminiCliSession {
      throw noSession('session');
    },
    signal,
    ask: async () => {
      throw noSession('ask()');
    },
    log: (message) => void stderr.write(`${message}\n`),
  };
  return { ctx, close: config.close };
}

function noSession(what: string): GeminiCliError {
  return new GeminiCliError(`A hook that runs as a command has no ${what}.`, { code: 'NO_SESSION' });
}

type StartedConfig = import('@gemini-cli/core').Config;

/**
 * An engine only for files and commands, started when the hook uses them. The user trusted the hook, so its folder is, and
 * its commands run unless a rule denies them: no user can be asked here.
 */
async function startConfig(cwd: string): Promise<StartedConfig> {
  const { Config, EventStream, openProject, processVariables, ShellTool, ToolConfirmationOutcome } =
    await import('@gemini-cli/core');
  const events = new EventStream();
  events.subscribe(
    (event) => {
      if (event.type !== 'question') return;
      const { id, question } = event;
      const isCommand = question.kind === 'tool_confirmation' && question.toolName === ShellTool.Name;
      // After all subscribers have seen the question. Other questions, as of a server or about the project, stay unanswered.
      queueMicrotask(() => {
        if (isCommand) events.answer(id, { outcome: ToolConfirmationOutcome.ProceedOnce });
        else events.dismiss(id);
      });
    },
    { answers: true, content: false },
  );
  const env = { ...processVariables(), GEMINI_CLI_TRUST_WORKSPACE: 'true' };
  const overrides = { model: 'offline', extensions: ['none'], settings: { values: NO_HOOKS } };
  const project = await openProject({ cwd, env, overrides, frontEnd: { interactive: true, events } });
  project.change({ sessions: undefined });
  const config = new Config(project);
  await config.initialize();
  return config;
}

/** This process is a hook; it must not start others. */
const NO_HOOKS = { hooksConfig: { enabled: false } };

function late(start: () => Promise<StartedConfig>) {
  let started: Promise<StartedConfig> | undefined;
  return {
    get: () => {
      started ??= start();
      return started;
    },
    close: async () => {
      const config = await started?.catch(() => undefined);
      await config?.shutdown();
    },
  };
}

function lateFilesystem(config: () => Promise<StartedConfig>): SessionContext['fs'] {
  const files = async () => {
    const { SessionFilesystem } = await import('../context/filesystem.js');
    return new SessionFilesystem(await config());
  };
  return {
    readFile: async (path) => (await files()).readFile(path),
    read: async (path) => (await files()).read(path),
    writeFile: async (path, content) => (await files()).writeFile(path, content),
    write: async (path, content) => (await files()).write(path, content),
    readBinary: async (path) => (await files()).readBinary(path),
    exists: async (path) => (await files()).exists(path),
    stat: async (path) => (await files()).stat(path),
    list: async (path) => (await files()).list(path),
    glob: async (pattern, options) => (await files()).glob(pattern, options),
    delete: async (path) => (await files()).delete(path),
    mkdir: async (path) => (await files()).mkdir(path),
  };
}

async function transcriptOf(path: unknown): Promise<Message[]> {
  if (typeof path !== 'string' || path === '') return [];
  try {
    await readFile(path, { flag: 'r' });
    const { loadSession, loadSessions } = await import('@gemini-cli/core');
    const { toMessages } = await loadSessions();
    return toMessages({ messages: loadSession(path).messages }).map(({ role, parts }) => ({ role, parts }));
  } catch {
    return [];
  }
}

async function textOf(stream: AsyncIterable<Uint8Array | string>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of stream)
    text += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
