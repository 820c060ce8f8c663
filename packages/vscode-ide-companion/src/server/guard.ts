/** Decides which HTTP requests may reach the protocol, from their headers alone. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** Names under which the program reaches this machine; the last one from inside a container. */
const HOSTS = ['127.0.0.1', 'localhost', 'host.docker.internal'];

export interface Refusal {
  status: 401 | 403;
  message: string;
}

/** @returns undefined when the request may pass */
export function refusalOf(
  headers: IncomingHttpHeaders,
  server: { port: number; token: string },
): Refusal | undefined {
  // Only web pages send it, and no web page has business here.
  if (headers.origin !== undefined)
    return { status: 403, message: 'Requests of web pages are not accepted.' };
  // A page whose name was rebound to 127.0.0.1 gives itself away here.
  if (!HOSTS.some((host) => headers.host === `${host}:${server.port}`))
    return { status: 403, message: 'The Host header does not name this server.' };
  if (!isSame(headers.authorization ?? '', `Bearer ${server.token}`))
    return { status: 401, message: 'The token of the discovery file is missing or wrong.' };
  return undefined;
}

/** Takes as long for a nearly right word as for any other. */
function isSame(one: string, other: string): boolean {
  return timingSafeEqual(digest(one), digest(other));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
