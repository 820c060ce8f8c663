/** Decides which failed attempts of a restricted process are uses of something that was not declared. */
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { realPathOf } from '../../files/real-path.js';
import { findProgram } from '../../process/find-program.js';
import type { MountKind } from '../linux/mount-plan.js';
import { isListed } from '../network/host-list.js';
import { attemptsIn } from './error-output.js';
import type { RefusedUse } from './types.js';

/** What a process tried, before it is known whether that was refused. */
export type Attempt =
  | { kind: 'read' | 'write' | 'run' | 'look'; path: string }
  | { kind: 'program'; name: string }
  | { kind: 'connect'; host: string };

export interface RefusalSources {
  /** How the sandbox treats a path. */
  kindAt: (path: string) => MountKind;
  /** The value of PATH. */
  path: string | undefined;
  /** `capabilities.network`. */
  hosts: readonly string[];
  onRefused: (use: RefusedUse) => void;
}

/** Of one process; a scan of the disk would name thousands. */
const MAX_USES = 50;
/** Of a line of error output, in characters. */
const MAX_LINE = 8192;
const DNS_PORT = /:53$/;

export class Refusals {
  private readonly told = new Set<string>();
  /** A line of error output that is not complete yet. */
  private begun = '';

  constructor(private readonly sources: RefusalSources) {}

  /** A file that does not exist on the machine was not refused; many programs try several places. */
  attempt(attempt: Attempt): void {
    if (attempt.kind === 'connect') {
      const { host } = attempt;
      if (DNS_PORT.test(host)) this.tell({ kind: 'resolve' });
      else this.tell({ kind: this.isDeclared(host) ? 'direct' : 'connect', host });
      return;
    }
    if (attempt.kind === 'program') {
      const file = findProgram(attempt.name, this.sources.path);
      if (file !== undefined && !this.isShown(file)) this.tell({ kind: 'run', program: file });
      return;
    }
    const { kind, path } = attempt;
    if (kind === 'write') {
      if (this.sources.kindAt(realPathOf(path)) !== 'writable') this.tell({ kind, path });
      return;
    }
    if (!existsSync(path) || this.isShown(path)) return;
    this.tell(kind === 'read' ? { kind, path } : { kind, program: path });
  }

  /** Where no observer runs, error messages are all there is. They come in pieces, which may end within a line. */
  readErrors(text: string): void {
    const all = this.begun + text;
    const end = all.lastIndexOf('\n') + 1;
    this.begun = all.slice(end).slice(-MAX_LINE);
    for (const attempt of attemptsIn(all.slice(0, end))) this.attempt(attempt);
  }

  /** The process has ended: what it printed last is a line too. */
  endErrors(): void {
    if (this.begun !== '') this.readErrors('\n');
  }

  refusedHost(host: string): void {
    this.tell({ kind: 'connect', host });
  }

  tell(use: RefusedUse): void {
    const key = keyOf(use);
    if (this.told.has(key) || this.told.size >= MAX_USES) return;
    this.told.add(key);
    this.sources.onRefused(use);
  }

  private isDeclared(written: string): boolean {
    const [, host = written, port] = /^(.*?)(?::(\d+))?$/.exec(written) ?? [];
    return isListed({ host: host.replace(/^\[|\]$/g, ''), port: Number(port ?? 443) }, this.sources.hosts);
  }

  private isShown(path: string): boolean {
    const kind = this.sources.kindAt(realPathOf(path));
    return kind === 'readonly' || kind === 'writable';
  }
}

/** A shell looks for a program in several folders before it fails to run it. */
function keyOf(use: RefusedUse): string {
  if (use.kind === 'run' || use.kind === 'look') return `program ${basename(use.program)}`;
  return JSON.stringify(use);
}
