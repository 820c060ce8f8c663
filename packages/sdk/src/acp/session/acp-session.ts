/** One session of a client: prompts in, updates out. The engine behind it belongs to the host. */
import type {
  ContentBlock,
  PromptResponse,
  SessionConfigOption,
  SessionModeState,
  SessionUpdate,
} from '@agentclientprotocol/sdk';
import {
  type AgentEvent,
  ApprovalMode,
  createLog,
  type EventStream,
  isMainAgent,
  messageOf,
  type PartListUnion,
  type UserCall,
} from '@gemini-cli/core';
import { CallerError } from '../errors.js';
import type { CommandResult, HostedSession } from '../host.js';
import { configOptions, type ModelState, modelState, modeState } from '../serialise/modes.js';
import { commandPrompt, toParts, typedText } from '../serialise/prompt-blocks.js';
import { replayUpdates } from '../serialise/replay.js';
import type { ClientPort } from './client-port.js';
import { EventUpdates } from './event-updates.js';
import { callFor, SessionQuestions, YES_OR_NO } from './questions.js';
import { titleOf } from './summary.js';
import { TurnOutcome } from './turn-outcome.js';

const log = createLog('acp');

export interface AcpSessionParts {
  hosted: HostedSession;
  port: ClientPort;
  events: EventStream;
  hasForms: boolean;
  showsNotices: boolean;
}

interface Turn {
  abort: AbortController;
  done: Promise<PromptResponse>;
}

export class AcpSession {
  private readonly updates: EventUpdates;
  private readonly questions: SessionQuestions;
  private readonly cleanUp: (() => void)[] = [];
  private current: Turn | undefined;
  private lastCommands: unknown;
  private lastTitle: string | undefined;

  constructor(private readonly parts: AcpSessionParts) {
    const { hosted, port, events, hasForms, showsNotices } = parts;
    const { config } = hosted;
    this.updates = new EventUpdates({ config, port, showsNotices });
    this.questions = new SessionQuestions({
      port,
      events,
      hasForms,
      toolCalls: () => this.updates.toolCalls,
      endTurn: () => this.cancel(),
    });
    this.cleanUp.push(
      events.subscribe((event) => this.onEvent(event), { answers: true }),
      config.getEngine().modes.onChange((mode) => this.onMode(mode)),
    );
  }

  get id(): string {
    return this.parts.port.sessionId;
  }

  /** The id and folder of the session, as `session/list` shows it. */
  get cwd(): string {
    return this.parts.hosted.config.getTargetDir();
  }

  /** Of the running prompt. */
  get signal(): AbortSignal | undefined {
    return this.current?.abort.signal;
  }

  /** A command of the model runs in this terminal of the client. */
  showTerminal(callId: string, terminalId: string): void {
    this.updates.toolCalls.terminal(callId, terminalId);
  }

  state(): { modes: SessionModeState; models: ModelState; configOptions: SessionConfigOption[] } {
    const { hosted } = this.parts;
    const modes = modeState(hosted.config);
    const models = modelState(hosted.config);
    return { modes, models, configOptions: configOptions(modes, models) };
  }

  replay(): void {
    const { record, config } = this.parts.hosted;
    if (!record) return;
    for (const update of replayUpdates(record, config.getToolRegistry())) this.parts.port.update(update);
  }

  /** Two processes must not write one file. */
  tellCopy(): void {
    const { hosted, port } = this.parts;
    const kept = hosted.config.getSessionId();
    if (kept !== port.sessionId)
      port.think(
        `This session is open in another process. What follows is kept in a copy of it, session ${kept}.`,
      );
  }

  /** Once the client knows the session, and again after changes. */
  async announceCommands(): Promise<void> {
    try {
      const commands = await this.parts.hosted.commands();
      if (commands === this.lastCommands) return;
      this.lastCommands = commands;
      this.parts.port.update({
        sessionUpdate: 'available_commands_update',
        availableCommands: commands.map(({ name, description, hint }) => ({
          name,
          description,
          ...(hint !== undefined && { input: { hint } }),
        })),
      });
    } catch (error) {
      log.warn('The commands could not be listed.', error);
    }
  }

  /** One at a time: a prompt during a running one cancels the first. */
  async prompt(blocks: readonly ContentBlock[]): Promise<PromptResponse> {
    if (blocks.every((block) => block.type === 'text' && block.text === ''))
      throw new CallerError('The prompt is empty.');
    const before = this.current;
    before?.abort.abort();
    const abort = new AbortController();
    const done = (before?.done ?? Promise.resolve())
      .then(ignore, ignore)
      .then(() => this.run(blocks, abort.signal))
      .finally(() => {
        if (this.current === turn) this.current = undefined;
      });
    const turn: Turn = { abort, done };
    this.current = turn;
    return done;
  }

  /** Nothing happens while no prompt runs. */
  cancel(): void {
    this.current?.abort.abort();
  }

  setMode(modeId: string): void {
    const { modes } = this.state();
    const mode = Object.values(ApprovalMode).find((value) => value === modeId);
    if (!mode || !modes.availableModes.some(({ id }) => id === modeId))
      throw new CallerError(
        `There is no mode "${modeId}" here. Modes: ${modes.availableModes.map(({ id }) => id).join(', ')}.`,
      );
    this.parts.hosted.config.setApprovalMode(mode);
  }

  async setModel(modelId: string): Promise<void> {
    try {
      await this.parts.hosted.config.setModel(modelId);
    } catch (error) {
      throw new CallerError(`The model "${modelId}" cannot be used: ${messageOf(error)}`);
    }
  }

  async setConfigOption(configId: string, value: unknown): Promise<SessionConfigOption[]> {
    if (typeof value !== 'string') throw new CallerError(`The value of "${configId}" must be a string.`);
    if (configId === 'mode') this.setMode(value);
    else if (configId === 'model') await this.setModel(value);
    else throw new CallerError(`There is no option "${configId}" here. Options: mode, model.`);
    return this.state().configOptions;
  }

  async close(): Promise<void> {
    this.cancel();
    await this.current?.done.catch(ignore);
    this.questions.close();
    for (const clean of this.cleanUp.splice(0)) clean();
    await this.parts.hosted.close();
  }

  private async run(blocks: readonly ContentBlock[], signal: AbortSignal): Promise<PromptResponse> {
    const outcome = new TurnOutcome();
    try {
      const command = commandPrompt(blocks);
      const result = command && (await this.command(command.line, signal));
      const partsOf = (some: readonly ContentBlock[]) => toParts(some, (path) => this.readLink(path, signal));
      if (!result || result.kind === 'unknown')
        await this.send(await partsOf(blocks), { typed: typedText(blocks) }, outcome, signal);
      else if (result.kind === 'prompt') {
        const parts = [...result.parts, ...(await partsOf(command.attached))];
        await this.send(parts, optionsOf(result), outcome, signal);
      } else await this.tell(result, outcome, signal);
    } catch (error) {
      // A cancelled read of a file is not a failure.
      if (!signal.aborted) throw error;
    }
    const response = outcome.response(signal.aborted);
    if (outcome.explanation !== undefined && !signal.aborted) this.parts.port.think(outcome.explanation);
    this.tellTitle();
    return response;
  }

  private command(line: string, signal: AbortSignal): Promise<CommandResult> {
    const { hosted, port } = this.parts;
    return hosted.runCommand(line, {
      signal,
      tell: (text) => port.say(text),
      confirm: async (title, text) =>
        (await port.askPermission(callFor(title, text), YES_OR_NO, signal)) === YES_OR_NO[0]?.optionId,
    });
  }

  private async tell(
    result: Extract<CommandResult, { kind: 'text' | 'restored' }>,
    outcome: TurnOutcome,
    signal: AbortSignal,
  ): Promise<void> {
    const { port, hosted } = this.parts;
    if (result.text !== '') port.say(result.text);
    if (result.kind === 'restored' && result.propose)
      await this.drain(hosted.config.getSession().propose(result.propose, { signal }), outcome);
    await this.announceCommands();
  }

  private async send(
    parts: PartListUnion,
    options: { typed?: string; call?: UserCall },
    outcome: TurnOutcome,
    signal: AbortSignal,
  ): Promise<void> {
    if (signal.aborted) return;
    await this.drain(this.parts.hosted.config.getSession().send(parts, { ...options, signal }), outcome);
  }

  /** The updates are sent as the events happen; here the client's pace and the end of the request count. */
  private async drain(events: AsyncGenerator<AgentEvent>, outcome: TurnOutcome): Promise<void> {
    for await (const event of events) {
      outcome.note(event);
      await this.parts.port.keepUp();
    }
  }

  private async readLink(path: string, signal: AbortSignal) {
    const { hosted, port } = this.parts;
    const contents = await hosted.readLink(path, {
      signal,
      mayRead: async (outside) => {
        const toolCall = {
          ...callFor(`Read ${outside}`),
          kind: 'read' as const,
          locations: [{ path: outside }],
        };
        const chosen = await port.askPermission(toolCall, YES_OR_NO, signal);
        if (chosen === undefined) this.cancel();
        return chosen === YES_OR_NO[0]?.optionId;
      },
    });
    if (contents.kind === 'contents') {
      for (const notice of contents.notices) port.think(notice);
      return contents.parts;
    }
    if (contents.kind === 'denied') return [{ text: `\n[The user did not allow reading ${path}.]` }];
    port.think(`${path} was not read: ${contents.reason}`);
    return [{ text: `\n[${path} could not be read: ${contents.reason}]` }];
  }

  private onEvent(event: AgentEvent): void {
    if (event.type === 'question') this.questions.ask(event.id, event.question);
    else if (event.type === 'question_settled') this.questions.settled(event.id);
    else if (event.type === 'mcp_changed') void this.announceCommands();
    else if (this.isShown(event)) this.updates.handle(event);
  }

  /** Of other agents only the calls that the user was asked about. */
  private isShown(event: AgentEvent): boolean {
    if (event.type === 'notice' || isMainAgent(event.agent)) return true;
    const { toolCalls } = this.updates;
    if (event.type === 'tool_status') return toolCalls.isShown(event.callId);
    return event.type === 'tool_finished' && toolCalls.isShown(event.call.request.callId);
  }

  private onMode(currentModeId: ApprovalMode): void {
    const { port } = this.parts;
    port.update({ sessionUpdate: 'current_mode_update', currentModeId });
    const options: SessionUpdate = {
      sessionUpdate: 'config_option_update',
      configOptions: this.state().configOptions,
    };
    port.update(options);
  }

  private tellTitle(): void {
    const { hosted, port } = this.parts;
    const title = titleOf(hosted.config, hosted.record);
    if (title === undefined || title === this.lastTitle) return;
    this.lastTitle = title;
    port.update({ sessionUpdate: 'session_info_update', title, updatedAt: new Date().toISOString() });
  }
}

function optionsOf({ typed, call }: Extract<CommandResult, { kind: 'prompt' }>) {
  return { ...(typed !== undefined && { typed }), ...(call && { call }) };
}

function ignore(): undefined {
  return undefined;
}
