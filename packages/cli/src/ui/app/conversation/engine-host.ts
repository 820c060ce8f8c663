/** The engine behind the screen. It can be restarted without a new process: after a sign-in, for another session. */
import {
  type ChosenSession,
  type Config,
  EventStream,
  messageOf,
  noTelemetry,
  randomUuid,
  type SessionEndReason,
  type TelemetryRecorder,
} from '@gemini-cli/core';
import { startEngine } from '../../../engine/start-engine.js';
import type { AppContext } from '../context/app-context.js';

/** Subscribes to the events of an engine that is about to start. @returns unsubscribes */
export type EngineListener = (events: EventStream) => () => void;

export class EngineHost {
  config: Config | undefined;
  /** Chosen with `/model` in this run. */
  model: string | undefined;
  /** Those of `-e`, or chosen with `/extensions` in this run; undefined: all that are enabled. */
  extensions: readonly string[] | undefined;
  private session: ChosenSession;
  private hasTried = false;
  private listener: EngineListener = () => () => undefined;
  private stopListening: () => void = () => undefined;
  private readonly startListeners: ((config: Config) => void)[] = [];
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly context: AppContext) {
    this.session = { sessionId: context.line.flags['session-id'] ?? randomUuid() };
    this.extensions = context.line.flags.extensions;
  }

  get sessionId(): string {
    return this.config?.getSessionId() ?? this.session.sessionId;
  }

  /** Does nothing while telemetry is off. */
  get telemetry(): TelemetryRecorder {
    return this.config?.getTelemetry() ?? noTelemetry;
  }

  get shells() {
    return this.config?.getShellExecutionService();
  }

  /** Questions may come while an engine starts: `listener` is called before. */
  listenWith(listener: EngineListener): void {
    this.listener = listener;
  }

  /** Called with every engine that has started. */
  onStarted(listener: (config: Config) => void): void {
    this.startListeners.push(listener);
  }

  /** Called with the next engine that starts. */
  onceStarted(listener: () => void): void {
    this.waiting.push(listener);
  }

  /** @throws what the user has to know, e.g. that no sign-in was chosen yet */
  async start(wanted?: ChosenSession): Promise<Config> {
    // The same conversation again, e.g. with another sign-in: its messages are in its file.
    const file = this.config?.getChatRecordingService()?.conversationFile;
    const session = wanted ?? (file ? { ...this.session, resume: file } : this.session);
    await this.stop(session.startSource === 'clear' ? 'clear' : 'other');
    // Also if the start fails: after a sign-in the same session continues.
    this.session = { ...session, startSource: undefined };
    const { line, folder, notice } = this.context;
    const events = new EventStream();
    this.stopListening = this.listener(events);
    const isRestart = this.hasTried;
    this.hasTried = true;
    const config = await startEngine({
      flags: this.model ? { ...line.flags, model: this.model } : line.flags,
      folder,
      session,
      isRestart,
      frontEnd: {
        interactive: true,
        events,
        hasScreen: true,
        offersEditor: true,
        writeConsole: (text) => notice(text.trimEnd()),
      },
      warn: notice,
    });
    this.config = config;
    for (const listener of this.startListeners) listener(config);
    for (const listener of this.waiting.splice(0)) listener();
    return config;
  }

  /** @param reason for hooks */
  async stop(reason: SessionEndReason = 'exit'): Promise<void> {
    const { config } = this;
    this.config = undefined;
    try {
      await config?.shutdown(reason);
    } catch (error) {
      this.context.notice(`Cleaning up failed: ${messageOf(error)}`);
    } finally {
      this.stopListening();
    }
  }
}
