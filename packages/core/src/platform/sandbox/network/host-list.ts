/** Which hosts a sandboxed command may reach: names, and names below a name. Pure. */

export interface HostAndPort {
  host: string;
  port: number;
}

/** `example.com`, `*.example.com` (not example.com itself), each with `:port` if only that one is meant. */
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

/** Of a CONNECT request; undefined when it names no host and port. */
export function parseAuthority(text: string): HostAndPort | undefined {
  const [, bracketed, plain, digits] = /^(?:\[([0-9a-f:.]+)\]|([^\s:/@[\]]+)):(\d{1,5})$/i.exec(text) ?? [];
  const host = bracketed ?? plain;
  const port = Number(digits);
  return host && port > 0 && port < 65536 ? { host, port } : undefined;
}

/** A trailing dot and capital letters name the same host. */
function normalized(host: string): string {
  return host.toLowerCase().replace(/\.$/, '');
}
