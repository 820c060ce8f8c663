/** The developer's log. Silent unless a sink is set; core itself never writes to stdout or stderr. */

export type LogLevel = 'debug' | 'warn' | 'error';
export type LogSink = (level: LogLevel, area: string, message: string, data?: unknown) => void;

let sink: LogSink | undefined;

export function setLogSink(next: LogSink | undefined): void {
  sink = next;
}

export interface Log {
  debug(message: string, data?: unknown): void;
  warn(message: string, data?: unknown): void;
  error(message: string, data?: unknown): void;
}

export function createLog(area: string): Log {
  return {
    debug: (message, data) => sink?.('debug', area, message, data),
    warn: (message, data) => sink?.('warn', area, message, data),
    error: (message, data) => sink?.('error', area, message, data),
  };
}
