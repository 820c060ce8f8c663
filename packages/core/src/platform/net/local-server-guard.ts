/**
 * Refuses requests of strangers to a server that we run on this machine. Every web page that the user visits and
 * every other user of the machine can reach its port, but they do not have the right token, host and origin.
 */
import type { IncomingMessage } from 'node:http';

export interface LocalServerRules {
  port: number;
  /** Expected as `Authorization: Bearer <token>`; absent: the server checks another secret itself. */
  token?: string;
  /** Origins of pages that may call; none by default. Only browsers send an origin. */
  origins?: readonly string[];
  /** Further host names, with the port if it is not 80. */
  hosts?: readonly string[];
}

export interface GuardRefusal {
  status: 401 | 403;
  text: string;
}

/** Undefined: the request is allowed. Call it before anything else of the request is used. */
export function refuseStranger(
  { headers, rawHeaders }: Pick<IncomingMessage, 'headers' | 'rawHeaders'>,
  { port, token, origins = [], hosts = [] }: LocalServerRules,
): GuardRefusal | undefined {
  // In a DNS rebinding attack the host is the attacker's name.
  const own = ['127.0.0.1', 'localhost', '[::1]'];
  // Browsers omit port 80.
  const names = [...own.map((name) => `${name}:${port}`), ...(port === 80 ? own : []), ...hosts];
  const host = headers.host?.toLowerCase() ?? '';
  if (!names.includes(host) || countOf(rawHeaders, 'host') !== 1) return forbidden('Wrong host.');
  const { origin } = headers;
  if (origin !== undefined && !origins.includes(origin)) return forbidden('Wrong origin.');
  if (token === undefined) return undefined;
  const given = /^Bearer ([^\s]+)$/i.exec(headers.authorization ?? '')?.[1];
  return isSameSecret(given, token) ? undefined : { status: 401, text: 'A token is needed.' };
}

/** Compares in constant time. An empty secret never matches. */
export function isSameSecret(given: string | null | undefined, expected: string): boolean {
  if (!given || given.length !== expected.length) return false;
  let difference = 0;
  for (let i = 0; i < expected.length; i++) difference |= given.charCodeAt(i) ^ expected.charCodeAt(i);
  return difference === 0;
}

/** Node uses the first of several headers, other programs the last; an attacker could exploit that. */
function countOf(rawHeaders: readonly string[], name: string): number {
  return rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === name).length;
}

function forbidden(text: string): GuardRefusal {
  return { status: 403, text };
}
