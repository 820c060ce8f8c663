/** Chooses the proxy of a request from the usual environment variables. */
/** Undefined: connect directly. Requests to this machine never go through a proxy. */
export function proxyFor(url: URL, env: NodeJS.ProcessEnv): string | undefined {
  const read = (name: string) => env[name] || env[name.toLowerCase()];
  const proxy =
    (url.protocol === 'https:' ? read('HTTPS_PROXY') : undefined) ?? read('HTTP_PROXY') ?? read('ALL_PROXY');
  if (!proxy || isLocal(url.hostname) || isExempt(url, read('NO_PROXY') ?? '')) return undefined;
  return proxy.includes('://') ? proxy : `http://${proxy}`;
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
