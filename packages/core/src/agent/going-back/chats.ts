/** `/chat save|resume|list|delete|share` for the live session. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Content, Message } from '../../protocol/messages.js';
import type { ChatCheckpointInfo, ChatCheckpointStore } from '../../sessions/checkpoints/chat-checkpoints.js';
import { messagesFrom, toContents } from '../../sessions/checkpoints/contents.js';
import { CheckpointError } from '../../sessions/checkpoints/error.js';
import { exportHistoryToFile } from '../../sessions/exports/export-markdown.js';
import { convertSessionToHistoryFormats, type HistoryItemWithoutId } from '../../sessions/reading/convert.js';
import type { RedactValue } from '../../sessions/recording/redact-record.js';
import { toRecords } from '../../sessions/to-records.js';

export interface ChatSession {
  root: string;
  now(): number;
  newId(): string;
  redact: RedactValue;
  authType(): string | undefined;
  history(): readonly Message[];
  continueFrom(messages: readonly Message[]): Promise<void>;
}

/** `exists`: nothing was written; ask, and call again with `overwrite`. */
export type SaveOutcome = { status: 'saved' | 'exists'; path: string };

export interface LoadedChat {
  /** What the screen shows. */
  history: HistoryItemWithoutId[];
  clientHistory: Content[];
}

export class Chats {
  constructor(
    private readonly store: ChatCheckpointStore,
    private readonly session: ChatSession,
  ) {}

  /** Newest last. */
  list(): ChatCheckpointInfo[] {
    return this.store.list();
  }

  save(tag: string, { overwrite = false }: { overwrite?: boolean } = {}): SaveOutcome {
    const existing = this.store.find(tag);
    if (existing !== undefined && !overwrite) return { status: 'exists', path: existing };
    return { status: 'saved', path: this.store.save(tag, this.conversation(), this.session.authType()) };
  }

  /** Loads the conversation into the engine. @throws CheckpointError OTHER_SIGN_IN */
  async load(tag: string): Promise<LoadedChat> {
    const { history: clientHistory, authType } = this.store.load(tag);
    const current = this.session.authType();
    if (authType !== undefined && current !== undefined && authType !== current) {
      throw new CheckpointError(
        'OTHER_SIGN_IN',
        `This conversation was saved under another way of signing in (${authType}); this session uses ${current}.`,
      );
    }
    const messages = messagesFrom(clientHistory);
    await this.session.continueFrom(messages);
    const timestamp = new Date(this.session.now()).toISOString();
    const records = toRecords(messages, { timestamp, newId: this.session.newId });
    return { history: convertSessionToHistoryFormats(records).uiHistory, clientHistory };
  }

  delete(tag: string): void {
    this.store.delete(tag);
  }

  /** @param file `.json` or `.md`, relative to the project; absent: a generated name */
  share(file?: string, { overwrite = false }: { overwrite?: boolean } = {}): SaveOutcome {
    const { root, now, redact } = this.session;
    const filePath = resolve(root, file?.trim() || `gemini-conversation-${now()}.json`);
    const history = this.conversation();
    if (!/\.(?:json|md)$/i.test(filePath)) {
      throw new CheckpointError(
        'WRITE_FAILED',
        `Cannot write ${filePath}: only .json and .md are supported.`,
      );
    }
    if (!overwrite && existsSync(filePath)) return { status: 'exists', path: filePath };
    exportHistoryToFile({ history, filePath, redact });
    return { status: 'saved', path: filePath };
  }

  private conversation(): Content[] {
    const contents = toContents(this.session.history());
    if (contents.length > 0) return contents;
    throw new CheckpointError('EMPTY_CONVERSATION', 'There is no conversation to save yet.');
  }
}
