/**
 * Who may talk to a server that we run on this machine. Every web page the user visits and every other user of
 * the machine can reach its port; the right token, host and origin are what they do not have.
 */
import type { IncomingMessage } from 'node:http';

export interface LocalServerRules {
  port: number;
  /** Expected as `Authorization: Bearer <token>`; absent: the server has another secret of its own. */
  token?: string;
  /** Origins of pages that may call; none by default. A program that is no browser sends no origin. */
  origins?: readonly string[];
  /** Names besides those of this machine itself, with the port if it is not the usual one. */
  hosts?: readonly string[];
}

export interface GuardRefusal {
  status: 401 | 403;
  text: string;
}

/** Undefined: go on. Nothing of the request was believed before. */
export function refuseStranger(
  { headers, rawHeaders }: Pick<IncomingMessage, 'headers' | 'rawHeaders'>,
  { port, token, origins = [], hosts = [] }: LocalServerRules,
): GuardRefusal | undefined {
  // A page under a name of its own that resolves to this machine (DNS rebinding) names itself here.
  const own = ['127.0.0.1', 'localhost', '[::1]'];
  // Browsers leave out the usual port.
  const names = [...own.map((name) => `${name}:${port}`), ...(port === 80 ? own : []), ...hosts];
  const host = headers.host?.toLowerCase() ?? '';
  if (!names.includes(host) || countOf(rawHeaders, 'host') !== 1) return forbidden('Wrong host.');
  const { origin } = headers;
  if (origin !== undefined && !origins.includes(origin)) return forbidden('Wrong origin.');
  if (token === undefined) return undefined;
  const given = /^Bearer ([^\s]+)$/i.exec(headers.authorization ?? '')?.[1];
  return isSameSecret(given, token) ? undefined : { status: 401, text: 'A token is needed.' };
}

/** In a time that does not depend on where the difference is. An empty secret fits nothing. */
export function isSameSecret(given: string | null | undefined, expected: string): boolean {
  if (!given || given.length !== expected.length) return false;
  let difference = 0;
  for (let i = 0; i < expected.length; i++) difference |= given.charCodeAt(i) ^ expected.charCodeAt(i);
  return difference === 0;
}

/** Of several headers Node takes the first and others the last; whoever sends several wants that. */
function countOf(rawHeaders: readonly string[], name: string): number {
  return rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === name).length;
}

function forbidden(text: string): GuardRefusal {
  return { status: 403, text };
}
