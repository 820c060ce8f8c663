/** Messages for the user about processes with declared rights. Pure. */
import { visibleText } from '../../../base/visible-text.js';
import { isInside } from '../../files/real-path.js';
import type { RefusedUse } from './types.js';

/** A process of an extension, as messages name it. */
export interface RestrictedPart {
  extension: string;
  /** `hook "format"`, `MCP server "github"`. */
  part: string;
  home: string;
}

/** Lines about one process. */
const MAX_LINES = 5;

export function describeUse(use: RefusedUse, { extension, part, home }: RestrictedPart): string {
  return visibleText(`Extension "${extension}": its ${part} ${whatHappened(use, home)}`);
}

/** @param kept of the user's attention: further uses are only counted */
export function describeUses(uses: readonly RefusedUse[], part: RestrictedPart, kept = MAX_LINES): string[] {
  const lines = uses.slice(0, kept).map((use) => describeUse(use, part));
  const more = uses.length - lines.length;
  if (more > 0)
    lines.push(`Extension "${part.extension}": ${more} more uses were not declared and were denied.`);
  return lines;
}

/** Why a process was not started. */
export function notStarted({ extension, part }: RestrictedPart, why: string): string {
  return visibleText(
    `Extension "${extension}": its ${part} was not started, because it declares its rights and they cannot be enforced here. ${why}`,
  );
}

function whatHappened(use: RefusedUse, home: string): string {
  switch (use.kind) {
    case 'read':
    case 'write':
      return `tried to ${use.kind} ${shortened(use.path, home)} (not declared in capabilities.files.${use.kind})`;
    case 'run':
      return `tried to run ${shortened(use.program, home)} (not declared in capabilities.executables)`;
    case 'look':
      return `looked for the program ${shortened(use.program, home)} (not declared in capabilities.executables)`;
    case 'connect':
      return `tried to connect to ${use.host} (not declared in capabilities.network)`;
    case 'direct':
      return `tried to connect to ${use.host} without a proxy (declared hosts are reachable only through HTTPS_PROXY)`;
    case 'resolve':
      return 'tried to look up a host name (only hosts of capabilities.network are reachable, through HTTPS_PROXY)';
    case 'path':
      return `may not use the declared path ${use.path}: ${use.why}`;
  }
}

function shortened(path: string, home: string): string {
  return home !== '/' && isInside(path, home) ? `~${path.slice(home.length)}` : path;
}
