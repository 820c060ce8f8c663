/** One session of the `gemini` program for a client: its engine, commands and files. */
import { type Config, type ConversationRecord, type LoadedSettings, setting, textOf } from '@gemini-cli/core';
import type {
  CommandResult,
  CommandRun,
  HostedSession,
  LinkContents,
  LinkReading,
} from '@gemini-cli/sdk/acp';
import { SessionCommands } from './session-commands.js';

export interface CliSessionParts {
  config: Config;
  settings: LoadedSettings;
  record?: ConversationRecord;
  warn: (message: string) => void;
}

const TITLE_CHARS = 100;

export class CliSession implements HostedSession {
  readonly config: Config;
  readonly record?: ConversationRecord;
  private readonly ownCommands: SessionCommands;

  constructor({ config, settings, record, warn }: CliSessionParts) {
    this.config = config;
    this.settings = settings;
    if (record) this.record = record;
    this.ownCommands = new SessionCommands({ config, settings, warn });
  }

  private readonly settings: LoadedSettings;

  get offersPlanMode(): boolean {
    return setting(this.settings.merged, 'general.plan.enabled');
  }

  commands() {
    return this.ownCommands.listed();
  }

  runCommand(line: string, run: CommandRun): Promise<CommandResult> {
    return this.ownCommands.run(line, run);
  }

  async readLink(path: string, { signal, mayRead }: LinkReading): Promise<LinkContents> {
    const { AtCommandProcessor } = await import('../input/at-references.js');
    let isDenied = false;
    const processor = new AtCommandProcessor(this.config, {
      signal,
      mask: (text) => this.config.maskForModel(text),
      search: false,
      mayRead: async (outside) => {
        const isAllowed = await mayRead(outside);
        isDenied = !isAllowed;
        return isAllowed;
      },
    });
    const found = await processor.addPath(path);
    if (isDenied) return { kind: 'denied' };
    switch (found.kind) {
      case 'file':
      case 'directory': {
        const { parts, notices } = processor.result();
        // The first part is the reference itself, which the prompt has already.
        return { kind: 'contents', parts: parts.slice(1), notices };
      }
      case 'ignored':
        return { kind: 'unreadable', reason: 'it is ignored by .gitignore or .geminiignore' };
      case 'refused':
        return { kind: 'unreadable', reason: found.reason };
      case 'unknown':
        return { kind: 'unreadable', reason: 'there is no such file' };
    }
  }

  async summary(): Promise<{ title: string; updatedAt: string } | undefined> {
    const title = this.config.getTopic()?.title ?? this.record?.summary ?? this.firstPrompt();
    if (!title) return undefined;
    const line = title.replace(/\s+/g, ' ').trim();
    const shown = line.length > TITLE_CHARS ? `${line.slice(0, TITLE_CHARS - 1)}…` : line;
    return { title: shown, updatedAt: new Date().toISOString() };
  }

  close(): Promise<void> {
    return this.config.shutdown();
  }

  private firstPrompt(): string | undefined {
    const client = this.config.getGeminiClient();
    if (!client.isInitialized()) return undefined;
    const prompts = client.getChat().getHistory();
    const first = prompts.find(({ role, origin }) => role === 'user' && origin === 'prompt');
    return first && textOf(first.parts);
  }
}
