/** The log: one JSON object per line on standard error, at least of the level `LOG_LEVEL`. */
import { type LogLevel, Redactor, setLogSink, type Variables } from '@gemini-cli/core';

const LEVELS: Readonly<Record<string, number>> = { debug: 10, info: 20, warn: 30, error: 40, silent: 100 };

export interface LogTarget {
  write(line: string): unknown;
}

export class ServerLog {
  private readonly least: number;
  private readonly redactor = new Redactor();

  /** Values of secret variables are masked. */
  constructor(
    level: string | undefined,
    private readonly target: LogTarget,
    variables: Variables,
  ) {
    this.least = LEVELS[(level ?? 'warn').toLowerCase()] ?? 30;
    this.redactor.addEnvironment(variables);
  }

  /** From now on all parts of the program log here, and Node: its warnings would be lines of another form. */
  takeAll(): void {
    setLogSink((level, area, message, data) => this.write(level, area, message, data));
    process.removeAllListeners('warning');
    process.on('warning', (warning) => this.warned(warning));
  }

  /** What a library uses that will be gone one day is nothing an operator can change. */
  private warned({ name, message, stack }: Error): void {
    const isNews = name !== 'DeprecationWarning' && name !== 'ExperimentalWarning';
    this.write(isNews ? 'warn' : 'debug', 'node', message, { name, stack });
  }

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
    this.target.write(`${this.redactor.redact(JSON.stringify(entry))}\n`);
  }
}

function plain(data: unknown): unknown {
  return data instanceof Error ? { name: data.name, message: data.message, stack: data.stack } : data;
}
