/** Where an answer sends its reader, and which redirects are never followed. */
import { WebRequestError } from './web-request-error.js';

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Undefined: the answer is no redirect. Whether the host may be asked is judged when it is. */
export function redirectTarget(status: number, location: string | undefined, from: URL): URL | undefined {
  if (!REDIRECTS.has(status) || !location) return undefined;
  if (!URL.canParse(location, from.href)) {
    throw new WebRequestError('redirect', `${from.host} redirects to no valid URL.`);
  }
  const target = new URL(location, from);
  if (from.protocol === 'https:' && target.protocol === 'http:') {
    throw new WebRequestError('redirect', `${from.host} redirects from https to http (${target.host}).`);
  }
  return target;
}
