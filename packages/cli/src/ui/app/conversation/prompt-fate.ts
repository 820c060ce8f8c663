/** Follows one request to tell whether its prompt belongs back into the input: nothing came back, or it was not sent. */
import type { AgentEventBody } from '@gemini-cli/core';

export class PromptFate {
  private isSent = false;
  private isAnswered = false;
  private isTooLong = false;

  observe(event: AgentEventBody): void {
    switch (event.type) {
      case 'turn_started':
        this.isSent = true;
        return;
      case 'content':
      case 'thought':
      case 'citation':
      case 'tool_requested':
      case 'steered':
        this.isAnswered = true;
        return;
      case 'context_window_will_overflow':
        this.isTooLong = true;
    }
  }

  /** What the model has answered belongs to the conversation, and so does the prompt of a failed request. */
  returns({ isCancelled }: { isCancelled: boolean }): boolean {
    return !this.isAnswered && (isCancelled || !this.isSent || this.isTooLong);
  }
}
