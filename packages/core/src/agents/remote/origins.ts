/**
 * Where requests of a remote agent may go, and which of them may carry credentials. The card is the server's word: it
 * may name any address, so credentials stay at the card's own origin, and a card of the internet leads to no address
 * of this machine or its networks.
 */
import { hostProblem } from '../../platform/net/address-guard.js';
import { isLoopback } from '../../platform/net/auth-http.js';
import type { AgentInterface } from './card/parse-card.js';

export interface Reach {
  url: URL;
  /** The origin that the user named. */
  hasCredentials: boolean;
  /** Its address must be checked when it is connected. */
  isGuarded: boolean;
}

/**
 * @param card the card's address; undefined: the user wrote the card itself, so all of it is the user's word
 * @returns why the interface is not used, if it is not
 */
export function reachOf(target: AgentInterface, card: URL | undefined): Reach | string {
  const url = interfaceUrl(target);
  if (!url) return `${target.url} is not an http or https address`;
  if (!card) return { url, hasCredentials: true, isGuarded: false };
  if (url.origin === card.origin) return { url, hasCredentials: true, isGuarded: false };
  // Another port of the host that the user named.
  if (url.hostname === card.hostname) return { url, hasCredentials: false, isGuarded: false };
  const problem = hostProblem(url.hostname);
  if (problem) return `${url.origin} is ${problem}, and the card comes from ${card.origin}`;
  return { url, hasCredentials: false, isGuarded: true };
}

/** Credentials would be readable on the way. */
export function isReadableByOthers(url: URL): boolean {
  return url.protocol !== 'https:' && !isLoopback(url);
}

/** gRPC addresses mostly have no scheme: encrypted, unless they are on this machine. */
function interfaceUrl({ url: text, binding }: AgentInterface): URL | undefined {
  const plain = binding === 'GRPC' ? text.replace(/^dns:\/{0,3}/i, '') : text;
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(plain)?.[1]?.toLowerCase();
  if (binding !== 'GRPC' || scheme === 'http' || scheme === 'https') return httpUrl(plain);
  const rest = scheme ? plain.slice(scheme.length + 3) : plain;
  if (scheme === 'grpc') return httpUrl(`http://${rest}`);
  if (scheme === 'grpcs') return httpUrl(`https://${rest}`);
  if (scheme) return undefined;
  const encrypted = httpUrl(`https://${rest}`);
  return encrypted && isLoopback(encrypted) ? httpUrl(`http://${rest}`) : encrypted;
}

function httpUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isUsable = url && /^https?:$/.test(url.protocol) && !url.username && !url.password;
  return isUsable ? url : undefined;
}
