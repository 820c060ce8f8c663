/** `mcp-pins.json`: what each server offered when the user approved its use. */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { isObject, objectOf } from '../../base/objects.js';
import { readPrivateFile, writePrivateFile } from '../../platform/files/private-file.js';
import { withFileLock } from '../../platform/locks/file-lock.js';
import { createLog } from '../../platform/log.js';

/** One tool as approved. */
export interface ToolPin {
  hash: string;
  /** The approved text, for the difference; absent where it is too long to keep. */
  text?: string;
}

/** By the tool's own name. */
export type ServerPins = Readonly<Record<string, ToolPin>>;
/** By server key, see `tool-pins.ts`. */
export type PinRecords = Readonly<Record<string, ServerPins>>;

const log = createLog('mcp');
/** Below what can be read back. */
const MAX_FILE = 900_000;

export class PinFile {
  constructor(private readonly path: string) {}

  /** Empty when there is none; undefined when it is damaged: nothing is then known to be approved. */
  read(): PinRecords | undefined {
    try {
      const value: unknown = JSON.parse(readPrivateFile(this.path) ?? '{}');
      return isObject(value) ? readRecords(value) : undefined;
    } catch (error) {
      log.warn('mcp-pins.json cannot be read', error);
      return undefined;
    }
  }

  /** Adds to what other processes have written meanwhile. */
  async add(server: string, pins: ServerPins): Promise<void> {
    try {
      mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 });
      await withFileLock(this.path, () => {
        const records = this.read();
        if (!records) return;
        const next = { ...records, [server]: { ...records[server], ...pins } };
        const text = serialized(next);
        writePrivateFile(this.path, text.length <= MAX_FILE ? text : serialized(withoutTexts(next)));
      });
    } catch (error) {
      log.error('The approved tools could not be recorded.', error);
    }
  }
}

function serialized(records: PinRecords): string {
  return `${JSON.stringify({ servers: records }, null, 1)}\n`;
}

function withoutTexts(records: PinRecords): PinRecords {
  return mapValues(records, (pins) => mapValues(pins, ({ hash }) => ({ hash })));
}

function readRecords(value: Record<string, unknown>): PinRecords {
  return mapValues(objectOf(value['servers']), (pins) => mapValues(objectOf(pins), readPin));
}

/** A pin that cannot be read matches nothing. */
function readPin(value: unknown): ToolPin {
  const { hash, text } = objectOf(value);
  return { hash: typeof hash === 'string' ? hash : '', ...(typeof text === 'string' && { text }) };
}

function mapValues<A, B>(record: Readonly<Record<string, A>>, change: (value: A) => B): Record<string, B> {
  // Without a prototype: names are the server's.
  const result: Record<string, B> = Object.create(null);
  for (const [key, value] of Object.entries(record)) result[key] = change(value);
  return result;
}
