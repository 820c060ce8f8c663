/** Writes a session's scratchpad into its record when the session ends. */
import type { AgentEventBody } from '../../protocol/agent-events.js';
import { textOf } from '../../protocol/messages.js';
import type { ChatRecordingService } from '../recording/chat-recording-service.js';
import { ScratchpadBuilder } from './scratchpad.js';

export class ScratchpadKeeper {
  private readonly builder: ScratchpadBuilder;
  private hasNews = false;

  constructor(private readonly service: Pick<ChatRecordingService, 'memoryScratchpad' | 'setMetadata'>) {
    this.builder = new ScratchpadBuilder(service.memoryScratchpad);
  }

  observe(event: AgentEventBody): void {
    if (event.type === 'turn_started') {
      this.builder.addPrompt(textOf(event.parts));
      this.hasNews = true;
    } else if (event.type === 'tool_finished') {
      const { request, status, response } = event.call;
      this.builder.addCall({ ...request, status, result: response.responseParts });
      this.hasNews = true;
    }
  }

  /** Must be the last record: messages after it make it stale. */
  write(): void {
    if (!this.hasNews) return;
    this.hasNews = false;
    const memoryScratchpad = this.builder.build();
    if (memoryScratchpad) this.service.setMetadata({ memoryScratchpad });
  }
}
