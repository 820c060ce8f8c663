/** What the build says about its files (`dist/meta.json`): which sources each holds, and which files it loads. */
import { existsSync, readFileSync } from 'node:fs';

export interface BuiltChunk {
  entryPoint?: string;
  inputs: Record<string, unknown>;
  imports: { path: string; kind: string; external?: boolean }[];
}

export type BuiltChunks = Record<string, BuiltChunk>;

/** Written by the build; the test command builds first. */
export function readBuiltChunks(path: string): BuiltChunks {
  if (!existsSync(path)) throw new Error('Run "npm run build" before this test.');
  return JSON.parse(readFileSync(path, 'utf8')).outputs;
}

/** Sources loaded as soon as the one chosen chunk is, dynamic imports left out. */
export function staticClosure(
  chunks: BuiltChunks,
  isStart: (path: string, chunk: BuiltChunk) => boolean,
): string[] {
  const inputs = staticChunks(chunks, isStart).flatMap((path) => Object.keys(chunks[path]?.inputs ?? {}));
  return [...new Set(inputs)];
}

/** The paths of one built file and of all that it imports statically. */
export function staticChunks(
  chunks: BuiltChunks,
  isStart: (path: string, chunk: BuiltChunk) => boolean,
): string[] {
  const queue = Object.entries(chunks).flatMap(([path, chunk]) => (isStart(path, chunk) ? [path] : []));
  if (queue.length !== 1) throw new Error(`Expected one chunk to start from, found ${queue.length}.`);
  const seen = new Set<string>();
  for (let path = queue.pop(); path; path = queue.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    for (const item of chunks[path]?.imports ?? []) {
      if (item.kind === 'import-statement' && !item.external) queue.push(item.path);
    }
  }
  return [...seen];
}

export function isBuiltFrom(source: string): (path: string, chunk: BuiltChunk) => boolean {
  return (_path, { entryPoint }) => entryPoint === source;
}
