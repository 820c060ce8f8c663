/** Base class of the scripted model servers: an address on this machine, and the recorded calls. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export abstract class LoopbackServer<TRequest> {
  /** Every call in order of arrival. */
  readonly requests: TRequest[] = [];

  private readonly http: Server = createServer((request, response) => {
    this.handle(request, response).catch((error: unknown) => response.destroy(error as Error));
  });

  protected abstract handle(incoming: IncomingMessage, response: ServerResponse): Promise<void>;

  /** Without a path. */
  get origin(): string {
    return `http://127.0.0.1:${(this.http.address() as AddressInfo).port}`;
  }

  get url(): string {
    return this.origin;
  }

  /** The last model call; throws when there was none. */
  lastRequest(): TRequest {
    const last = this.requests.at(-1);
    if (!last) throw new Error('The model was never called.');
    return last;
  }

  listen(): Promise<void> {
    return new Promise((resolve) => this.http.listen(0, '127.0.0.1', resolve));
  }

  close(): Promise<void> {
    this.http.closeAllConnections();
    return new Promise((resolve) => this.http.close(() => resolve()));
  }
}
