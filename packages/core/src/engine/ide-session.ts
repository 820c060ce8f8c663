/** The editor in a session that uses it: events for front ends, text for prompts, diffs. */
import type { OpenDiff } from '../agent/scheduler/editor-diff.js';
import { messageOf } from '../base/errors.js';
import { visibleName } from '../base/visible-text.js';
import { PromptContext } from '../ide/context/prompt-context.js';
import { createIde } from '../ide/create.js';
import type { IdeClient } from '../ide/ide-client.js';
import type { IdeContext, IdeStatus } from '../ide/types.js';
import type { AgentEventBody } from '../protocol/agent-events.js';
import type { Message } from '../protocol/messages.js';
import type { IdeEngineParts, TrustPort } from './compose-ide.js';

type Changed = Extract<AgentEventBody, { type: 'ide_changed' }>;

export class IdeSession {
  private readonly client: IdeClient;
  private readonly told = new PromptContext();
  /** What front ends know, as JSON: without the cursor, which moves all the time. */
  private shown = '';
  private last: Changed | undefined;
  private trustNotice: string | undefined;
  private isClosed = false;

  constructor(
    private readonly parts: IdeEngineParts,
    private readonly trust: () => TrustPort | undefined,
    held: IdeClient | undefined,
  ) {
    this.client = held ?? createIde(parts.environment, () => this.changed());
    this.client.onChange = () => this.changed();
  }

  get status(): IdeStatus {
    return this.client.status;
  }

  get context(): IdeContext | undefined {
    return this.client.context;
  }

  async connect(): Promise<void> {
    if (this.isClosed) return;
    await this.client.connect();
    // What is open there is shown with the status.
    await this.client.ready();
    // A connection that was taken over has told nothing yet.
    this.changed();
  }

  disconnect(): Promise<void> {
    return this.client.disconnect();
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.client.disconnect();
  }

  async forPrompt(history: readonly Message[]): Promise<string | undefined> {
    const { client, parts } = this;
    await client.ready();
    const { context, status } = client;
    if (!context || status.kind !== 'connected') return undefined;
    return this.told.next(forModel(context, parts), history);
  }

  openDiff({ filePath, newContent }: Parameters<OpenDiff>[0]): ReturnType<OpenDiff> {
    if (!this.client.showsDiffs || this.parts.pathProblem(filePath) !== null) return undefined;
    return this.client.openDiff(filePath, newContent);
  }

  followTrust(): void {
    const { context, status } = this.client;
    const trust = this.trust();
    const trusted = context?.isTrusted;
    if (trusted === undefined) this.tellTrust(undefined);
    if (!trust || !status.ide || trusted === undefined || trusted === trust.isTrustedFolder()) return;
    const name = visibleName(status.ide.displayName);
    try {
      trust.setTrusted(trusted);
      const what = 'its settings, commands and servers are';
      if (trusted) this.tellTrust(`${name} trusts this folder: ${what} in effect.`);
      else this.tellTrust(`${name} does not trust this folder: ${what} not in effect.`);
    } catch (error) {
      this.tellTrust(`${name} trusts this folder, but it stays untrusted: ${messageOf(error)}`);
    }
  }

  /** The message before is no longer true. */
  private tellTrust(message: string | undefined): void {
    const { events } = this.parts;
    if (this.trustNotice !== undefined) events.notice(this.trustNotice, { isOver: true });
    this.trustNotice = message;
    if (message !== undefined) events.notice(message);
  }

  private changed(): void {
    const { status, context } = this.client;
    const { isTrusted, openFiles = [] } = context ?? {};
    const event: Changed = {
      type: 'ide_changed',
      status: status.kind,
      files: openFiles.map(({ path, isActive }) => ({ path, ...(isActive && { isActive }) })),
      ...(status.ide && { name: status.ide.displayName }),
      ...(isTrusted !== undefined && { isTrusted }),
    };
    const shown = JSON.stringify(event);
    if (shown === this.shown || this.isClosed) return;
    const before = this.last;
    this.shown = shown;
    this.last = event;
    if (event.status === 'connected' && before?.status !== 'connected') this.parts.onConnected();
    if (isTrusted !== before?.isTrusted) this.followTrust();
    this.parts.events.emit(event);
  }
}

/** A secret in the selection is for the user's eyes, like one in a file; so is what is selected in an ignored file. */
function forModel(
  { openFiles, ...rest }: IdeContext,
  { mask, isHidden }: Pick<IdeEngineParts, 'mask' | 'isHidden'>,
): IdeContext {
  return {
    ...rest,
    openFiles: openFiles.map(({ selectedText, ...file }) => ({
      ...file,
      ...(selectedText !== undefined && !isHidden(file.path) && { selectedText: mask(selectedText) }),
    })),
  };
}
