/** Appends telemetry to a local file at once, so that a crash loses nothing. */
import { closeSync, constants, fstatSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { messageOf } from '../../base/errors.js';
import type { TelemetrySink } from '../catalog/data.js';
import { jsonSink } from './json-sink.js';

/** Warns once when the file cannot be written; the conversation continues without telemetry. */
export function openTelemetryFile(path: string, warn: (message: string) => void): TelemetrySink {
  const file = resolve(path);
  let fd: number | undefined;
  const giveUp = (error: unknown) => {
    close();
    warn(`Telemetry cannot be written to ${file}: ${messageOf(error)}`);
  };
  const close = () => {
    const open = fd;
    fd = undefined;
    if (open !== undefined) closeSync(open);
  };
  try {
    fd = openForAppend(file);
  } catch (error) {
    giveUp(error);
  }
  return jsonSink((text) => {
    if (fd === undefined) return;
    try {
      writeWhole(fd, text);
    } catch (error) {
      giveUp(error);
    }
  }, close);
}

/** Non-blocking: opening a pipe without a reader would block the start for ever. */
function openForAppend(file: string): number {
  mkdirSync(dirname(file), { recursive: true });
  const { O_WRONLY, O_APPEND, O_CREAT, O_NONBLOCK = 0 } = constants;
  const fd = openSync(file, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK, 0o600);
  const stats = fstatSync(fd);
  if (stats.isFile() || stats.isCharacterDevice()) return fd;
  closeSync(fd);
  throw new Error('it is not a regular file');
}

/** In one write where the system allows it, because other processes may append to the same file. */
function writeWhole(fd: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let offset = 0; offset < bytes.length; ) offset += writeSync(fd, bytes, offset);
}
