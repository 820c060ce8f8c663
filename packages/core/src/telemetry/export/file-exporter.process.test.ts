import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { tempDir } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LogData } from '../catalog/data.js';
import { openTelemetryFile } from './file-exporter.js';

let folder: ReturnType<typeof tempDir>;
let warnings: string[];
const warn = (message: string) => warnings.push(message);

beforeEach(() => {
  folder = tempDir();
  warnings = [];
});
afterEach(() => folder.cleanup());

const record: LogData = {
  hrTime: [1, 2],
  hrTimeObserved: [1, 2],
  resource: { attributes: { 'service.name': 'x' } },
  instrumentationScope: { name: 'x', version: '1' },
  _body: 'tool call',
  attributes: { text: 'a\n}\nb' },
};
describe('an unwritable telemetry file', () => {
  it.skipIf(process.platform === 'win32')('never waits for a pipe without a reader', async () => {
    const path = join(folder.path, 'fifo');
    execFileSync('mkfifo', [path]);
    await writeTo(path);
    expect(warnings).toEqual([expect.stringMatching(/fifo: ENXIO/)]);
  });
});

async function writeTo(path: string): Promise<void> {
  const sink = openTelemetryFile(path, warn);
  sink.log(record);
  sink.log(record);
  await sink.shutdown();
}
