/** THE one place that shortens a tool's text for the model; what is left out is kept in a file. */
import { chmodSync, closeSync, constants, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../base/errors.js';
import type { OutputTruncation } from '../protocol/tool-calls.js';

export interface OutputLimit {
  /** Characters; 0 or less: no limit. */
  threshold: number;
  toolName: string;
  callId: string;
  /** Where full texts go; made when needed, for the user only. */
  directory: string;
  /** Hides secrets in the saved text. */
  redactForDisk?: (text: string) => string;
}

export interface LimitedOutput {
  text: string;
  savedTo?: string;
  truncation?: OutputTruncation;
}

export const DEFAULT_OUTPUT_THRESHOLD = 40_000;
const HEAD_SHARE = 0.2;

export function limitToolOutput(text: string, limit: OutputLimit): LimitedOutput {
  const { threshold } = limit;
  if (threshold <= 0 || text.length <= threshold) return { text };
  const headLength = Math.floor(threshold * HEAD_SHARE);
  const head = text.slice(0, endBefore(text, headLength));
  const tail = text.slice(startAfter(text, text.length - (threshold - headLength)));
  const saved = save(limit.redactForDisk?.(text) ?? text, limit);
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

/** A cut never splits a surrogate pair. */
function endBefore(text: string, index: number): number {
  return isLowSurrogate(text, index) ? index - 1 : index;
}

function startAfter(text: string, index: number): number {
  return isLowSurrogate(text, index) ? index + 1 : index;
}

function isLowSurrogate(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  return index > 0 && unit >= 0xdc00 && unit <= 0xdfff;
}

function countLines(text: string): number {
  let lines = 1;
  for (let index = text.indexOf('\n'); index >= 0; index = text.indexOf('\n', index + 1)) lines++;
  return text.endsWith('\n') ? lines - 1 : lines;
}

function save(
  text: string,
  { directory, toolName, callId }: OutputLimit,
): { path: string } | { problem: string } {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    if (process.platform !== 'win32') chmodSync(directory, 0o700);
    const { fd, path } = createFile(directory, fileName(toolName, callId));
    try {
      writeFileSync(fd, text);
    } finally {
      closeSync(fd);
    }
    return { path };
  } catch (error) {
    return { problem: codeOf(error) ?? 'write error' };
  }
}

const MAX_NAME_LENGTH = 120;
const MAX_SAME_NAMES = 100;

/** Call ids come from the model and may hold anything. */
function fileName(toolName: string, callId: string): string {
  return `${toolName}_${callId}`
    .toLowerCase()
    .replace(/[^a-z0-9_-]/g, '_')
    .slice(0, MAX_NAME_LENGTH);
}

/** A new file always: an id used twice must not overwrite the first text, nor a link be followed. */
function createFile(directory: string, name: string): { fd: number; path: string } {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
  for (let number = 1; ; number++) {
    const path = join(directory, `${name}${number === 1 ? '' : `-${number}`}.txt`);
    try {
      return { fd: openSync(path, flags, 0o600), path };
    } catch (error) {
      if (codeOf(error) !== 'EEXIST' || number === MAX_SAME_NAMES) throw error;
    }
  }
}
