/** One session's side of the connection: updates in order, and questions that end when the agent no longer waits for them. */
import type { AgentContext, PermissionOption, SessionUpdate, ToolCallUpdate } from '@agentclientprotocol/sdk';
import { objectOf } from '@gemini-cli/core';

export class ClientPort {
  private unsent = 0;
  private last: Promise<void> = Promise.resolve();

  constructor(
    readonly context: AgentContext,
    readonly sessionId: string,
  ) {}

  /** Updates arrive in the order of these calls. */
  update(update: SessionUpdate): void {
    this.unsent++;
    const sent = () => {
      this.unsent--;
    };
    // A connection that has ended fails every update; its closing ends the session.
    this.last = this.context.notify('session/update', { sessionId: this.sessionId, update }).then(sent, sent);
  }

  say(text: string): void {
    this.update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
  }

  /** For what is not the model's answer: problems, and what the program does. */
  think(text: string): void {
    this.update({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text } });
  }

  /** Waits for a client that reads slower than the model writes. */
  async keepUp(): Promise<void> {
    if (this.unsent > MAX_UNSENT) await this.last;
  }

  /** @returns the chosen option; undefined when the client cancels the turn, or the signal aborts */
  async askPermission(
    toolCall: ToolCallUpdate,
    options: PermissionOption[],
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const { sessionId } = this;
    const waiting = { cancellationSignal: signal, stopWaitingOnCancel: true };
    const request = { sessionId, toolCall, options };
    const answer: unknown = await this.context.request('session/request_permission', request, waiting);
    // What a client answers is not checked by the library.
    const { outcome, optionId } = objectOf(objectOf(answer)['outcome']);
    return outcome === 'selected' && typeof optionId === 'string' ? optionId : undefined;
  }
}

const MAX_UNSENT = 256;
