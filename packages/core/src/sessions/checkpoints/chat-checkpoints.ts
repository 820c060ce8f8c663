/** Conversations saved under a tag (`/chat save`): `checkpoint-<tag>.json`, also as Gemini CLI wrote them. */
import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf, messageOf } from '../../base/errors.js';
import { isObject } from '../../base/objects.js';
import { visibleName } from '../../base/visible-text.js';
import { writePrivateFile } from '../../platform/files/private-file.js';
import type { Content } from '../../protocol/messages.js';
import { type RedactValue, redactContents } from '../recording/redact-record.js';
import { contentsFrom } from './contents.js';
import { CheckpointError } from './error.js';
import { readJsonFile } from './file.js';
import { fileNameOfTag, isPlainName, plainFileNameOfTag, tagOfFileName } from './names.js';

export interface ChatCheckpointInfo {
  tag: string;
  path: string;
  /** ISO time of the last change. */
  time: string;
}

export interface ChatCheckpointFiles {
  directory: string;
  redact: RedactValue;
}

export class ChatCheckpointStore {
  constructor(private readonly options: ChatCheckpointFiles) {}

  /** Newest last. */
  list(): ChatCheckpointInfo[] {
    const { directory } = this.options;
    const found = namesIn(directory).flatMap((name): ChatCheckpointInfo[] => {
      const tag = tagOfFileName(name);
      const path = join(directory, name);
      const stats = lstatSync(path, { throwIfNoEntry: false });
      return tag !== undefined && isShowable(tag) && stats?.isFile()
        ? [{ tag, path, time: stats.mtime.toISOString() }]
        : [];
    });
    return found.sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0));
  }

  /** The path of a tag's file, also under the name older versions used. @throws CheckpointError INVALID_TAG */
  find(tag: string): string | undefined {
    return [requireName(tag), plainFileNameOfTag(tag)]
      .flatMap((name) => (name ? [join(this.options.directory, name)] : []))
      .find((path) => lstatSync(path, { throwIfNoEntry: false })?.isFile());
  }

  /** @returns the path */
  save(tag: string, history: readonly Content[], authType?: string): string {
    const path = join(this.options.directory, requireName(tag));
    const before = this.find(tag);
    const clean = redactContents(history, this.options.redact);
    const value = { history: clean, ...(authType !== undefined && { authType }) };
    writePrivateFile(requireNoLink(path), `${JSON.stringify(value, null, 2)}\n`);
    // Under its old name it would be listed twice.
    if (before !== undefined && before !== path) rmSync(before, { force: true });
    return path;
  }

  load(tag: string): { history: Content[]; authType?: string } {
    const path = this.require(tag);
    let value: unknown;
    try {
      value = readJsonFile(path);
    } catch (error) {
      throw new CheckpointError('UNREADABLE_CHECKPOINT', `Cannot read ${path}: ${messageOf(error)}`, error);
    }
    const history = contentsFrom(isObject(value) ? value['history'] : value);
    if (!history) throw new CheckpointError('UNREADABLE_CHECKPOINT', `${path} does not hold a conversation.`);
    const authType = isObject(value) ? value['authType'] : undefined;
    return { history, ...(typeof authType === 'string' && authType !== '' && { authType }) };
  }

  delete(tag: string): void {
    rmSync(this.require(tag), { force: true });
  }

  private require(tag: string): string {
    const path = this.find(tag);
    if (path) return path;
    throw new CheckpointError(
      'UNKNOWN_CHECKPOINT',
      `There is no checkpoint with the tag "${visibleName(tag)}".`,
    );
  }
}

function requireName(tag: string): string {
  const name = tag.trim() !== '' && isShowable(tag) ? fileNameOfTag(tag) : undefined;
  if (name) return name;
  const why =
    tag.trim() === ''
      ? 'A checkpoint needs a tag.'
      : 'This tag is too long, or has characters that no name has.';
  throw new CheckpointError('INVALID_TAG', why);
}

/** Writing through a link would change a file elsewhere. */
function requireNoLink(path: string): string {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return path;
  throw new CheckpointError('WRITE_FAILED', `${path} is a link; nothing was written there.`);
}

/** Slashes and dots are encoded; control characters, which would disturb a terminal, are refused. */
function isShowable(tag: string): boolean {
  return isPlainName(`tag ${tag.replace(/[/\\]/g, '_')}`);
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw new CheckpointError(
      'UNREADABLE_CHECKPOINT',
      `Cannot read ${directory}: ${messageOf(error)}`,
      error,
    );
  }
}
