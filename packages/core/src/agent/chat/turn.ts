/** One model request, for programs that drive the loop themselves (`GeminiClient.processTurn`). */
import type { AgentEventBody } from '../../protocol/agent-events.js';
import type { Message } from '../../protocol/messages.js';
import type { ToolCallRequest } from '../../protocol/tool-calls.js';
import type { ChatRequest, GeminiChat } from './gemini-chat.js';

export class Turn {
  readonly pendingToolCalls: ToolCallRequest[] = [];

  constructor(
    private readonly chat: GeminiChat,
    private readonly request: ChatRequest,
    private readonly message: Message,
  ) {}

  async *run(signal: AbortSignal): AsyncGenerator<AgentEventBody> {
    for await (const event of this.chat.sendMessageStream(this.message, this.request, signal)) {
      if (event.type === 'tool_requested') this.pendingToolCalls.push(event.request);
      yield event;
    }
  }
}
