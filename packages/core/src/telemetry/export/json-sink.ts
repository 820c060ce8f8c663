/** Writes records as indented JSON objects, each ending with a brace alone in column 0. */
import type { TelemetrySink } from '../catalog/data.js';

/** `write` gets whole objects only. */
export function jsonSink(write: (text: string) => void, close: () => void): TelemetrySink {
  const put = (data: object) => write(`${JSON.stringify(data, null, 2)}\n`);
  return {
    log: put,
    span: put,
    metrics: put,
    shutdown: async () => close(),
  };
}
