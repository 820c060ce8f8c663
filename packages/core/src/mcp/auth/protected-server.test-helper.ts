/** A server that wants a token of a real authorization server, and says so in the way a test asks for. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { OidcServer } from '../../platform/oauth/oidc-server.test-helper.js';

export interface ProtectedServer {
  url: string;
  /** `METHOD path` of every request. */
  requests: string[];
  /** `Authorization` of every request to the server itself. */
  authorizations: (string | undefined)[];
  /** Status and challenge of a request with this token; undefined: accepted. */
  refusal: (token: string | undefined) => Promise<{ status: number; challenge?: string } | undefined>;
  /** Documents by path. */
  documents: Map<string, unknown>;
  close(): Promise<void>;
}

/**
 * @param path of the server itself
 * @param serve answers a request with a good token
 */
export async function startProtectedServer(
  oidc: OidcServer,
  path = '/mcp',
  serve: (request: IncomingMessage, response: ServerResponse) => unknown = (_, response) =>
    response.end('welcome'),
): Promise<ProtectedServer> {
  const server = createServer(async (request, response) => {
    requests.push(`${request.method} ${request.url}`);
    if (request.url !== path) {
      const document = documents.get(request.url ?? '');
      response.writeHead(document ? 200 : 404, { 'content-type': 'application/json' });
      return response.end(JSON.stringify(document ?? { error: 'not found' }));
    }
    authorizations.push(request.headers.authorization);
    const refused = await result.refusal(tokenIn(request));
    if (!refused) return serve(request, response);
    const { status, challenge } = refused;
    response.writeHead(status, { ...(challenge && { 'www-authenticate': challenge }) });
    return response.end('no');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
  const [requests, authorizations]: [string[], (string | undefined)[]] = [[], []];
  const documents = new Map<string, unknown>();
  const result: ProtectedServer = {
    url,
    requests,
    authorizations,
    documents,
    refusal: async (token) => {
      const found = token ? await oidc.find(token) : undefined;
      return found?.aud === url ? undefined : { status: 401 };
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  documents.set(`/.well-known/oauth-protected-resource${path}`, {
    resource: url,
    authorization_servers: [oidc.issuer],
    scopes_supported: ['openid', 'tools:read'],
  });
  return result;
}

function tokenIn({ headers }: IncomingMessage): string | undefined {
  return /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1];
}
