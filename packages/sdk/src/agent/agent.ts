/** An agent: what it is told, what it can do, and the sessions it has. */

import { GeminiCliError } from '../errors.js';
import type { AgentStreamEvent, SendResult, StreamJsonItem } from '../events/types.js';
import { enginesOf } from './engines.js';
import type { GeminiCliAgentOptions } from './options.js';
import type { PromptInput, SendOptions, StreamJsonOptions } from './prompt.js';
import type { GeminiCliSession } from './session.js';
import { SessionEngine } from './session-engine.js';
import type { SessionInfo } from './stored-sessions.js';

export class GeminiCliAgent {
  readonly options: Readonly<GeminiCliAgentOptions>;
  private implicit: GeminiCliSession | undefined;

  constructor(options: GeminiCliAgentOptions = {}) {
    this.options = Object.freeze({ ...options });
  }

  /** Nothing is read or started before its first prompt, or `initialize()`. @param options of a stored session: continues it */
  session(options: { sessionId?: string } = {}): GeminiCliSession {
    const { sessionId } = options;
    return new SessionEngine(this, sessionId === undefined ? {} : { sessionId }).session;
  }

  /** @throws GeminiCliError when there is no such session */
  async resumeSession(sessionId: string | 'latest'): Promise<GeminiCliSession> {
    if (typeof sessionId !== 'string' || sessionId === '')
      throw new GeminiCliError('resumeSession() takes the id of a stored session, or "latest".', {
        code: 'INVALID_SESSION_IDENTIFIER',
      });
    const engine = new SessionEngine(this, { resume: sessionId });
    await engine.open();
    return engine.session;
  }

  /** Stored sessions of the agent's folder, of `gemini`, too. Oldest first. */
  async listSessions(): Promise<SessionInfo[]> {
    const { listStored } = await import('./stored-sessions.js');
    return listStored(this.options);
  }

  /** On a session of its own, which later sends continue. @throws GeminiCliError */
  send(prompt: PromptInput, options: SendOptions = {}): Promise<SendResult> {
    return this.ownSession().send(prompt, options);
  }

  sendStream(
    prompt: PromptInput,
    options: StreamJsonOptions,
  ): AsyncGenerator<StreamJsonItem, SendResult, undefined>;
  sendStream(
    prompt: PromptInput,
    options?: AbortSignal | SendOptions,
  ): AsyncGenerator<AgentStreamEvent, SendResult, undefined>;
  sendStream(
    prompt: PromptInput,
    options: AbortSignal | SendOptions = {},
  ): AsyncGenerator<AgentStreamEvent | StreamJsonItem, SendResult, undefined> {
    return this.ownSession().sendStream(prompt, options);
  }

  /** Cancels what is running and closes all sessions. */
  async dispose(): Promise<void> {
    this.implicit = undefined;
    const closing = await Promise.allSettled([...enginesOf(this)].map((engine) => engine.close()));
    const failed = closing.find((result) => result.status === 'rejected');
    if (failed) throw GeminiCliError.from(failed.reason);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose();
  }

  private ownSession(): GeminiCliSession {
    this.implicit ??= this.session();
    return this.implicit;
  }
}
