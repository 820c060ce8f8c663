/** Does the work of a headless run: reads settings, starts the engine, sends the prompt, reports events. */
import {
  ApprovalMode,
  type Config,
  chooseSession,
  type ErrorInfo,
  EventStream,
  FatalCancellationError,
  FatalInputError,
  isMainAgent,
  messageOf,
  processVariables,
  requestedModel,
  type Settings,
  setting,
  toErrorInfo,
  untilAborted,
  type Worktree,
} from '@gemini-cli/core';
import type { CommandLine } from '../command-line/parse.js';
import type { runHeadlessCommand } from '../commands/headless.js';
import { isCommandLine } from '../commands/parse-command.js';
import { overridesFrom } from '../engine/overrides.js';
import { openRunFolder } from '../engine/run-folder.js';
import { startEngine } from '../engine/start-engine.js';
import { joinPrompt, type PromptPieces } from '../input/prompt.js';
import { standardOutput } from '../output/output.js';
import type { Report } from './report.js';
import { STDIN_LIMIT, type StdinText } from './stdin.js';

export interface ConverseRequest {
  line: CommandLine;
  stdin: Promise<StdinText>;
  report: Report;
  signal: AbortSignal;
  /** Filled as soon as there is an engine to shut down. */
  engine: RunningEngine;
}

export interface RunningEngine {
  config?: Config;
  /** Set with `--worktree`. */
  worktree?: Worktree;
}

/** @returns the failure of the conversation, if any @throws when no conversation could be started */
export async function converse(request: ConverseRequest): Promise<ErrorInfo | undefined> {
  const { line, report, signal, engine } = request;
  const { flags } = line;
  const warn = (message: string) => report.warn(message);
  const folder = await openRunFolder({ flags, env: processVariables(), warn });
  if (folder.worktree) engine.worktree = folder.worktree;
  const { merged } = folder.settings;
  const env = folder.environment.variables;
  report.configure({
    format: flags['output-format'] ?? setting(merged, 'output.format'),
    model: requestedModel(flags, env, merged),
    env,
  });
  if (flags['raw-output'] && !flags['accept-raw-output-risk']) {
    warn('--raw-output lets model text control your terminal. --accept-raw-output-risk hides this warning.');
  }
  const typed = flags.prompt ?? line.query.join(' ');
  // Without a typed prompt the run needs stdin: complain about that before a missing sign-in.
  if (typed.trim() === '') requirePrompt((await readPiped(request)).text);
  const session = await chooseSession({
    overrides: overridesFrom(flags),
    cwd: folder.cwd,
    environment: folder.environment,
    sessionId: report.identity.sessionId,
    settings: merged.general,
    notice: warn,
  });
  report.identity.sessionId = session.sessionId;
  const events = new EventStream();
  events.subscribe((event) => {
    if (event.type === 'notice' && !event.isOver) warn(event.message);
    if (event.type === 'hook_message') report.hookMessage(event);
  });
  const config = await startEngine({
    flags,
    folder,
    session,
    frontEnd: {
      interactive: false,
      events,
      writeConsole: (text) => standardOutput.stderr(text.trimEnd()),
    },
    stdin: async () => (await readPiped(request)).text,
    warn,
  });
  engine.config = config;
  report.hideSecrets(config.getRedactor());
  // Programs that read JSON often read both streams as one.
  if (flags.yolo && report.isText && config.getApprovalMode() === ApprovalMode.YOLO)
    warn('--yolo (-y): every tool call is approved without a question.');
  report.countMoney(() => config.getLedger().totalCost);

  const piped = await readPiped(request);
  if (piped.truncated)
    report.warn(`stdin is longer than ${STDIN_LIMIT / 1024 / 1024} MiB; the rest was cut off.`);
  const pieces: PromptPieces = { piped: piped.text, typed };
  const prompt = joinPrompt(pieces);
  report.begin(prompt);
  const command = isCommandLine(prompt)
    ? await runSlashCommand(prompt, { config, settings: folder.settings, signal, warn })
    : undefined;
  if (command?.kind === 'text') {
    report.handle({ type: 'content', text: command.text });
    return undefined;
  }
  const parts =
    command?.kind === 'prompt'
      ? command.parts
      : await expand(pieces, prompt, { config, settings: merged, report, signal });
  // Data piped in beside a prompt was not typed by the user.
  const ownWords = command?.kind === 'prompt' ? command.typed : typed.trim() === '' ? piped.text : typed;
  const call = command?.kind === 'prompt' ? command.call : undefined;
  const options = { signal, ...(ownWords !== undefined && { typed: ownWords }), ...(call && { call }) };
  for await (const event of config.getSession().send(parts, options)) {
    report.handle(event);
    if (event.type === 'turn_finished' && isMainAgent(event.agent)) return failureOf(event);
  }
  return toErrorInfo(new Error('The conversation ended without a result.'));
}

/** @throws FatalInputError when the command would have to ask the user */
async function runSlashCommand(
  prompt: string,
  services: Omit<Parameters<typeof runHeadlessCommand>[0], 'prompt' | 'extensions'>,
): ReturnType<typeof runHeadlessCommand> {
  const [{ runHeadlessCommand }, { extensionActionsOf }] = await Promise.all([
    import('../commands/headless.js'),
    import('../extensions/of-session.js'),
  ]);
  const extensions = extensionActionsOf(services.config, services.settings);
  return runHeadlessCommand({ prompt, extensions, ...services });
}

async function readPiped({ stdin, signal }: ConverseRequest): Promise<StdinText> {
  try {
    return await untilAborted(stdin, signal);
  } catch (error) {
    throw new FatalInputError(`Cannot read stdin: ${messageOf(error)}`, error);
  }
}

function requirePrompt(text: string): void {
  if (text.trim() !== '') return;
  throw new FatalInputError('No input: give a prompt with --prompt (-p), as plain words, or on stdin.');
}

async function expand(
  pieces: PromptPieces,
  prompt: string,
  {
    config,
    settings,
    report,
    signal,
  }: { config: Config; settings: Settings; report: Report; signal: AbortSignal },
) {
  if (isCommandLine(prompt) || !prompt.includes('@')) return prompt;
  const { expandAtReferences } = await import('../input/at-references.js');
  const { atServers } = await import('../input/at-servers.js');
  // Resources of servers are known once they are connected.
  await Promise.all([config.loadAgents(), config.mcpReady(signal)]);
  const expanded = await expandAtReferences(pieces, config, {
    signal,
    mask: (text) => config.maskForModel(text),
    servers: atServers(config),
    search: setting(settings, 'context.fileFiltering.enableRecursiveFileSearch'),
    findAgent: (name) => config.getAgentCaller().find(name)?.name,
  });
  for (const message of expanded.notices) report.handle({ type: 'warning', message });
  return expanded.parts;
}

/** A hook that stops or blocks a request is not a failure: a warning has told the reason. */
const GOOD_ENDS: ReadonlySet<string> = new Set(['completed', 'stopped', 'blocked']);

function failureOf(event: { reason: string; error?: ErrorInfo }): ErrorInfo | undefined {
  if (GOOD_ENDS.has(event.reason)) return undefined;
  if (event.error) return event.error;
  if (event.reason === 'cancelled') {
    return toErrorInfo(new FatalCancellationError('Operation cancelled.'));
  }
  return toErrorInfo(new Error(`The conversation ended: ${event.reason}.`));
}
