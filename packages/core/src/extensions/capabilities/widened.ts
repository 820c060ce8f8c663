/** Compares the rights of two versions of an extension: an update that asks for more needs the user's consent again. Pure. */
import { visibleName } from '../../base/visible-text.js';
import { isListed } from '../../platform/sandbox/network/host-list.js';
import type { ExtensionCapabilities } from '../types.js';

/** What the new version may do that the old one could not, one line each; empty: it asks for nothing more. */
export function widened(
  before: ExtensionCapabilities | undefined,
  after: ExtensionCapabilities | undefined,
): string[] {
  if (!before) return [];
  if (!after) return ['It no longer declares capabilities: its hooks and MCP servers are not restricted.'];
  const reads = [...before.files.read, ...before.files.write];
  return [
    ...added(after.files.read, (path) => covers(reads, path)).map((path) => `It reads ${path}`),
    ...added(after.files.write, (path) => covers(before.files.write, path)).map(
      (path) => `It writes ${path}`,
    ),
    ...added(after.network, (host) => reaches(before.network, host)).map((host) => `It connects to ${host}`),
    ...added(after.executables, (program) => before.executables.includes(program)).map(
      (program) => `It runs ${program}`,
    ),
  ];
}

function added(items: readonly string[], isKnown: (item: string) => boolean): string[] {
  return [...new Set(items)].filter((item) => !isKnown(item)).map(visibleName);
}

/** Whether one of the folders is the path or holds it; `..` could lead out again. */
function covers(folders: readonly string[], path: string): boolean {
  const wanted = plainPath(path);
  if (wanted.split('/').includes('..')) return folders.includes(path);
  return folders.map(plainPath).some((folder) => wanted === folder || wanted.startsWith(`${folder}/`));
}

function plainPath(path: string): string {
  return path
    .trim()
    .replace(/(?:\/\.)+(?=\/|$)/g, '')
    .replace(/\/{2,}/g, '/')
    .replace(/(?<=.)\/$/, '');
}

/** An entry without a port stands for all of them, one with `*.` for all subdomains. */
function reaches(hosts: readonly string[], host: string): boolean {
  const wanted = host.trim().toLowerCase();
  if (hosts.some((known) => known.trim().toLowerCase() === wanted)) return true;
  const [, name = '', port] = /^(.*?)(?::(\d+))?$/.exec(wanted) ?? [];
  const candidates = hosts
    .filter((known) => port !== undefined || !/:\d+$/.test(known.trim()))
    .filter((known) => !name.startsWith('*.') || known.trim().startsWith('*.'));
  // `*.a.example.com` is inside `*.example.com`: any name below stands for it.
  return isListed({ host: name.replace(/^\*\./, 'any.'), port: Number(port ?? 443) }, candidates);
}
