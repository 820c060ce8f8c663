/** Reads from a command's output what the sandbox refused, and which permissions it would need. Pure. */
import { dirname, resolve } from 'node:path';
import type { SandboxPermissions } from '../../../protocol/confirmation.js';
import { isInside } from '../../files/real-path.js';

const FILE_DENIAL =
  /operation not permitted|permission denied|read-only file ?system|\bE(?:PERM|ACCES|ROFS)\b/i;
const NETWORK_DENIAL =
  /network is (?:unreachable|down)|no route to host|could(?:n't| not) (?:resolve|connect)|(?:temporary )?failure in name resolution|name or service not known|nodename nor servname|unable to resolve|getaddrinfo|\b(?:ENETUNREACH|EHOSTUNREACH|EAI_AGAIN|ENOTFOUND)\b|sandbox does not allow connections/i;

/** Kernel errors of a contained command; outside a sandbox they are rare, unlike "permission denied". */
const CONTAINMENT_DENIAL =
  /read-only file ?system|operation not permitted|address family not supported|\b(?:EROFS|EPERM|EAFNOSUPPORT)\b/i;

export function isRefusedByContainment({
  output,
  exitCode,
}: {
  output: string;
  exitCode: number | null;
}): boolean {
  return exitCode !== 0 && (CONTAINMENT_DENIAL.test(output) || NETWORK_DENIAL.test(output));
}

export interface ExpansionContext {
  home: string;
  cwd: string;
  exists: (path: string) => boolean;
}

/** Undefined when the sandbox did not cause the failure, or nothing can be granted. */
export function neededAfterFailure(
  { output, exitCode }: { output: string; exitCode: number | null },
  context: ExpansionContext,
): SandboxPermissions | undefined {
  if (exitCode === 0) return undefined;
  const lines = output.split(/\r?\n/);
  const network = lines.some((line) => NETWORK_DENIAL.test(line));
  const denied = lines.filter((line) => FILE_DENIAL.test(line)).flatMap((line) => pathsIn(line, context.cwd));
  const write = collapsePaths(
    denied.flatMap((path) => grantable(path, context) ?? []),
    context.home,
  );
  if (!network && write.length === 0) return undefined;
  return { ...(network ? { network } : {}), ...(write.length > 0 ? { fileSystem: { write } } : {}) };
}

/** With this many siblings, the user is asked for their directory instead. */
const MANY_SIBLINGS = 3;

/** Merges nested paths and many siblings; never into a broad directory such as `/usr`. */
export function collapsePaths(paths: readonly string[], home: string): string[] {
  let current = withoutNested([...new Set(paths)].filter((path) => !isBroad(path, home)));
  for (;;) {
    const siblings = new Map<string, number>();
    for (const path of current) siblings.set(dirname(path), (siblings.get(dirname(path)) ?? 0) + 1);
    const parent = [...siblings].find(([path, count]) => count >= MANY_SIBLINGS && !isBroad(path, home))?.[0];
    if (parent === undefined) return current.sort();
    current = withoutNested([...current.filter((path) => !isInside(path, parent)), parent]);
  }
}

const BROAD = new Set(
  `/ /bin /boot /dev /etc /home /lib /lib64 /media /mnt /opt /private /private/etc /private/tmp /private/var /proc
   /root /run /sbin /srv /sys /tmp /usr /usr/bin /usr/lib /usr/local /usr/local/bin /usr/local/lib /usr/share /var
   /var/lib /var/log /var/tmp /Applications /Library /System /Users /Volumes`
    .trim()
    .split(/\s+/),
);

/** Also every parent of the home directory. */
export function isBroad(path: string, home: string): boolean {
  return BROAD.has(path) || isInside(home, path);
}

/** An unquoted relative path before the error: `bash: line 1: sub/file: Read-only file system`. */
const NAMED_BEFORE =
  /(?:^|: )([^\s:'"‘`/][^\s:'"]*): (?:operation not permitted|permission denied|read-only file ?system)\.?\s*$/i;

/** Quoted paths, unquoted absolute paths, and the word before the error. */
function pathsIn(line: string, cwd: string): string[] {
  const quoted = [...line.matchAll(/['"‘`]([^'"’`\n]+)['"’`]/g)].flatMap((match) => match[1] ?? []);
  const rest = line.replace(/['"‘`][^'"’`\n]+['"’`]/g, ' ');
  const bare = [...rest.matchAll(/(?:^|[\s=:(,])(\/[^\s'":,;)]+)/g)].flatMap((match) => match[1] ?? []);
  const before = NAMED_BEFORE.exec(line)?.[1] ?? [];
  const named = quoted.filter((text) => text.startsWith('/') || /^[\w.][^\s:]*$/.test(text)).concat(before);
  return [
    ...named.map((text) => resolve(cwd, text)),
    ...bare.map((text) => resolve(text.replace(/\.$/, ''))),
  ];
}

/** Only an existing path can be mounted: for a missing one, its closest existing parent. */
export function grantable(
  path: string,
  { home, exists }: Pick<ExpansionContext, 'home' | 'exists'>,
): string | undefined {
  let current = path;
  while (!exists(current)) {
    const parent = dirname(current);
    if (parent === current) return undefined;
    current = parent;
  }
  return isBroad(current, home) ? undefined : current;
}

function withoutNested(paths: readonly string[]): string[] {
  const unique = [...new Set(paths)];
  return unique.filter((path) => !unique.some((other) => other !== path && isInside(path, other)));
}
