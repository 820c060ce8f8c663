/** Writes a stream of protocol events to a client, with ids, pings and a limit on open streams. */
import type { ServerResponse } from 'node:http';
import { tooMany } from '../http/http-error.js';
import { SseWriter } from '../http/sse.js';
import type { Call } from './call.js';

export interface StreamSettings {
  pingMs: number;
  stalledMs: number;
  maxStreams: number;
}

/** What a client gets when the stream fails after it has begun. */
export type StreamError = (error: unknown) => unknown;

export class Streams {
  private open = 0;

  constructor(private readonly settings: StreamSettings) {}

  get count(): number {
    return this.open;
  }

  /**
   * Writes all of `events`. An error before the first event is thrown, unless that takes long: it can still be a
   * response of its own. A turn that waits behind others says nothing for minutes, and its client and proxies give up a
   * request without any answer: the stream is open before.
   * @param headers of the response
   */
  async write(
    response: ServerResponse,
    call: Call,
    events: AsyncIterator<unknown>,
    { headers = {}, failed }: { headers?: Record<string, string>; failed: StreamError },
  ): Promise<void> {
    if (this.open >= this.settings.maxStreams) {
      await events.return?.();
      throw tooMany('open streams');
    }
    this.open++;
    try {
      const first = events.next();
      await settledWithin(first, this.settings.pingMs);
      const writer = new SseWriter(response, { ...this.settings, headers });
      try {
        await this.writeAll(writer, await first, events, call);
      } catch (error) {
        if (!call.signal.aborted) await writer.send({ event: 'error', data: failed(error) });
      }
      writer.end();
    } finally {
      this.open--;
      await events.return?.();
    }
  }

  private async writeAll(
    writer: SseWriter,
    first: IteratorResult<unknown>,
    events: AsyncIterator<unknown>,
    call: Call,
  ): Promise<void> {
    for (let next = first; !next.done && !call.signal.aborted; next = await events.next()) {
      const { place } = call;
      await writer.send({ data: withFinal(next.value, call), ...(place && { id: place.id }) });
    }
  }
}

/** Returns early when the time is over. @throws what the work throws before */
async function settledWithin(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** Version 0.3 ends a stream with `final: true`; its library says so for terminal states only. */
function withFinal(event: unknown, { version, place }: Call): unknown {
  if (version !== '0.3' || typeof event !== 'object' || event === null) return event;
  const result: unknown = 'result' in event ? event.result : event;
  if (typeof result === 'object' && result !== null && 'kind' in result && result.kind === 'status-update')
    Object.assign(result, { final: place?.isLast ?? false });
  return event;
}
