/** One session of the `gemini` program for a client: its engine, commands and files. */
import {
  type Config,
  type ConversationRecord,
  FatalInputError,
  type LoadedSettings,
  messageOf,
} from '@gemini-cli/core';
import type {
  CommandResult,
  CommandRun,
  HostedSession,
  LinkContents,
  LinkReading,
} from '@gemini-cli/sdk/acp/serve';
import { SessionCommands } from './session-commands.js';

export interface CliSessionParts {
  config: Config;
  settings: LoadedSettings;
  record?: ConversationRecord;
  warn: (message: string) => void;
}

export class CliSession implements HostedSession {
  readonly config: Config;
  readonly record?: ConversationRecord;
  private readonly ownCommands: SessionCommands;

  constructor({ config, settings, record, warn }: CliSessionParts) {
    this.config = config;
    if (record) this.record = record;
    this.ownCommands = new SessionCommands({ config, settings, warn });
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
    const found = await processor.addPath(path).catch(unreadable);
    if (isDenied) return { kind: 'denied' };
    switch (found.kind) {
      case 'unreadable':
        return found;
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

  close(): Promise<void> {
    return this.config.shutdown();
  }
}

/** The prompt continues without the file. */
function unreadable(error: unknown): { kind: 'unreadable'; reason: string } {
  if (!(error instanceof FatalInputError)) throw error;
  return { kind: 'unreadable', reason: messageOf(error.cause ?? error) };
}
