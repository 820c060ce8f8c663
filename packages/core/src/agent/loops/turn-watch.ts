/** Watches one model turn for a loop and stops its stream, not the whole request. */
import type { AgentEventBody } from '../../protocol/agent-events.js';
import type { LoopDetector, LoopFinding } from '../loop-detection.js';

export class TurnWatch {
  finding: LoopFinding | undefined;
  private readonly stream = new AbortController();
  private readonly forward = () => this.stream.abort(this.request.reason);

  /** @param request aborts the turn, too; then the user has cancelled */
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
    // Calls come at the end of an answer: nothing is left to stop, and all of them must be known.
    if (this.finding && event.type !== 'tool_requested') this.stream.abort();
  }

  /** True: the turn failed because this watch stopped it; false: rethrow the error. */
  isOurs(): boolean {
    return this.finding !== undefined && !this.request.aborted;
  }

  end(): void {
    this.request.removeEventListener('abort', this.forward);
  }
}
