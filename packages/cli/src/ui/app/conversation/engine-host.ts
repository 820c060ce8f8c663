/** The engine behind the screen. It can be started anew without a new process: after a sign-in, for another session. */
import {
  type ChosenSession,
  type Config,
  EventStream,
  messageOf,
  randomUuid,
  type SessionEndReason,
} from '@gemini-cli/core';
import type { CommandLine } from '../../../command-line/parse.js';
import type { RunFolder } from '../../../engine/run-folder.js';
import { startEngine } from '../../../engine/start-engine.js';

export interface EngineHostOptions {
  line: CommandLine;
  /** An engine is about to start; its questions come over this stream. @returns stops */
  listen: (events: EventStream) => () => void;
  warn: (message: string) => void;
  /** A new engine is up; what listens to one must listen to this one. */
  onStarted: (config: Config) => void;
}

export class EngineHost {
  config: Config | undefined;
  private session: ChosenSession;
  private stopListening: () => void = () => undefined;
  /** Chosen with `/model` in this run. */
  model: string | undefined;

  constructor(
    private readonly options: EngineHostOptions,
    /** Of the folder we are in; another one once trust has been decided. */
    public folder: RunFolder,
  ) {
    this.session = { sessionId: options.line.flags['session-id'] ?? randomUuid() };
  }

  get sessionId(): string {
    return this.config?.getSessionId() ?? this.session.sessionId;
  }

  /** @throws what the user has to know, e.g. that no sign-in was chosen yet */
  async start(wanted?: ChosenSession): Promise<Config> {
    // The same conversation again, e.g. with another sign-in: what was said is in its file.
    const file = this.config?.getChatRecordingService()?.conversationFile;
    const session = wanted ?? (file ? { ...this.session, resume: file } : this.session);
    await this.stop(session.startSource === 'clear' ? 'clear' : 'other');
    // Also if it fails now: after a sign-in the same session goes on.
    this.session = { ...session, startSource: undefined };
    const { line, listen, warn, onStarted } = this.options;
    const flags = this.model ? { ...line.flags, model: this.model } : line.flags;
    const events = new EventStream();
    this.stopListening = listen(events);
    const config = await startEngine({
      flags,
      folder: this.folder,
      session,
      frontEnd: {
        interactive: true,
        events,
        hasScreen: true,
        offersEditor: true,
        writeConsole: (text) => warn(text.trimEnd()),
      },
      warn,
    });
    this.config = config;
    onStarted(config);
    return config;
  }

  /** @param reason for hooks */
  async stop(reason: SessionEndReason = 'exit'): Promise<void> {
    const { config } = this;
    this.config = undefined;
    try {
      await config?.shutdown(reason);
    } catch (error) {
      this.options.warn(`Cleaning up failed: ${messageOf(error)}`);
    } finally {
      this.stopListening();
    }
  }
}
