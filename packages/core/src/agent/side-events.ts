/** What happens beside a running request: collected, so that whoever reads the request's events gets it at once. */
import type { EventStream } from '../bus/event-stream.js';
import { type AgentEvent, type AgentRef, isMainAgent } from '../protocol/agent-events.js';

export class SideEvents {
  private readonly waiting: AgentEvent[] = [];
  private isOwn = false;
  private wake: (() => void) | undefined;
  private readonly stop: () => void;

  /** The main agent's request carries the events of all agents; that of another one only its own. */
  constructor(events: EventStream, agent: AgentRef) {
    const takesAll = isMainAgent(agent);
    this.stop = events.subscribe((event) => {
      if (this.isOwn || !(takesAll || event.agent.id === agent.id)) return;
      this.waiting.push(event);
      this.wake?.();
    });
  }

  /** Emits an event that is yielded anyway. */
  own(emit: () => AgentEvent): AgentEvent {
    this.isOwn = true;
    try {
      return emit();
    } finally {
      this.isOwn = false;
    }
  }

  /** Resolves to true when something beside the request has come before its next event. */
  async comesBefore(next: Promise<unknown>): Promise<boolean> {
    if (this.waiting.length > 0) return true;
    let isSettled = false;
    await new Promise<void>((resolve) => {
      this.wake = resolve;
      const settled = () => {
        isSettled = true;
        resolve();
      };
      next.then(settled, settled);
    });
    this.wake = undefined;
    return !isSettled || this.waiting.length > 0;
  }

  *take(): Generator<AgentEvent> {
    yield* this.waiting.splice(0);
  }

  close(): void {
    this.stop();
  }
}
