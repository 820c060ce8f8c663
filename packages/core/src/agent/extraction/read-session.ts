/** `read_session`: a page of one session in the index, by its id. It takes no path and reads no other session. */
import { wrapUntrusted } from '../../base/untrusted-context.js';
import type { MessageBus } from '../../bus/message-bus.js';
import { readSession } from '../../sessions/reading/read-session.js';
import { describeTool } from '../../tools/describe-tool.js';
import { ToolErrorType } from '../../tools/tool-error.js';
import {
  BaseDeclarativeTool,
  BaseToolInvocation,
  Kind,
  type ToolInvocation,
  type ToolResult,
  toolFailure,
} from '../../tools/tools.js';
import prose from './read-session.md';
import { transcriptOf } from './transcript.js';

export const READ_SESSION = 'read_session';

const PAGE_CHARS = 24_000;
const READ_BYTES = 8 * 1024 * 1024;

export interface ReadSessionParams {
  session_id: string;
  from_message?: number;
}

export interface SessionShelf {
  /** The file of a session in the index; undefined for any other. */
  pathOf(sessionId: string): string | undefined;
  redact(text: string): string;
  /** Called when the model has read a part of the session. */
  onRead(sessionId: string): void;
}

const { description, schema } = describeTool(prose, {
  type: 'object',
  properties: { session_id: { type: 'string' }, from_message: { type: 'integer', minimum: 1 } },
  required: ['session_id'],
});

export class ReadSessionTool extends BaseDeclarativeTool<ReadSessionParams, ToolResult> {
  private readonly transcripts = new Map<string, readonly string[]>();

  constructor(
    private readonly shelf: SessionShelf,
    messageBus: MessageBus,
  ) {
    super(READ_SESSION, 'ReadSession', description, Kind.Read, schema, messageBus);
  }

  protected createInvocation(
    params: ReadSessionParams,
    bus: MessageBus,
  ): ToolInvocation<ReadSessionParams, ToolResult> {
    return new ReadSessionInvocation(params, bus, (id) => this.transcript(id));
  }

  private transcript(id: string): readonly string[] | undefined {
    const path = this.shelf.pathOf(id);
    if (path === undefined) return undefined;
    const known = this.transcripts.get(id);
    if (known) return known;
    this.shelf.onRead(id);
    const { messages } = readSession(path, { maxBytes: READ_BYTES });
    const texts = transcriptOf(messages, (text) => this.shelf.redact(text));
    this.transcripts.set(id, texts);
    return texts;
  }
}

class ReadSessionInvocation extends BaseToolInvocation<ReadSessionParams, ToolResult> {
  constructor(
    params: ReadSessionParams,
    bus: MessageBus,
    private readonly transcript: (id: string) => readonly string[] | undefined,
  ) {
    super(params, bus, READ_SESSION);
  }

  getDescription(): string {
    return this.params.session_id;
  }

  protected async run(): Promise<ToolResult> {
    const { session_id: id, from_message: from = 1 } = this.params;
    const texts = this.transcript(id);
    if (!texts)
      return toolFailure(`There is no session "${id}" in the index.`, ToolErrorType.INVALID_TOOL_PARAMS);
    const page: string[] = [];
    let length = 0;
    for (const text of texts.slice(from - 1)) {
      if (page.length > 0 && length + text.length > PAGE_CHARS) break;
      page.push(text);
      length += text.length;
    }
    const next = from + page.length;
    const end = next <= texts.length ? `More: from_message ${next} of ${texts.length}.` : 'This is the end.';
    return {
      llmContent: `${wrapUntrusted(page.join('\n\n'))}\n${end}`,
      returnDisplay: `Read messages ${from}-${next - 1}.`,
    };
  }
}
