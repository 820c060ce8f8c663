/** Stores a project's checkpoints: written whole or not at all, listed without reading conversations. */
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf, messageOf } from '../../base/errors.js';
import { visibleName } from '../../base/visible-text.js';
import { writePrivateFile } from '../../platform/files/private-file.js';
import { CheckpointError } from './error.js';
import { readJsonFile, readLightly } from './file.js';
import { type Checkpoint, checkpointFrom, checkpointText, sessionIdIn } from './format.js';
import { asTag, type CheckpointSubject, checkpointName, isPlainName, tagIn, timeInName } from './names.js';

export interface CheckpointInfo {
  /** The argument of `/restore`. */
  name: string;
  path: string;
  /** ISO time. */
  time: string;
  bytes: number;
  /** Only when the file name contains it. */
  fileName?: string;
  toolName?: string;
  sessionId?: string;
}

export interface CheckpointList {
  /** Oldest first. */
  checkpoints: CheckpointInfo[];
  /** One line for each file that cannot be used. */
  problems: string[];
}

export interface CheckpointPlaces {
  /** Where we write. */
  directory: string;
  /** Older places, only read. */
  readOnlyDirs: readonly string[];
}

const EXTENSION = '.json';
const MAX_SAME_NAMES = 100;

export class CheckpointStore {
  constructor(private readonly places: CheckpointPlaces) {}

  /** @returns its name */
  write(checkpoint: Checkpoint, subject: CheckpointSubject): string {
    const { directory } = this.places;
    const text = checkpointText(checkpoint);
    if (lstatSync(directory, { throwIfNoEntry: false })?.isSymbolicLink()) {
      throw new CheckpointError('WRITE_FAILED', `${directory} is a link; checkpoints are not written there.`);
    }
    const wanted = checkpointName(subject);
    for (let number = 1; number <= MAX_SAME_NAMES; number++) {
      const name = number === 1 ? wanted : `${wanted}-${number}`;
      const path = join(directory, name + EXTENSION);
      if (lstatSync(path, { throwIfNoEntry: false })) continue;
      writePrivateFile(path, text);
      return name;
    }
    throw new CheckpointError('WRITE_FAILED', `There are too many checkpoints named ${wanted}.`);
  }

  list(): CheckpointList {
    const checkpoints = new Map<string, CheckpointInfo>();
    const problems: string[] = [];
    for (const directory of this.directories()) {
      for (const file of namesIn(directory, problems)) {
        const path = join(directory, file);
        try {
          const info = infoOf(path, file);
          if (!checkpoints.has(info.name)) checkpoints.set(info.name, info);
        } catch (error) {
          problems.push(`${visibleName(path)} is not a checkpoint and is skipped: ${messageOf(error)}`);
        }
      }
    }
    const byTime = (a: CheckpointInfo, b: CheckpointInfo) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0);
    return { checkpoints: [...checkpoints.values()].sort(byTime), problems };
  }

  /** @param name with or without its extension, or the tag that the user gave it */
  read(name: string): Checkpoint {
    const plain = name.trim().replace(/\.json$/, '');
    if (isPlainName(plain)) {
      for (const directory of this.directories()) {
        const path = join(directory, plain + EXTENSION);
        if (lstatSync(path, { throwIfNoEntry: false })) return checkpointIn(path);
      }
    }
    const tagged = this.list().checkpoints.findLast((info) => tagIn(info.name) === asTag(plain));
    if (tagged) return checkpointIn(tagged.path);
    throw new CheckpointError('UNKNOWN_CHECKPOINT', `There is no checkpoint "${visibleName(name)}".`);
  }

  private directories(): string[] {
    return [...new Set([this.places.directory, ...this.places.readOnlyDirs])];
  }
}

function checkpointIn(path: string): Checkpoint {
  let value: unknown;
  try {
    value = readJsonFile(path);
  } catch (error) {
    throw new CheckpointError('UNREADABLE_CHECKPOINT', `Cannot read ${path}: ${messageOf(error)}`, error);
  }
  const checkpoint = checkpointFrom(value);
  if (!checkpoint) throw new CheckpointError('UNREADABLE_CHECKPOINT', `${path} is not a checkpoint.`);
  return checkpoint;
}

function infoOf(path: string, file: string): CheckpointInfo {
  if (!isPlainName(file)) throw new Error('its name has characters that no checkpoint has');
  const { bytes, modifiedMs, head, value } = readLightly(path);
  if (value !== undefined && !checkpointFrom(value)) throw new Error('it holds something else');
  const name = file.slice(0, -EXTENSION.length);
  const timeMs = timeInName(name);
  const [, fileName, toolName] = /^.{24}-(.+)-([^-]+)$/.exec(name) ?? [];
  const sessionId = sessionIdIn(head);
  return {
    name,
    path,
    time: new Date(timeMs ?? modifiedMs).toISOString(),
    bytes,
    ...(timeMs !== undefined && fileName !== undefined && toolName !== undefined && { fileName, toolName }),
    ...(sessionId !== undefined && { sessionId }),
  };
}

function namesIn(directory: string, problems: string[]): string[] {
  try {
    // Names that begin with a dot are temporary files.
    return readdirSync(directory).filter((name) => name.endsWith(EXTENSION) && !name.startsWith('.'));
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') problems.push(`Cannot read ${directory}: ${messageOf(error)}`);
    return [];
  }
}
