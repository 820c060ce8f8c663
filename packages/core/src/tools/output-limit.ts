/** The only place that shortens a tool's output for the model; the full text is saved to a file. */
import { endsOf } from '../base/cut-text.js';
import { countLines, saveOutput } from '../platform/storage/saved-output.js';
import type { OutputTruncation } from '../protocol/tool-calls.js';

export interface OutputLimit {
  /** Characters; 0 or less: no limit. */
  threshold: number;
  toolName: string;
  callId: string;
  /** Where full texts are saved; created when needed, readable by the user only. */
  directory: string;
  /** Hides secrets in the saved text. */
  redactForDisk?: (text: string) => string;
}

export interface LimitedOutput {
  text: string;
  savedTo?: string;
  truncation?: OutputTruncation;
}

const HEAD_SHARE = 0.2;

export function limitToolOutput(text: string, limit: OutputLimit): LimitedOutput {
  const { threshold } = limit;
  if (threshold <= 0 || text.length <= threshold) return { text };
  const headLength = Math.floor(threshold * HEAD_SHARE);
  const { head, tail } = endsOf(text, headLength, threshold - headLength);
  const saved = saveOutput(limit.redactForDisk?.(text) ?? text, limit);
  const where =
    'path' in saved
      ? `The full output is saved in ${saved.path}; read_file with start_line and end_line shows any part of it.`
      : `The rest could not be saved (${saved.problem}): narrow the call down to see it.`;
  const omitted = text.length - head.length - tail.length;
  const limited = [
    `Output too large: ${text.length} characters in ${countLines(text)} lines. ` +
      `Shown are the first ${head.length} and the last ${tail.length}. ${where}`,
    '',
    head,
    '',
    `... [${omitted} characters omitted${'path' in saved ? `, see ${saved.path}` : ''}] ...`,
    '',
    tail,
  ].join('\n');
  const truncation = {
    originalLength: text.length,
    truncatedLength: limited.length,
    threshold,
    lines: countLines(text),
  };
  return { text: limited, truncation, ...('path' in saved && { savedTo: saved.path }) };
}
