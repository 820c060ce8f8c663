/** HTTP proxy that lets a sandboxed command reach only listed hosts. The sandbox connects over a unix socket. */
import { promises as dns } from 'node:dns';
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import { connect, isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { DeveloperError, messageOf } from '../../../base/errors.js';
import { createLog } from '../../log.js';
import { addressProblem } from '../../net/address-guard.js';
import { type HostAndPort, isListed, parseAuthority } from './host-list.js';

export interface ProxyOptions {
  allowHosts: readonly string[];
  /** Addresses of a name; default: the system's resolver. */
  resolve?: (host: string) => Promise<readonly string[]>;
  isPrivate?: (address: string) => boolean;
  /** Hosts that may have a private address, as asked for; default: none. */
  allowsPrivate?: (host: string) => boolean;
  /** A host that is not on the list was asked for. */
  onRefused?: (target: HostAndPort) => void;
}

const log = createLog('sandbox');
const CONNECT_TIMEOUT_MS = 15_000;

class Refusal extends DeveloperError {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

export class AllowListProxy {
  private readonly server: Server;
  private readonly sockets = new Set<Duplex>();

  constructor(private readonly options: ProxyOptions) {
    this.server = createServer((incoming, response) => void this.forward(incoming, response));
    this.server.on('connect', (incoming, client, head) => void this.tunnel(incoming, client, head));
    this.server.on('connection', (socket: Socket) => this.track(socket));
    this.server.on('clientError', (_error, socket) => socket.destroy());
  }

  listen(socketPath: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(socketPath, () => {
        // The proxy must not keep the program running.
        this.server.unref();
        resolve();
      });
    });
  }

  /** For a sandbox that shares our network. @returns the port */
  listenOnLoopback(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(0, '127.0.0.1', () => {
        this.server.unref();
        const address = this.server.address();
        resolve(typeof address === 'object' && address ? address.port : 0);
      });
    });
  }

  close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  private async tunnel(incoming: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
    client.on('error', () => client.destroy());
    try {
      const target = parseAuthority(incoming.url ?? '');
      if (!target) throw new Refusal(400, `"${incoming.url}" is not a host and port.`);
      const server = await this.reach(target);
      server.on('error', () => client.destroy());
      client.on('close', () => server.destroy());
      server.on('close', () => client.destroy());
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      if (head.length > 0) server.write(head);
      server.pipe(client);
      client.pipe(server);
    } catch (error) {
      const { status, message } = refusalOf(error);
      const body = `${message}\n`;
      client.end(
        `HTTP/1.1 ${status} ${status === 403 ? 'Forbidden' : 'Error'}\r\nContent-Type: text/plain\r\n` +
          `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
      );
    }
  }

  private async forward(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const url = targetOf(incoming);
      const server = await this.reach({ host: bare(url.hostname), port: Number(url.port || 80) });
      const headers: OutgoingHttpHeaders = { ...incoming.headers, host: url.host };
      delete headers['proxy-connection'];
      delete headers['proxy-authorization'];
      const outgoing = httpRequest({
        createConnection: () => server,
        method: incoming.method,
        path: url.pathname + url.search,
        headers,
        setHost: false,
      });
      outgoing.on('response', (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      outgoing.on('error', (error) => refuse(response, new Refusal(502, `${url.host}: ${error.message}`)));
      response.on('close', () => outgoing.destroy());
      incoming.pipe(outgoing);
    } catch (error) {
      refuse(response, refusalOf(error));
    }
  }

  /** Connects to the address that was checked, so that a second DNS answer cannot change it. */
  private async reach(target: HostAndPort): Promise<Socket> {
    const { host, port } = target;
    if (!isListed(target, this.options.allowHosts)) {
      log.warn('host refused', { host, port });
      this.options.onRefused?.(target);
      throw new Refusal(
        403,
        `The sandbox does not allow connections to ${host}. It is not on the list of hosts.`,
      );
    }
    const addresses = isIP(host) ? [host] : await this.lookUp(host);
    const isPrivate = this.options.isPrivate ?? isNotPublic;
    const hidden = this.options.allowsPrivate?.(host) ? undefined : addresses.find(isPrivate);
    if (hidden !== undefined) {
      throw new Refusal(
        403,
        `The sandbox does not allow connections to ${host}: ${hidden} is a private address.`,
      );
    }
    const [address] = addresses;
    if (!address) throw new Refusal(502, `${host} has no address.`);
    return this.open(address, port, host);
  }

  private async lookUp(host: string): Promise<readonly string[]> {
    try {
      if (this.options.resolve) return await this.options.resolve(host);
      return (await dns.lookup(host, { all: true })).map(({ address }) => address);
    } catch (error) {
      throw new Refusal(502, `${host} was not found: ${messageOf(error)}`);
    }
  }

  private open(address: string, port: number, host: string): Promise<Socket> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host: address, port, timeout: CONNECT_TIMEOUT_MS });
      this.track(socket);
      socket.once('connect', () => {
        socket.setTimeout(0);
        resolve(socket);
      });
      socket.once('timeout', () => socket.destroy(new Error('no answer')));
      socket.once('error', (error) => reject(new Refusal(502, `${host}:${port}: ${error.message}`)));
    });
  }

  private track(socket: Duplex): void {
    this.sockets.add(socket);
    socket.once('close', () => this.sockets.delete(socket));
  }
}

function targetOf(incoming: IncomingMessage): URL {
  let url: URL | undefined;
  try {
    url = new URL(incoming.url ?? '');
  } catch {
    // Not the absolute form of a proxy request.
  }
  if (url?.protocol !== 'http:')
    throw new Refusal(400, 'This is a proxy: ask it with http://host/ or CONNECT.');
  return url;
}

function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}

function refusalOf(error: unknown): Refusal {
  return error instanceof Refusal ? error : new Refusal(502, messageOf(error));
}

function refuse(response: ServerResponse, { status, message }: Refusal): void {
  if (response.headersSent) response.destroy();
  else response.writeHead(status, { 'content-type': 'text/plain' }).end(`${message}\n`);
}

function isNotPublic(address: string): boolean {
  return addressProblem(address) !== undefined;
}
