/** Service addresses set by users: credentials go there, so never unencrypted over a network. */
import { FatalConfigError } from '../../base/errors.js';

/** @param variable that holds the address, for the message */
export function parseServiceAddress(variable: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url) throw new FatalConfigError(`${variable} is not a valid address: "${text}".`);
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLocal)) return url;
  throw new FatalConfigError(
    `${variable} must use https unless it is on this machine, got "${url.protocol}//${url.host}".`,
  );
}
