import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
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

describe('the telemetry file', () => {
  it('contains indented objects, each ending with a brace alone in column 0', async () => {
    const path = join(folder.path, 'out.log');
    const sink = openTelemetryFile(path, warn);
    sink.log(record);
    sink.log(record);
    await sink.shutdown();
    const one = `${JSON.stringify(record, null, 2)}\n`;
    expect(readFileSync(path, 'utf8')).toBe(one + one);
    expect(one.match(/^\}$/gm)).toHaveLength(1);
    expect(warnings).toEqual([]);
  });

  it('is on disk as soon as something is recorded', () => {
    const path = join(folder.path, 'out.log');
    openTelemetryFile(path, warn).log(record);
    expect(readFileSync(path, 'utf8')).toBe(`${JSON.stringify(record, null, 2)}\n`);
  });

  it('is appended to, and created for the user only, with its folders', async () => {
    const path = join(folder.path, 'deep/er/out.log');
    for (let run = 0; run < 2; run++) {
      const sink = openTelemetryFile(path, warn);
      sink.log(record);
      await sink.shutdown();
    }
    expect(readFileSync(path, 'utf8').match(/tool call/g)).toHaveLength(2);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('silently ignores records after its end', async () => {
    const path = join(folder.path, 'out.log');
    const sink = openTelemetryFile(path, warn);
    await sink.shutdown();
    sink.log(record);
    await sink.shutdown();
    expect(readFileSync(path, 'utf8')).toBe('');
    expect(warnings).toEqual([]);
  });
});

describe('an unwritable telemetry file', () => {
  it.runIf(process.platform === 'linux')('is reported once for a full disk', async () => {
    const sink = openTelemetryFile('/dev/full', warn);
    sink.log(record);
    sink.log(record);
    await sink.shutdown();
    expect(warnings).toEqual([expect.stringMatching(/^Telemetry cannot be written to \/dev\/full: ENOSPC/)]);
  });

  it('is reported once for a directory', async () => {
    const path = join(folder.path, 'dir');
    mkdirSync(path);
    await writeTo(path);
    expect(warnings).toEqual([expect.stringMatching(/dir: EISDIR/)]);
  });

  it('is reported once for a folder that is a file', async () => {
    writeFileSync(join(folder.path, 'file'), '');
    await writeTo(join(folder.path, 'file/out.log'));
    expect(warnings).toEqual([expect.stringMatching(/ENOTDIR|EEXIST/)]);
  });

  it('is reported once for a name with a NUL', async () => {
    await writeTo(join(folder.path, 'a\0b'));
    expect(warnings).toHaveLength(1);
  });
});

async function writeTo(path: string): Promise<void> {
  const sink = openTelemetryFile(path, warn);
  sink.log(record);
  sink.log(record);
  await sink.shutdown();
}
