/** Finds the resource that `server:uri` or a bare address means. */
import type { McpResources } from './host.js';

export interface FoundResource {
  server: string;
  uri: string;
  /** False: the server was named, but does not list this address; it may be one of a template. */
  isListed: boolean;
}

/** @param server only this server, if given */
export function findResource(
  resources: Pick<McpResources, 'list' | 'servers'>,
  reference: string,
  server?: string,
): FoundResource | undefined {
  const listed = (uri: string, of?: string) =>
    resources
      .list()
      .find((entry) => entry.uri === uri && (of === undefined || isSameServer(entry.server, of)));
  const exact = listed(reference, server);
  if (exact) return { server: exact.server, uri: exact.uri, isListed: true };
  const names = resources.servers().filter((name) => server === undefined || isSameServer(name, server));
  // The longest name first: servers may be called `a` and `a:b`.
  const prefix = names
    .filter((name) => reference.toLowerCase().startsWith(`${name.toLowerCase()}:`))
    .sort((a, b) => b.length - a.length)[0];
  if (prefix !== undefined) {
    const rest = reference.slice(prefix.length + 1);
    if (rest === '') return undefined;
    const known = listed(rest, prefix);
    if (known) return { server: prefix, uri: known.uri, isListed: true };
    // `server://path`: the scheme of the address is the name of the server.
    const uri = rest.startsWith('//') ? reference : rest;
    return isAddress(uri) ? { server: prefix, uri, isListed: false } : undefined;
  }
  const [only] = names;
  return server !== undefined && only !== undefined && isAddress(reference)
    ? { server: only, uri: reference, isListed: false }
    : undefined;
}

function isSameServer(a: string, b: string): boolean {
  return a.trim().toLowerCase() === b.trim().toLowerCase();
}

function isAddress(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:./i.test(text);
}
