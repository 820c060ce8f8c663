/** Recognises hosts that are not on the public internet: this machine, local networks, cloud metadata services. */
import { isIP } from 'node:net';

/** Why an address is not public; undefined: it is public. An invalid address is not public. */
export function addressProblem(address: string): string | undefined {
  const bare = address.replace(/%.*$/, '').replace(/^\[(.*)\]$/, '$1');
  switch (isIP(bare)) {
    case 4:
      return problemOfIPv4(bare.split('.').map(Number));
    case 6:
      return problemOfIPv6(groupsOf(bare));
    default:
      return 'not an IP address';
  }
}

/** Why a host name is refused; undefined: its addresses must still be checked. */
export function hostProblem(hostname: string): string | undefined {
  const host = literalOf(hostname);
  if (host === undefined) return 'not a valid host name';
  if (isIP(host) !== 0) return addressProblem(host);
  const name = host.replace(/\.+$/, '');
  if (name === 'metadata') return 'a metadata service';
  // No public name is a single word. Behind a proxy we may know only the name.
  const isLocal = !name.includes('.') || LOCAL_SUFFIXES.some((local) => name.endsWith(`.${local}`));
  return isLocal ? 'a name of a local network' : undefined;
}

/**
 * Normalizes a host with the URL parser, which knows all numeric forms that resolvers accept (`0x7f000001`,
 * `0177.1`).
 */
function literalOf(hostname: string): string | undefined {
  // An address may have a zone, which a URL cannot contain.
  const bare = hostname.replace(/%[^\]]*/, '').replace(/^\[(.*)\]$/, '$1');
  const url = `http://${isIP(bare) === 6 ? `[${bare}]` : bare}/`;
  if (!URL.canParse(url)) return undefined;
  return new URL(url).hostname.replace(/^\[(.*)\]$/, '$1');
}

/** Reserved for or common in private networks; none is a public top-level domain. */
const LOCAL_SUFFIXES =
  'localhost localdomain local internal home.arpa intranet private corp home lan svc'.split(' ');

type Range = readonly [network: string, bits: number, what: string];

const IPV4_RANGES: readonly Range[] = [
  ['0.0.0.0', 8, 'unspecified'],
  ['10.0.0.0', 8, 'private'],
  ['100.64.0.0', 10, 'shared by a carrier'],
  ['127.0.0.0', 8, 'loopback'],
  // Azure's metadata service has a public address.
  ['168.63.129.16', 32, 'a metadata service'],
  ['169.254.0.0', 16, 'link-local'],
  ['172.16.0.0', 12, 'private'],
  ['192.0.0.0', 24, 'reserved'],
  ['192.0.2.0', 24, 'reserved'],
  ['192.88.99.0', 24, 'reserved'],
  ['192.168.0.0', 16, 'private'],
  ['198.18.0.0', 15, 'reserved'],
  ['198.51.100.0', 24, 'reserved'],
  ['203.0.113.0', 24, 'reserved'],
  ['224.0.0.0', 4, 'multicast'],
  ['240.0.0.0', 4, 'reserved'],
];

function problemOfIPv4(bytes: readonly number[]): string | undefined {
  const value = numberOf(bytes);
  const found = IPV4_RANGES.find(([network, bits]) => {
    const size = 2 ** (32 - bits);
    const start = numberOf(network.split('.').map(Number));
    return value >= start && value < start + size;
  });
  return found?.[2];
}

function numberOf(bytes: readonly number[]): number {
  return bytes.reduce((value, byte) => value * 256 + byte, 0);
}

/** Public are global unicast (2000::/3) and addresses that embed a public IPv4 address. */
function problemOfIPv6(groups: readonly number[]): string | undefined {
  const [a = 0, b = 0] = groups;
  const startsWith = (...prefix: number[]) => prefix.every((group, index) => groups[index] === group);
  if (groups.every((group) => group === 0)) return 'unspecified';
  if (startsWith(0, 0, 0, 0, 0, 0, 0) && groups[7] === 1) return 'loopback';
  // Mapped, translated, NAT64 and 6to4 addresses embed an IPv4 address.
  if (startsWith(0, 0, 0, 0, 0, 0xffff) || startsWith(0, 0, 0, 0, 0xffff, 0)) return embedded(groups, 6);
  if (startsWith(0x64, 0xff9b, 0, 0, 0, 0)) return embedded(groups, 6);
  if (a === 0x2002) return embedded(groups, 1);
  if (a >> 8 === 0xff) return 'multicast';
  if ((a & 0xffc0) === 0xfe80) return 'link-local';
  if ((a & 0xfe00) === 0xfc00) return 'private';
  if (a >> 13 !== 1) return 'reserved';
  // Teredo and other protocol ranges, and those for documentation.
  if ((a === 0x2001 && (b < 0x200 || b === 0xdb8)) || (a === 0x3fff && b < 0x1000)) return 'reserved';
  // ISATAP embeds an IPv4 address at the end.
  const isIsatap = groups[5] === 0x5efe && (groups[4] === 0 || groups[4] === 0x200);
  return isIsatap ? embedded(groups, 6) : undefined;
}

function embedded(groups: readonly number[], at: number): string | undefined {
  const [high = 0, low = 0] = groups.slice(at, at + 2);
  return problemOfIPv4([high >> 8, high & 255, low >> 8, low & 255]);
}

/** The eight groups of a valid address. */
function groupsOf(address: string): number[] {
  // The URL parser writes a dotted tail as two groups.
  const plain = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  const [head = '', tail] = plain.split('::');
  const read = (text: string) =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
  const [first, last] = [read(head), read(tail ?? '')];
  return [...first, ...new Array<number>(8 - first.length - last.length).fill(0), ...last];
}
