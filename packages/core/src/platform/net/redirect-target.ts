/** Reads the target of a redirect, and refuses redirects that must not be followed. */
import { WebRequestError } from './web-request-error.js';

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Undefined: not a redirect. The caller still has to check the host. */
export function redirectTarget(status: number, location: string | undefined, from: URL): URL | undefined {
  if (!REDIRECTS.has(status) || !location) return undefined;
  if (!URL.canParse(location, from.href)) {
    throw new WebRequestError('redirect', `${from.host} redirects to an invalid URL.`);
  }
  const target = new URL(location, from);
  if (from.protocol === 'https:' && target.protocol === 'http:') {
    throw new WebRequestError('redirect', `${from.host} redirects from https to http (${target.host}).`);
  }
  return target;
}
