/** Chooses the proxy of a request: from the usual environment variables, else from the settings. */
import { UserError } from '../../base/errors.js';
import type { ProxySource } from '../environment.js';

/**
 * Undefined: connect directly. Requests to this machine never go through a proxy.
 * @throws UserError for an address that cannot be used; connecting directly instead would evade the proxy
 */
export function proxyFor(url: URL, { variables, proxy: ofSettings }: ProxySource): URL | undefined {
  const named = (name: string): [string, string] | undefined => {
    const value = variables[name] || variables[name.toLowerCase()];
    return value ? [name, value] : undefined;
  };
  const chosen =
    (url.protocol === 'https:' ? named('HTTPS_PROXY') : undefined) ??
    named('HTTP_PROXY') ??
    named('ALL_PROXY') ??
    (ofSettings ? (['general.proxy', ofSettings] as const) : undefined);
  if (!chosen || isLocal(url.hostname) || isExempt(url, named('NO_PROXY')?.[1] ?? '')) return undefined;
  return addressOf(...chosen);
}

/** The password in a proxy's address, as written and decoded: it must not be shown. */
export function proxyPasswords(address: string): string[] {
  const { password } = parse(address) ?? {};
  return password ? [password, decoded(password)] : [];
}

/** `%40` in a user name or password; a single `%` stays. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The message leaves the address out: it may contain a password. */
function addressOf(name: string, address: string): URL {
  const url = parse(address);
  if (url?.hostname && /^https?:$/.test(url.protocol)) return url;
  throw new UserError(`${name} is not the address of an http or https proxy.`, { code: 'bad_proxy' });
}

function parse(address: string): URL | undefined {
  const complete = address.includes('://') ? address : `http://${address}`;
  return URL.canParse(complete) ? new URL(complete) : undefined;
}

function isLocal(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127\./.test(host);
}

/** `NO_PROXY`: a name matches itself and its subdomains; `*` matches all; a port is optional. */
function isExempt(url: URL, list: string): boolean {
  const host = url.hostname.toLowerCase();
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)
    .some((entry) => {
      if (entry === '*') return true;
      const [, name = '', entryPort] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? [];
      if (entryPort && entryPort !== port) return false;
      const bare = name.replace(/^\*?\./, '');
      return host === bare || host.endsWith(`.${bare}`);
    });
}
