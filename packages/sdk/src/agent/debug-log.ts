/** `debug: true`: the engine's log on stderr. There is one log per process; the agent that was started last masks it. */
import { type Config, setLogSink } from '@gemini-cli/core';

/** Secrets of the session are masked in it. */
export function writeDebugLog(config: Config): void {
  setLogSink((level, area, message, data) => {
    const more = data === undefined ? '' : ` ${describe(data)}`;
    // One line, without what would move the cursor of a terminal.
    const line = `[${level.toUpperCase()}] [${area}] ${message}${more}`.replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ');
    process.stderr.write(`${line}\n`);
  }, config.getRedactor());
}

function describe(data: unknown): string {
  if (data instanceof Error) return data.stack ?? data.message;
  try {
    return JSON.stringify(data) ?? String(data);
  } catch {
    return String(data);
  }
}
