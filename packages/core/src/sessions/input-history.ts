/** The input history of a project: prompts (`logs.json`) and shell commands (`shell_history`). */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '../base/objects.js';
import { preparePrivateDirectory, setAside, writePrivateFile } from '../platform/files/private-file.js';
import { readFileBytes } from '../platform/files/safe-read.js';
import { withFileLock } from '../platform/locks/file-lock.js';
import { createLog } from '../platform/log.js';

const log = createLog('sessions');

const MAX_PROMPTS = 1_000;
const MAX_COMMANDS = 100;
const MAX_FILE_BYTES = 64 * 1024 * 1024;
/** A longer text was pasted and is not worth recalling with an arrow key. */
const MAX_CHARS = 20_000;

export interface TypedPrompt {
  sessionId: string;
  text: string;
  timeMs: number;
}

/** Oldest first, each once, at its last place. @param directory the project's temporary directory */
export function readPrompts(directory: string): string[] {
  const texts = entriesOf(readText(promptFile(directory))).flatMap(({ type, message }) =>
    type === 'user' && typeof message === 'string' ? [withoutControls(message)] : [],
  );
  return lastOfEach(texts);
}

/** Never rejects: a history that cannot be written must not disturb the conversation. */
export function addPrompt(
  directory: string,
  { sessionId, text, timeMs }: TypedPrompt,
  redact: (text: string) => string,
): Promise<void> {
  const path = promptFile(directory);
  return change(directory, path, text, () => {
    const entries = keptEntries(path);
    const messageId = entries.filter((entry) => entry['sessionId'] === sessionId).length;
    const timestamp = new Date(timeMs).toISOString();
    entries.push({ sessionId, messageId, timestamp, type: 'user', message: redact(text) });
    return `${JSON.stringify(entries.slice(-MAX_PROMPTS), null, 2)}\n`;
  });
}

/** Oldest first, the last hundred. */
export function readShellCommands(directory: string): string[] {
  return commandsOf(readText(shellFile(directory))).slice(-MAX_COMMANDS);
}

/** Never rejects. A repeated command moves to the end. */
export function addShellCommand(
  directory: string,
  command: string,
  redact: (text: string) => string,
): Promise<void> {
  const path = shellFile(directory);
  return change(directory, path, command, () => {
    const commands = lastOfEach([...commandsOf(readText(path)), redact(command)]).slice(-MAX_COMMANDS);
    return commands.map((text) => `${text.replaceAll('\n', '\\\n')}\n`).join('');
  });
}

const promptFile = (directory: string) => join(directory, 'logs.json');
const shellFile = (directory: string) => join(directory, 'shell_history');

async function change(directory: string, path: string, text: string, next: () => string): Promise<void> {
  if (text.trim() === '' || text.length > MAX_CHARS) return;
  try {
    preparePrivateDirectory(directory);
    await withFileLock(path, () => writePrivateFile(path, next()));
  } catch (error) {
    log.warn('input history not written', error);
  }
}

/** A file that is not a list of prompts may be the user's work: it is renamed, not overwritten. */
function keptEntries(path: string): Record<string, unknown>[] {
  const text = readText(path);
  const entries = entriesOf(text);
  const isBlank = text !== undefined && /^\s*(?:\[\s*\])?\s*$/.test(text);
  if (entries.length === 0 && !isBlank && lstatSync(path, { throwIfNoEntry: false })?.isFile())
    setAside(path);
  return entries;
}

function entriesOf(text: string | undefined): Record<string, unknown>[] {
  if (text === undefined) return [];
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.filter(isObject) : [];
  } catch {
    return [];
  }
}

/** A line break in a command is written as in a shell: behind a backslash. */
function commandsOf(text = ''): string[] {
  const commands: string[] = [];
  let begun = '';
  for (const line of text.split(/\r?\n/)) {
    if (line.endsWith('\\')) {
      begun += `${line.slice(0, -1)}\n`;
      continue;
    }
    const command = withoutControls(begun + line);
    begun = '';
    if (command.trim() !== '') commands.push(command);
  }
  return commands;
}

function readText(path: string): string | undefined {
  try {
    return readFileBytes(path, { limit: MAX_FILE_BYTES }).bytes.toString('utf8');
  } catch (error) {
    log.debug('nothing was typed before', error);
    return undefined;
  }
}

function lastOfEach(texts: readonly string[]): string[] {
  return [...new Set([...texts].reverse())].reverse();
}

/** Because the text will be shown on a terminal. */
function withoutControls(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '');
}
