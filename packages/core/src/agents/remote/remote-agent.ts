/** One remote agent: its card, its connection, its conversation. */
import type { Clock } from '../../platform/clock.js';
import type { ProxySource } from '../../platform/environment.js';
import { createLog } from '../../platform/log.js';
import { NameCheck } from '../../platform/net/checked-lookup.js';
import { HttpClient } from '../../platform/net/http.js';
import { proxyFor } from '../../platform/net/proxy.js';
import { SharedWork } from '../../platform/shared-work.js';
import { withTimeLimit } from '../../platform/time-limit.js';
import type { RemoteAgentDefinition, RemoteAnswer } from '../types.js';
import { type CredentialParts, credentialsOf, type RemoteCredentials } from './auth/credentials.js';
import { schemeMismatch } from './auth/scheme-mismatch.js';
import { cardUrl, fetchCard } from './card/fetch-card.js';
import { parseCard, type RemoteCard } from './card/parse-card.js';
import type { RemoteLimits } from './limits.js';
import { type Reach, reachOf } from './origins.js';
import { RemoteAgentError } from './remote-agent-error.js';
import { Answer } from './run/answer.js';
import { Conversation } from './run/conversation.js';
import { failureText } from './run/failure-text.js';
import { followAnswer } from './run/follow-answer.js';
import { Progress } from './run/progress.js';
import { resultOf } from './run/result-text.js';
import { isOver } from './run/task-phase.js';
import { type AgentConnection, connect } from './transport/connection.js';

export interface RemoteAgentParts {
  proxies: ProxySource;
  clock: Clock;
  credentialParts: (definition: RemoteAgentDefinition) => CredentialParts;
  warn: (message: string) => void;
  redact: (text: string) => string;
  limits: RemoteLimits;
}

interface CardLoad {
  timeoutMs: number;
  /** Whether the user may be asked to sign in. */
  mayAsk: boolean;
}

const log = createLog('remote-agents');
const MINUTE_MS = 60_000;

export class RemoteAgent {
  /** Undefined until it is loaded. */
  card: RemoteCard | undefined;
  private readonly loading = new SharedWork<RemoteCard>();
  private mayAsk = false;
  private connection: Promise<AgentConnection> | undefined;
  private readonly conversation = new Conversation();
  private readonly credentials: RemoteCredentials | undefined;
  private readonly clients: HttpClient[] = [];

  constructor(
    private readonly definition: RemoteAgentDefinition,
    private readonly parts: RemoteAgentParts,
  ) {
    this.credentials = credentialsOf(definition, parts.credentialParts(definition), () => this.card);
  }

  /** A failure is forgotten: the next caller tries again. */
  async loadCard({ timeoutMs, mayAsk }: CardLoad, signal: AbortSignal): Promise<RemoteCard> {
    // At the start the user is not asked to sign in, when the agent is used it is.
    if (mayAsk && !this.mayAsk) await this.loading.ended;
    if (this.card) return this.card;
    return this.loading.run(signal, (running) => {
      this.mayAsk = mayAsk;
      return this.fetchAndCheck({ timeoutMs, mayAsk }, running);
    });
  }

  async invoke(
    query: string,
    { signal, onUpdate }: { signal: AbortSignal; onUpdate?: (text: string) => void },
  ): Promise<RemoteAnswer> {
    signal.throwIfAborted();
    const { limits, clock } = this.parts;
    const { name } = this.definition;
    const answer = new Answer(limits.answerChars);
    const conversation = this.conversation.begin();
    const progress = new Progress(answer, onUpdate);
    let failure: string | undefined;
    try {
      const connection = await this.connected(signal);
      answer.appendsAll = connection.losesAppend;
      const parts = { connection, limits, clock, signal, onProgress: () => progress.changed() };
      await followAnswer({ text: query, ...conversation }, answer, parts);
    } catch (error) {
      await this.cancel(answer);
      signal.throwIfAborted();
      log.warn(`the agent ${name} failed`, error);
      failure = this.parts.redact(failureText(error));
    } finally {
      progress.end();
      // A task that failed on the way cannot be continued.
      const isKept = failure === undefined && !isOver(answer.phase) && !answer.isMessage;
      this.conversation.end({
        contextId: answer.contextId,
        ...(isKept && answer.taskId && { taskId: answer.taskId }),
      });
    }
    return resultOf(name, answer, failure);
  }

  close(): void {
    this.connection?.then(
      (connection) => connection.close(),
      () => {},
    );
    for (const client of this.clients) client.close();
  }

  private async fetchAndCheck(load: CardLoad, signal: AbortSignal): Promise<RemoteCard> {
    const { definition, parts } = this;
    const card = parseCard(definition.agentCardJson ?? (await this.fetchCard(load, signal)));
    const mismatch = schemeMismatch(definition.auth, card);
    if (mismatch) parts.warn(`The remote agent ${definition.name} may refuse requests: ${mismatch}.`);
    this.card = card;
    return card;
  }

  private async fetchCard(load: CardLoad, signal: AbortSignal): Promise<string> {
    const { definition, parts, credentials } = this;
    const url = cardUrl(definition.agentCardUrl ?? '');
    const http = this.client();
    return fetchCard({ url, http, credentials, maxBytes: parts.limits.cardBytes, signal, ...load });
  }

  private async connected(signal: AbortSignal): Promise<AgentConnection> {
    const card = await this.loadCard({ timeoutMs: this.parts.limits.cardMs, mayAsk: true }, signal);
    this.connection ??= this.open(card).catch((error: unknown) => {
      this.connection = undefined;
      throw error;
    });
    return this.connection;
  }

  private async open(card: RemoteCard): Promise<AgentConnection> {
    const { target, reach } = this.chooseInterface(card);
    return connect(
      { target, url: reach.url, streaming: card.streaming },
      {
        http: this.client(reach),
        limits: this.parts.limits,
        ...(reach.hasCredentials && { credentials: this.credentials }),
      },
    );
  }

  /** The first one, in the order of the card, that may be used. */
  private chooseInterface(card: RemoteCard) {
    const { agentCardUrl } = this.definition;
    const origin = agentCardUrl === undefined ? undefined : cardUrl(agentCardUrl);
    const problems: string[] = [];
    for (const target of card.interfaces) {
      const reach = reachOf(target, origin);
      const problem = typeof reach === 'string' ? reach : this.problemOf(reach, target.binding);
      if (typeof reach !== 'string' && !problem) return { target, reach };
      problems.push(problem ?? '');
    }
    throw new RemoteAgentError('address', `No interface of the card can be used: ${problems.join('; ')}.`);
  }

  private problemOf({ url, hasCredentials }: Reach, binding: string): string | undefined {
    if (this.credentials && !hasCredentials) {
      return `credentials are only sent to the origin of the card, not to ${url.origin}`;
    }
    if (binding === 'GRPC' && proxyFor(url, this.parts.proxies)) {
      return `gRPC does not go through the proxy (${url.host})`;
    }
    return undefined;
  }

  /** A client of its own for each use: connections that were checked are not shared with others. */
  private client(reach?: Reach): HttpClient {
    const { limits, proxies } = this.parts;
    // The limits of an answer come first, and have better messages.
    const [silenceMs, totalMs] = [limits.silenceMs + MINUTE_MS, limits.totalMs + MINUTE_MS];
    const http = new HttpClient(
      { firstByteMs: silenceMs, silenceMs, contentMs: totalMs, totalMs },
      proxies,
      reach?.isGuarded ? new NameCheck().lookup : undefined,
    );
    this.clients.push(http);
    return http;
  }

  /** The task would go on without a reader. */
  private async cancel({ taskId, isComplete }: Answer): Promise<void> {
    if (!taskId || isComplete) return;
    try {
      const connection = await this.connection;
      const { cancelMs } = this.parts.limits;
      await withTimeLimit(cancelMs, undefined, async (signal) => connection?.cancelTask(taskId, signal));
    } catch (error) {
      log.warn(`the task of ${this.definition.name} could not be cancelled`, error);
    }
  }
}
