/** Which addresses the browser may open: host rules, and no way around them through another site. */

/** A host name or address of an entry; anything else would break the browser's own rules. */
const HOST = /^(\*\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?$|^\[[0-9a-f:.]+\]$|^\*$/;
/** How often a parameter is decoded in search of another address. */
const MAX_DECODINGS = 3;

export class AllowedDomains {
  private readonly patterns: readonly string[];

  constructor(entries: readonly string[]) {
    this.patterns = entries.flatMap((entry) => hostIn(entry) ?? []);
  }

  allowsHost(host: string): boolean {
    const name = host.toLowerCase().replace(/\.$/, '');
    return this.patterns.some((pattern) => {
      if (pattern === '*') return true;
      if (!pattern.startsWith('*.')) return name === pattern;
      const base = pattern.slice(2);
      return name === base || name.endsWith(`.${base}`);
    });
  }

  /** Why an address must not be opened, or undefined. */
  refusal(address: string): string | undefined {
    if (address === 'about:blank' || address === '') return undefined;
    const url = URL.canParse(address) ? new URL(address) : undefined;
    if (!url) return `"${address}" is not an address.`;
    if (url.protocol !== 'http:' && url.protocol !== 'https:')
      return `Addresses with "${url.protocol}" cannot be opened, only http and https.`;
    if (!this.allowsHost(url.hostname))
      return `${url.hostname} is not in agents.browser.allowedDomains (${this.patterns.join(', ')}).`;
    const passedOn = this.hostInParameters(url);
    return passedOn === undefined
      ? undefined
      : `The address hands ${passedOn} to another site as a parameter, and that host is not in agents.browser.allowedDomains.`;
  }

  /** For the browser's own resolver: every other host does not exist, for pages and for workers alike. */
  hostRules(): string | undefined {
    if (this.patterns.includes('*')) return undefined;
    const excluded = this.patterns.flatMap((pattern) =>
      pattern.startsWith('*.') ? [pattern, pattern.slice(2)] : [pattern],
    );
    return ['MAP * ~NOTFOUND', ...excluded.map((host) => `EXCLUDE ${host}`)].join(',');
  }

  /** A proxy or translator takes the real address as a parameter: `?url=https://…`. */
  private hostInParameters(url: URL): string | undefined {
    const texts = [url.search.slice(1), url.hash.slice(1), url.pathname.slice(1)];
    for (const text of texts) {
      let current = text;
      for (let at = 0; at < MAX_DECODINGS; at++) {
        const found = this.foreignHostIn(current);
        if (found !== undefined) return found;
        const decoded = decodeOnce(current);
        if (decoded === current) break;
        current = decoded;
      }
    }
    return undefined;
  }

  private foreignHostIn(text: string): string | undefined {
    for (const [, address = ''] of text.matchAll(
      /((?:https?:)[\\/]{1,}[^\s&"'<>]+|(?<=[=&])[\\/]{2}[^\s&"'<>]+)/gi,
    )) {
      const absolute = address.replace(/^https?:[\\/]*/i, 'http://').replace(/^[\\/]{2,}/, 'http://');
      const host = URL.canParse(absolute) ? new URL(absolute).hostname : undefined;
      if (host && !this.allowsHost(host)) return host;
    }
    return undefined;
  }
}

/** Also of an entry written as an address or with a port; undefined: the entry names no host. */
function hostIn(entry: string): string | undefined {
  const text = entry.trim().toLowerCase();
  const bare = text
    .replace(/^https?:\/\//, '')
    .replace(/[/?#].*$/, '')
    .replace(/:\d+$/, '')
    .replace(/\.$/, '');
  return HOST.test(bare) ? bare : undefined;
}

function decodeOnce(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
