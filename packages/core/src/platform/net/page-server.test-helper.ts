/** For tests: a local web server with pages by path, which records the requests. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type PageHandler = (request: IncomingMessage, response: ServerResponse) => void;

export class PageServer {
  /** `path` of each request, in order. */
  readonly asked: string[] = [];
  lastRequest: IncomingMessage | undefined;
  private readonly pages = new Map<string, PageHandler>();
  private readonly http: Server = createServer((request, response) => {
    this.asked.push(request.url ?? '');
    this.lastRequest = request;
    const path = (request.url ?? '').replace(/^http:\/\/[^/]+/, '').replace(/\?.*$/, '');
    const handler = this.pages.get(path);
    if (handler) handler(request, response);
    else response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not here</h1>');
  });

  static async start(): Promise<PageServer> {
    const server = new PageServer();
    await new Promise<void>((resolve) => server.http.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get port(): number {
    return (this.http.address() as AddressInfo).port;
  }

  url(path: string): string {
    return `http://127.0.0.1:${this.port}${path}`;
  }

  on(path: string, handler: PageHandler): void {
    this.pages.set(path, handler);
  }

  page(path: string, body: string | Buffer, contentType = 'text/html; charset=utf-8', status = 200): void {
    this.on(path, (_request, response) =>
      response.writeHead(status, { 'content-type': contentType }).end(body),
    );
  }

  redirect(path: string, location: string, status = 302): void {
    this.on(path, (_request, response) => response.writeHead(status, { location }).end());
  }

  close(): Promise<void> {
    this.http.closeAllConnections();
    return new Promise((resolve) => this.http.close(() => resolve()));
  }
}
