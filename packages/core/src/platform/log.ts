/** The developer's log. Silent unless a sink is set; core itself never writes to stdout or stderr. */

export type LogLevel = 'debug' | 'warn' | 'error';
export type LogSink = (level: LogLevel, area: string, message: string, data?: unknown) => void;

/** Masks secrets in the log; see `redaction/redact.ts`. */
export interface LogRedactor {
  redact(text: string): string;
  redactValue<T>(value: T): T;
}

let sink: LogSink | undefined;

/** All log lines go to this sink; with a redactor, they are masked first. */
export function setLogSink(next: LogSink | undefined, redactor?: LogRedactor): void {
  sink =
    next && redactor
      ? (level, area, message, data) =>
          next(level, area, redactor.redact(message), redactor.redactValue(data))
      : next;
}

export interface Log {
  debug(message: string, data?: unknown): void;
  /** The same as `debug`, for `debugLogger`. */
  log(message: string, data?: unknown): void;
  warn(message: string, data?: unknown): void;
  error(message: string, data?: unknown): void;
}

export function createLog(area: string): Log {
  const debug: Log['debug'] = (message, data) => sink?.('debug', area, message, data);
  return {
    debug,
    log: debug,
    warn: (message, data) => sink?.('warn', area, message, data),
    error: (message, data) => sink?.('error', area, message, data),
  };
}
