/**
 * Writes a stream of server-sent events. A slow client holds back its own stream only; one that reads nothing loses the
 * connection and may resume with `Last-Event-ID`. Comments keep quiet streams alive through proxies.
 */
import type { ServerResponse } from 'node:http';

export interface SseOptions {
  pingMs: number;
  stalledMs: number;
  headers?: Readonly<Record<string, string>>;
}

export interface SseEvent {
  data: unknown;
  id?: string;
  event?: string;
}

export class SseWriter {
  private readonly ping: NodeJS.Timeout;

  constructor(
    private readonly response: ServerResponse,
    private readonly options: SseOptions,
  ) {
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache',
      connection: 'keep-alive',
      // For reverse proxies that would collect the events.
      'x-accel-buffering': 'no',
      ...options.headers,
    });
    response.flushHeaders();
    this.ping = setInterval(() => {
      if (!response.writableNeedDrain && !response.destroyed) response.write(': ping\n\n');
    }, options.pingMs);
    this.ping.unref();
    response.once('close', () => clearInterval(this.ping));
  }

  /** Resolves when there is room for the next one. */
  async send({ data, id, event }: SseEvent): Promise<void> {
    const { response } = this;
    if (response.destroyed) return;
    const head = `${id === undefined ? '' : `id: ${id}\n`}${event === undefined ? '' : `event: ${event}\n`}`;
    const hasRoom = response.write(`${head}data: ${JSON.stringify(data)}\n\n`);
    if (!hasRoom) await this.drained();
  }

  end(): void {
    clearInterval(this.ping);
    if (!this.response.destroyed) this.response.end();
  }

  private drained(): Promise<void> {
    const { response, options } = this;
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        response.removeListener('drain', done);
        response.removeListener('close', done);
        resolve();
      };
      const timer = setTimeout(() => response.destroy(), options.stalledMs);
      timer.unref();
      response.once('drain', done);
      response.once('close', done);
    });
  }
}
