/** Reads the observer's report while it grows: one attempt per line. */
import { type FSWatcher, rmSync, watch, writeFileSync } from 'node:fs';
import { tryReadText } from '../../files/try-read.js';
import type { Attempt } from './refusals.js';

export class ReportFile {
  private readonly watcher: FSWatcher | undefined;
  private read = 0;

  constructor(
    readonly path: string,
    private readonly onAttempt: (attempt: Attempt) => void,
  ) {
    writeFileSync(path, '', { mode: 0o600, flag: 'wx' });
    this.watcher = watched(path, () => this.readMore());
  }

  close(): void {
    this.watcher?.close();
    this.readMore();
    rmSync(this.path, { force: true });
  }

  /** The observer writes at most 500 lines, so the whole file is read again. */
  private readMore(): void {
    const lines = (tryReadText(this.path) ?? '').split('\n').slice(0, -1);
    for (const line of lines.slice(this.read)) {
      const attempt = attemptOf(line);
      if (attempt) this.onAttempt(attempt);
    }
    this.read = lines.length;
  }
}

/** Undefined when the system has no more watchers: then the report is read at the end. */
function watched(path: string, onChange: () => void): FSWatcher | undefined {
  try {
    const watcher = watch(path, { persistent: false }, onChange);
    watcher.on('error', () => watcher.close());
    return watcher;
  } catch {
    return undefined;
  }
}

function attemptOf(line: string): Attempt | undefined {
  const at = line.indexOf('\t');
  const [kind, what] = [line.slice(0, at), line.slice(at + 1)];
  if (kind === 'connect') return { kind, host: what };
  if (kind === 'read' || kind === 'write' || kind === 'run' || kind === 'look') return { kind, path: what };
  return undefined;
}
