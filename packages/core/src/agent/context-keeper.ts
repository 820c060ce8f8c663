/** Keeps the conversation within the model's window: before a call, after the server refused it, and on request. */
import { UserError } from '../base/errors.js';
import type {
  CompressInput,
  ContextManagerOptions,
  ContextService,
  Prepared,
} from '../context/context-service.js';
import type { AgentEventBody, AgentRef } from '../protocol/agent-events.js';
import type { Message } from '../protocol/messages.js';
import type { ChatRequest, GeminiChat } from './chat/gemini-chat.js';
import type { RequestBuilder } from './chat/request-builder.js';
import { type HookPorts, watched } from './hook-ports.js';
import { staysInHistory } from './steering.js';

/** What the keeper needs of a context manager. */
export type ContextPort = Pick<
  ContextService,
  'prepare' | 'compress' | 'uncompress' | 'uncompressTo' | 'learn' | 'reset'
>;

export type RecordedHistory = () => Promise<readonly Message[] | undefined>;

/** For `ContextManagerOptions.beforeCompress`: calls the PreCompress hook when a compression really happens. */
export function compressionPort(
  hooks: HookPorts,
  agent: AgentRef,
): NonNullable<ContextManagerOptions['beforeCompress']> {
  const { signal } = new AbortController();
  // Looked up when it happens: hooks may be enabled during a session.
  return async (trigger) => hooks.preCompress?.({ agent, signal, trigger, isCompressing: true });
}

/** Nothing was sent: the request would not fit the model. */
class ContextOverflowError extends UserError {
  override readonly name = 'ContextOverflowError';
  constructor({ estimatedRequestTokenCount: size, remainingTokenCount: room }: Overflow) {
    super(
      `The message is too long for what is left of the context window: about ${size} tokens, room for ${room}. ` +
        'Shorten it, or compress the conversation with /compress.',
    );
  }
}

type Overflow = NonNullable<Prepared['overflow']>;

export interface ContextKeeperOptions {
  port: ContextPort;
  requests: RequestBuilder;
  chat: () => GeminiChat;
  agent: AgentRef;
  hooks: HookPorts;
}

export class ContextKeeper {
  private readonly port: ContextPort;
  private readonly requests: RequestBuilder;
  private readonly chat: () => GeminiChat;

  constructor(private readonly options: ContextKeeperOptions) {
    this.port = options.port;
    this.requests = options.requests;
    this.chat = options.chat;
  }

  learn(promptTokens: number): void {
    if (promptTokens > 0) this.port.learn(promptTokens);
  }

  /** @throws ContextOverflowError when the message cannot be sent */
  async *prepare(
    message: Message,
    request: ChatRequest,
    signal: AbortSignal,
  ): AsyncGenerator<AgentEventBody> {
    await this.announceCheck('auto', signal);
    const prepared = await this.port.prepare({ ...this.stateFor(request, signal), message });
    yield* this.take(prepared);
    const { overflow } = prepared;
    if (!overflow) return;
    // Results of tools stay in the history although they cannot be sent now.
    if (staysInHistory(message)) this.chat().addHistory(message);
    yield { type: 'context_window_will_overflow', ...overflow };
    throw new ContextOverflowError(overflow);
  }

  /** The server found the conversation too long. Undefined: it could not be shortened. */
  async shorten(request: ChatRequest, signal: AbortSignal): Promise<AgentEventBody[] | undefined> {
    await this.announceCheck('auto', signal);
    const state = this.stateFor(request, signal);
    const prepared = await this.port.compress({ ...state, trigger: 'auto' });
    return prepared.history === state.history ? undefined : this.take(prepared);
  }

  async compress(model: string, promptId: string, signal: AbortSignal): Promise<AgentEventBody[]> {
    await this.announceCheck('manual', signal);
    const state = this.stateFor(this.requests.build(model, promptId), signal);
    return this.take(await this.port.compress(state));
  }

  reset(): void {
    this.port.reset();
  }

  /** @param recorded the conversation before its last compression, from its recording */
  async uncompress(recorded: RecordedHistory = async () => undefined): Promise<boolean> {
    const now = this.chat().getHistory();
    const kept = this.port.uncompress(now);
    const read = kept ? undefined : await recorded();
    const history = kept ?? (read && this.port.uncompressTo(read, now));
    if (history) this.chat().setHistory(history);
    return history !== undefined;
  }

  /** Before each check; `compressionPort` reports the compression that may follow. */
  private async announceCheck(trigger: 'auto' | 'manual', signal: AbortSignal): Promise<void> {
    const { hooks, agent } = this.options;
    if (!hooks.preCompress) return;
    await watched(hooks.preCompress({ agent, signal, trigger, isCompressing: false }));
  }

  private stateFor(request: ChatRequest, signal: AbortSignal): CompressInput {
    const { model, promptId } = request;
    return {
      history: this.chat().getHistory(),
      model,
      promptId,
      signal,
      overheadTokens: this.requests.overhead(request),
    };
  }

  private take({ history, events }: Pick<Prepared, 'history' | 'events'>): AgentEventBody[] {
    if (history !== this.chat().getHistory()) this.chat().setHistory(history);
    return events;
  }
}
