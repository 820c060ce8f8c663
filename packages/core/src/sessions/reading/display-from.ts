/** Validates a recorded tool display: one of the shapes that can be drawn, or undefined. */
import { basename } from 'node:path';
import { isObject } from '../../base/objects.js';
import type { DiffStat, FileDiff, Todo, ToolResultDisplay } from '../../protocol/tool-display.js';

type Fields = Record<string, unknown>;

export function displayFrom(value: unknown): ToolResultDisplay | undefined {
  if (!isDisplay(value)) return undefined;
  return typeof value === 'object' && 'fileDiff' in value ? diffFrom(value) : value;
}

/** Older versions recorded incomplete diff statistics; they are dropped, since partial sums would be wrong. */
function diffFrom({ diffStat, ...diff }: FileDiff): FileDiff {
  const { fileName = basename(diff.filePath ?? '') } = diff;
  return { ...diff, fileName, ...(isStat(diffStat) && { diffStat }) };
}

function isDisplay(value: unknown): value is ToolResultDisplay {
  if (typeof value === 'string') return true;
  if (Array.isArray(value))
    return value.every((line) => isListOf(line, (token) => hasTexts(token, ['text'])));
  if (!isObject(value)) return false;
  if ('fileDiff' in value) return isFileDiff(value);
  if ('todos' in value) return isListOf(value['todos'], isTodo);
  if ('isSubagentProgress' in value) return isProgress(value);
  return typeof value['summary'] === 'string' && isSummaryOf(value);
}

const STATUSES = new Set<unknown>(['pending', 'in_progress', 'completed', 'cancelled', 'blocked']);

export function isTodo(value: unknown): value is Todo {
  return isObject(value) && typeof value['description'] === 'string' && STATUSES.has(value['status']);
}

function isFileDiff({
  fileDiff,
  fileName = '',
  filePath = '',
  newContent = '',
  originalContent,
}: Fields): boolean {
  const texts = [fileDiff, fileName, filePath, newContent, originalContent ?? ''];
  return texts.every((text) => typeof text === 'string');
}

const COUNTED = ['model', 'user'].flatMap((who) =>
  ['added_lines', 'removed_lines', 'added_chars', 'removed_chars'].map((what) => `${who}_${what}`),
);

function isStat(value: unknown): value is DiffStat {
  return isObject(value) && COUNTED.every((key) => Number.isFinite(value[key]));
}

function isProgress(value: Fields): boolean {
  const { recentActivity } = value;
  return (
    hasTexts(value, ['agentName']) &&
    isListOf(recentActivity, (activity) => hasTexts(activity, ['type', 'content']))
  );
}

/** A search result: matches, or files and the skipped ones. */
function isSummaryOf({
  matches = [],
  files = [],
  skipped = [],
  include = [],
  excludes = [],
}: Fields): boolean {
  return (
    isListOf(matches, (match) => hasTexts(match, ['filePath', 'line'])) &&
    isListOf(skipped, (entry) => hasTexts(entry, ['path', 'reason'])) &&
    [files, include, excludes].every((list) => isListOf(list, (item) => typeof item === 'string'))
  );
}

function isListOf(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isItem);
}

function hasTexts(value: unknown, keys: readonly string[]): boolean {
  return isObject(value) && keys.every((key) => typeof value[key] === 'string');
}
