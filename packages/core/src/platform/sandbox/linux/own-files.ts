/** Writes the files that a Linux sandbox needs: seccomp filters, and an empty file and directory to hide paths with. */
import { chmodSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { preparePrivateDirectory } from '../../files/private-file.js';
import { randomHex } from '../../random.js';
import { SandboxError } from '../types.js';
import type { EmptyPlaces } from './mount-plan.js';
import { UNKNOWN_PROCESSOR } from './refusals.js';
import { type FilterOptions, seccompFilter } from './seccomp.js';

export interface OwnFiles {
  empty: EmptyPlaces;
  /** Without a network, unix sockets are blocked too; with a host list, the proxy needs one. */
  filters: { withSockets: string; withoutSockets: string };
}

/** Written once per process: an older file might have been tampered with. @throws SandboxError */
export function prepareOwnFiles(directory: string): OwnFiles {
  preparePrivateDirectory(directory);
  const empty = { file: join(directory, 'empty-file'), directory: join(directory, 'empty') };
  mkdirSync(empty.directory, { recursive: true, mode: 0o755 });
  for (const name of readdirSync(empty.directory)) rmSync(join(empty.directory, name), { recursive: true });
  replace(empty.file, Buffer.alloc(0), 0o444);
  const filters = {
    withSockets: join(directory, `filter-${process.arch}.bpf`),
    withoutSockets: join(directory, `filter-${process.arch}-no-unix.bpf`),
  };
  replace(filters.withSockets, filterBytes({ unixSockets: true }), 0o600);
  replace(filters.withoutSockets, filterBytes({ unixSockets: false }), 0o600);
  return { empty, filters };
}

/** For Landlock, which needs only a filter. @throws SandboxError */
export function writeFilter(directory: string, options: FilterOptions): string {
  const path = join(directory, `filter-${process.arch}-alone.bpf`);
  replace(path, filterBytes(options), 0o600);
  return path;
}

function filterBytes(options: FilterOptions): Buffer {
  const filter = seccompFilter(process.arch, options);
  if (!filter) throw new SandboxError(UNKNOWN_PROCESSOR.reason, UNKNOWN_PROCESSOR.remedy);
  return filter;
}

/** Replaces the file in one step: another process may be using it. */
function replace(path: string, bytes: Buffer, mode: number): void {
  const temporary = `${path}.${randomHex(6)}`;
  writeFileSync(temporary, bytes, { mode, flag: 'wx' });
  chmodSync(temporary, mode);
  renameSync(temporary, path);
}
