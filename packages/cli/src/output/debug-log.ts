/** Writes the debug log to a file, or to stderr if no file is named. */
import { appendFileSync } from 'node:fs';
import type { LogSink } from '@gemini-cli/core';
import type { Output } from './output.js';
import { sanitizeLine } from './strip-ansi.js';

export function createLogSink(output: Pick<Output, 'stderr'>, file: string | undefined): LogSink {
  return (level, area, message, data) => {
    const line = `[${level.toUpperCase()}] [${area}] ${message}${data === undefined ? '' : ` ${describe(data)}`}`;
    if (!file) return output.stderr(sanitizeLine(line));
    try {
      appendFileSync(file, `${new Date().toISOString()} ${line}\n`);
    } catch (error) {
      output.stderr(sanitizeLine(`Cannot write ${file}: ${error instanceof Error ? error.message : error}`));
    }
  };
}

function describe(data: unknown): string {
  if (data instanceof Error) return data.stack ?? data.message;
  try {
    return JSON.stringify(data) ?? String(data);
  } catch {
    return String(data);
  }
}
