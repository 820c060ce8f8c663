/** An HTTP proxy on loopback that records who asks for what. It answers plain requests itself and refuses tunnels. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ProxyServer {
  /** With credentials. */
  url: string;
  /** `CONNECT host:443` or `GET http://host/path`, in order. */
  asked: string[];
  /** The `proxy-authorization` header of each request, decoded. */
  credentials: string[];
  close(): Promise<void>;
}

export const PROXY_PASSWORD = 'n0t-for-the-screen';

/** @param answer the body of the answer to a plain request */
export async function startProxyServer(answer = '{}'): Promise<ProxyServer> {
  const asked: string[] = [];
  const credentials: string[] = [];
  const note = (line: string, header: string | undefined) => {
    asked.push(line);
    credentials.push(Buffer.from(header?.replace(/^Basic /, '') ?? '', 'base64').toString());
  };
  const server = createServer((request, response) => {
    note(`${request.method} ${request.url}`, request.headers['proxy-authorization']);
    response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
  });
  server.on('connect', (request, socket) => {
    note(`CONNECT ${request.url}`, request.headers['proxy-authorization']);
    socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  };
  return { url: `http://mona:${PROXY_PASSWORD}@127.0.0.1:${port}`, asked, credentials, close };
}
