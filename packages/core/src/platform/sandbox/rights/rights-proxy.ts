/** The proxy of one restricted process: only declared hosts, and each refused host is reported. */
import { isIP } from 'node:net';
import { AllowListProxy, type ProxyOptions } from '../network/allow-list-proxy.js';

export interface RightsProxyOptions {
  /** `capabilities.network`. */
  hosts: readonly string[];
  onRefused: (host: string) => void;
  /** Name resolution, for tests. */
  resolve?: ProxyOptions['resolve'];
}

export function rightsProxy({ hosts, onRefused, resolve }: RightsProxyOptions): AllowListProxy {
  return new AllowListProxy({
    allowHosts: hosts,
    // A declared name must not lead to the local network; a declared local address is meant.
    allowsPrivate: (host) => isIP(host) !== 0 || isLocalName(host),
    onRefused: ({ host, port }) => onRefused(port === 80 || port === 443 ? host : `${host}:${port}`),
    ...(resolve && { resolve }),
  });
}

/** Declared hosts of this machine, without their ports. */
export function localHostsOf(hosts: readonly string[]): string[] {
  const names = hosts.map((entry) => entry.trim().replace(/:\d+$/, '').toLowerCase());
  return names.filter((name) => isLocalName(name) || name.startsWith('127.') || name === '::1');
}

function isLocalName(host: string): boolean {
  return /^(?:.+\.)?localhost\.?$/i.test(host);
}
