/** Finds in error messages of programs what they tried to use. Pure. */
import type { Attempt } from './refusals.js';

const REFUSED = /no such file or directory|permission denied|operation not permitted|read-only file system/i;
const NOT_WRITTEN = /read-only file system|EROFS/i;
/** `bash: line 1: jq: command not found`, `sh: 1: jq: not found`, `env: 'jq': No such file or directory`. */
const NOT_FOUND = [
  /(?:^|:)\s*([\w.+-]+): (?:command )?not found$/,
  /\benv: ['‘]([\w.+-]+)['’]: No such file or directory/,
  /\bspawn(?:Sync)? ([\w.+-]+) E(?:NOENT|ACCES)\b/,
];
/** `connect ECONNREFUSED 127.0.0.1:80`, `getaddrinfo EAI_AGAIN a.example`, `Could not resolve host: a.example`. */
const NOT_REACHED = [
  /\bconnect E[A-Z]+ (\[?[\w.:%]+\]?:\d+)/,
  /\b(?:getaddrinfo|query\w*) E\w+ ([\w.-]+)/,
  /\b[Cc]ould not resolve host:? ['"]?([\w.-]+)/,
  /\b(?:[Ff]ailed|[Cc]ould not|[Uu]nable) to connect to ([\w.:-]+)/,
  /\bunable to resolve host address ['"‘]([\w.-]+)/,
];
const MAX_LINES = 2_000;

export function attemptsIn(text: string): Attempt[] {
  return text.split(/\r?\n/).slice(0, MAX_LINES).flatMap(attemptsInLine);
}

function attemptsInLine(line: string): Attempt[] {
  for (const pattern of NOT_FOUND) {
    const name = pattern.exec(line)?.[1];
    if (name !== undefined) return [{ kind: 'program', name }];
  }
  for (const pattern of NOT_REACHED) {
    const host = pattern.exec(line)?.[1];
    if (host !== undefined) return [{ kind: 'connect', host }];
  }
  if (!REFUSED.test(line)) return [];
  const path = pathIn(line);
  if (path === undefined) return [];
  return [{ kind: NOT_WRITTEN.test(line) ? 'write' : 'read', path }];
}

/** Quoted, as Node and Python print it; else the part before the reason, as other programs do. */
function pathIn(line: string): string | undefined {
  const quoted = /['"‘“](\/[^'"’”]+)['"’”]/.exec(line)?.[1];
  if (quoted !== undefined) return quoted;
  const before =
    /^(.*?):? *(?:no such file|permission denied|operation not|read-only file)/i.exec(line)?.[1] ?? '';
  return before
    .split(/: /)
    .map((part) => part.trim().replace(/:$/, ''))
    .findLast((part) => part.startsWith('/'));
}
