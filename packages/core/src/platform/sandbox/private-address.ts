/** Addresses that belong to this machine or its local network. */
import { BlockList, isIP } from 'node:net';

const SUBNETS: readonly (readonly [address: string, prefix: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  // Unspecified, loopback and the old form of IPv4 in IPv6.
  ['::', 96],
  // Translated and tunnelled IPv4.
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2001::', 32],
  ['2002::', 16],
  ['2001:db8::', 32],
  ['100::', 64],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
];

const list = new BlockList();
for (const [address, prefix] of SUBNETS)
  list.addSubnet(address, prefix, isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** What is no address at all counts as private. */
export function isPrivateAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 0) return true;
  return list.check(address, version === 6 ? 'ipv6' : 'ipv4');
}
