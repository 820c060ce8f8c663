/** Files of the client: what is open in the editor counts, not what is on disk. */
import { mkdirSync } from 'node:fs';
import { dirname, sep } from 'node:path';
import { type AgentContext, RequestError } from '@agentclientprotocol/sdk';
import {
  createLog,
  FileError,
  type FileFacts,
  type FileSystemService,
  messageOf,
  objectOf,
  type ReadOptions,
  realPathOf,
  StandardFileSystemService,
  type TextFile,
  type TextFormat,
  type WriteOptions,
} from '@gemini-cli/core';

/** A client that does not answer must not hold up a tool forever. */
const ANSWER_MS = 30_000;
const METHOD_NOT_FOUND = -32601;

const log = createLog('acp');

export interface ClientFilesOptions {
  client: AgentContext;
  sessionId: string;
  /** Folder of the session; files elsewhere are ours. */
  root: string;
  /** `~/.gemini`: plans, memory and long outputs are ours, too. */
  geminiDir: string;
  reads: boolean;
  writes: boolean;
  /** Of the running prompt: a cancelled one does not wait for the client. */
  signal: () => AbortSignal | undefined;
}

export class ClientFiles implements FileSystemService {
  private readonly disk = new StandardFileSystemService();
  private readonly root: string;
  private readonly geminiDir: string;

  constructor(private readonly options: ClientFilesOptions) {
    this.root = realPathOf(options.root);
    this.geminiDir = realPathOf(options.geminiDir);
  }

  async inspect(path: string, options?: ReadOptions): Promise<FileFacts> {
    try {
      return await this.disk.inspect(path, options);
    } catch (error) {
      const text = isMissing(error) ? await this.textOf(path, options) : undefined;
      // Some clients have an empty text for every file that does not exist.
      if (!text) throw error;
      return { realPath: realPathOf(path), size: Buffer.byteLength(text) };
    }
  }

  async readBytes(path: string, options?: ReadOptions): Promise<Buffer> {
    // Images and the like: the client has text only.
    const onDisk = await this.textOnDisk(path, options);
    if (onDisk === 'other') return this.disk.readBytes(path, options);
    const text = await this.textBeside(onDisk, path, options);
    return text === undefined ? this.disk.readBytes(path, options) : Buffer.from(text);
  }

  async readTextFile(path: string, options?: ReadOptions): Promise<TextFile> {
    const onDisk = await this.textOnDisk(path, options);
    const text = onDisk === 'other' ? undefined : await this.textBeside(onDisk, path, options);
    if (text === undefined) return this.disk.readTextFile(path, options);
    if (typeof onDisk === 'object' && onDisk.text === text) return onDisk;
    return { text, format: typeof onDisk === 'object' ? onDisk.format : UTF8 };
  }

  async writeTextFile(
    path: string,
    text: string,
    format?: TextFormat,
    options?: WriteOptions,
  ): Promise<void> {
    const { client, sessionId, writes } = this.options;
    const target = realPathOf(path);
    const isUtf8 = format === undefined || format.encoding === UTF8.encoding;
    if (!writes || !isUtf8 || !this.isOurs(target))
      return this.disk.writeTextFile(path, text, format, options);
    const refusal = options?.authorize?.(target);
    if (refusal) throw new FileError('refused', refusal);
    if (options?.expect === 'absent' && (await this.exists(target)))
      throw new FileError('changed', `${path} exists already; nothing was written.`);
    const content = format?.bom ? `\ufeff${text}` : text;
    // The protocol does not say that the client makes them.
    makeFolder(dirname(target));
    let answer: unknown;
    try {
      answer = await client.request(
        'fs/write_text_file',
        { sessionId, path: target, content },
        this.answerLimit(),
      );
    } catch (error) {
      if (rpcCode(error) === METHOD_NOT_FOUND) return this.disk.writeTextFile(path, text, format, options);
      throw new FileError('io', `The editor could not write ${path}: ${messageOf(error)}`, error);
    }
    // Some clients say so what went wrong.
    if (typeof answer === 'string' && answer !== '')
      throw new FileError('io', `The editor could not write ${path}: ${answer}`);
  }

  /** `other`: a file that is not UTF-8 text; undefined: no file. */
  private async textOnDisk(path: string, options?: ReadOptions): Promise<TextFile | 'other' | undefined> {
    try {
      const file = await this.disk.readTextFile(path, options);
      return file.format.encoding === UTF8.encoding ? file : 'other';
    } catch (error) {
      if (isMissing(error)) return undefined;
      if (error instanceof FileError && error.problem === 'binary') return 'other';
      throw error;
    }
  }

  /** What the client has instead of what is on disk. */
  private async textBeside(
    onDisk: TextFile | undefined,
    path: string,
    options?: ReadOptions,
  ): Promise<string | undefined> {
    const text = await this.textOf(path, options);
    // Some clients have an empty text for every file that does not exist.
    if (!onDisk) return text || undefined;
    // And some join lines without the line end of the last one.
    return text !== undefined && isWithoutLastLineEnd(text, onDisk.text) ? onDisk.text : text;
  }

  /** Undefined: the client is not asked, or does not have it. */
  private async textOf(path: string, options?: ReadOptions): Promise<string | undefined> {
    const { client, sessionId, reads } = this.options;
    const target = realPathOf(path);
    if (!reads || !this.isOurs(target)) return undefined;
    const refusal = options?.authorize?.(target);
    if (refusal) throw new FileError('refused', refusal);
    try {
      const request = { sessionId, path: target };
      const answer: unknown = await client.request('fs/read_text_file', request, this.answerLimit());
      const { content } = objectOf(answer);
      return typeof content === 'string' ? content : undefined;
    } catch (error) {
      // What the editor cannot serve is read from the disk.
      log.debug(`The client did not serve ${path}.`, error);
      return undefined;
    }
  }

  private async exists(path: string): Promise<boolean> {
    try {
      await this.inspect(path);
      return true;
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
  }

  private answerLimit() {
    const limits = [AbortSignal.timeout(ANSWER_MS), this.options.signal()].filter((one) => one !== undefined);
    return { cancellationSignal: AbortSignal.any(limits), stopWaitingOnCancel: true };
  }

  /** True for files the client is asked for. */
  private isOurs(target: string): boolean {
    return isInside(target, this.root) && !isInside(target, this.geminiDir);
  }
}

const UTF8: TextFormat = { encoding: 'utf-8', bom: false };

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function isWithoutLastLineEnd(text: string, whole: string): boolean {
  return whole.startsWith(text) && /^\r?\n$/.test(whole.slice(text.length));
}

/** @throws FileError */
function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch (error) {
    throw new FileError('io', `The folder ${path} cannot be made: ${messageOf(error)}`, error);
  }
}

function rpcCode(error: unknown): number | undefined {
  return error instanceof RequestError ? error.code : undefined;
}

function isMissing(error: unknown): boolean {
  return error instanceof FileError && error.problem === 'missing';
}
