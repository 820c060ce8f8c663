/** Watches one model turn for a loop and stops its stream, and only that, when there is one. */
import type { AgentEventBody } from '../../protocol/agent-events.js';
import type { LoopDetector, LoopFinding } from '../loop-detection.js';

export class TurnWatch {
  finding: LoopFinding | undefined;
  private readonly stream = new AbortController();
  private readonly forward = () => this.stream.abort(this.request.reason);

  /** @param request aborts the turn too, but then it is the user's doing */
  constructor(
    private readonly detector: LoopDetector,
    private readonly request: AbortSignal,
  ) {
    if (request.aborted) this.forward();
    request.addEventListener('abort', this.forward, { once: true });
  }

  get signal(): AbortSignal {
    return this.stream.signal;
  }

  see(event: AgentEventBody): void {
    if (this.finding) return;
    this.finding = this.detector.observe(event);
    // Calls come at the end of an answer: there is nothing left to stop, and all of them must be known.
    if (this.finding && event.type !== 'tool_requested') this.stream.abort();
  }

  /** What the turn threw: of our own doing, or something to throw on. */
  isOurs(): boolean {
    return this.finding !== undefined && !this.request.aborted;
  }

  end(): void {
    this.request.removeEventListener('abort', this.forward);
  }
}
