/** A folder that several processes write a trace to: one shared log, and files for long values. */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { preparePrivateDirectory, writePrivateFile } from '../files/private-file.js';
import { createLog } from '../log.js';

const log = createLog('trace');

export interface TraceFolder {
  append(line: string): void;
  save(name: string, text: string): void;
}

/** A folder that cannot be written to must not stop the work: the log says so once, and the trace ends. */
export function openTraceFolder(directory: string): TraceFolder {
  const assets = join(directory, 'assets');
  let isUsable = true;
  const attempt = (work: () => void): void => {
    if (!isUsable) return;
    try {
      work();
    } catch (error) {
      isUsable = false;
      log.warn(`the context trace in ${directory} cannot be written`, error);
    }
  };
  attempt(() => preparePrivateDirectory(assets));
  return {
    append: (line) => attempt(() => appendFileSync(join(directory, 'trace.log'), line, { mode: 0o600 })),
    save: (name, text) => attempt(() => writePrivateFile(join(assets, name), text)),
  };
}
