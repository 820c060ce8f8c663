/** Events from outside a running request (other agents, notices, questions), queued for the reader of the request. */
import type { EventStream } from '../bus/event-stream.js';
import {
  type AgentEvent,
  type AgentEventBody,
  type AgentRef,
  isMainAgent,
} from '../protocol/agent-events.js';

type Next = IteratorResult<AgentEventBody> | undefined;

export class SideEvents {
  private readonly waiting: AgentEvent[] = [];
  private readonly listener: (event: AgentEvent) => void;
  private resolve: (result: Next) => void = () => undefined;
  private reject: (error: unknown) => void = () => undefined;
  private readonly stop: () => void;
  /** The awaited promise, and whether it has settled. */
  private watched: Promise<IteratorResult<AgentEventBody>> | undefined;
  private isSettled = false;

  /** The main agent's request carries the events of all agents; any other agent's only its own. */
  constructor(
    private readonly events: EventStream,
    private readonly agent: AgentRef,
  ) {
    const takesAll = isMainAgent(agent);
    this.listener = (event) => {
      if (!takesAll && event.agent.id !== agent.id) return;
      this.waiting.push(event);
      this.resolve(undefined);
    };
    this.stop = events.subscribe(this.listener);
  }

  /** Emits an event of the request itself, which the reader gets as its yield. */
  emitOwn(body: AgentEventBody): AgentEvent {
    const event = withAgent(body, this.agent);
    this.events.forward(event, this.listener);
    return event;
  }

  /**
   * What `next` resolves to; undefined when an event from outside comes first. It runs for every chunk, so it
   * makes one promise and no closure; that takes a third of the time of `Promise.race`.
   */
  first(next: Promise<IteratorResult<AgentEventBody>>): Promise<Next> {
    if (this.watched !== next) {
      this.watched = next;
      this.isSettled = false;
      // Only once: another agent may emit thousands of events while one promise is pending.
      next.then(this.onResult, this.onError);
    }
    if (this.waiting.length > 0) return NOTHING;
    return this.isSettled ? next : new Promise<Next>(this.listen);
  }

  get hasSome(): boolean {
    return this.waiting.length > 0;
  }

  *take(): Generator<AgentEvent> {
    while (this.waiting.length > 0) yield* this.waiting.splice(0);
  }

  close(): void {
    this.stop();
  }

  // A result that arrives unawaited resolves an old promise, without effect: `first` checks `isSettled`.
  private readonly onResult = (result: Next) => {
    this.isSettled = true;
    this.resolve(result);
  };
  private readonly onError = (error: unknown) => {
    this.isSettled = true;
    this.reject(error);
  };
  private readonly listen = (resolve: (result: Next) => void, reject: (error: unknown) => void) => {
    this.resolve = resolve;
    this.reject = reject;
  };
}

/** Nearly all events are `content`; copying any shape would take several times as long. */
function withAgent(body: AgentEventBody, agent: AgentRef): AgentEvent {
  return body.type === 'content' ? { type: 'content', text: body.text, agent } : { ...body, agent };
}

const NOTHING = Promise.resolve(undefined);
