/** Matches hosts against the list of allowed hosts. Pure. */

export interface HostAndPort {
  host: string;
  port: number;
}

/** Entries: `example.com`, `*.example.com` (not example.com itself), each with an optional `:port`. */
export function isListed({ host, port }: HostAndPort, allowHosts: readonly string[]): boolean {
  const name = normalized(host);
  return allowHosts.some((entry) => {
    const [, pattern = '', wantedPort] = /^(.*?)(?::(\d+))?$/.exec(entry.trim()) ?? [];
    if (wantedPort !== undefined && Number(wantedPort) !== port) return false;
    const wanted = normalized(pattern);
    if (!wanted) return false;
    return wanted.startsWith('*.')
      ? name.endsWith(wanted.slice(1)) && name.length >= wanted.length
      : name === wanted;
  });
}

/** Target of a CONNECT request; undefined when it is malformed. */
export function parseAuthority(text: string): HostAndPort | undefined {
  const [, bracketed, plain, digits] = /^(?:\[([0-9a-f:.]+)\]|([^\s:/@[\]]+)):(\d{1,5})$/i.exec(text) ?? [];
  const host = bracketed ?? plain;
  const port = Number(digits);
  return host && port > 0 && port < 65536 ? { host, port } : undefined;
}

/** A trailing dot and letter case do not change the host. */
function normalized(host: string): string {
  return host.toLowerCase().replace(/\.$/, '');
}
