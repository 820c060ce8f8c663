/** Collects streamed text and passes it on thirty times a second. The order of events is kept. */
import type { AgentEventBody } from '@gemini-cli/core';

const INTERVAL_MS = 33;

export class StreamBuffer {
  private text = '';
  private readonly outputs = new Map<string, Extract<AgentEventBody, { type: 'tool_output' }>>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly emit: (event: AgentEventBody) => void) {}

  push(event: AgentEventBody): void {
    if (event.type === 'content') {
      this.text += event.text;
      this.wait();
    } else if (event.type === 'tool_output') {
      // Each holds all the output so far: only the last one counts.
      this.outputs.set(event.callId, event);
      this.wait();
    } else {
      this.flush();
      this.emit(event);
    }
  }

  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const { text } = this;
    this.text = '';
    if (text !== '') this.emit({ type: 'content', text });
    const outputs = [...this.outputs.values()];
    this.outputs.clear();
    for (const output of outputs) this.emit(output);
  }

  private wait(): void {
    this.timer ??= setTimeout(() => this.flush(), INTERVAL_MS);
  }
}
