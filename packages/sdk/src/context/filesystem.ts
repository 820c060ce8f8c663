/** `ctx.fs`: files under the rules of the session: workspace, ignore files, sandbox, and rules that deny. */
import { isAbsolute, relative, resolve, sep } from 'node:path';
import {
  type Config,
  compileInclude,
  FileError,
  messageOf,
  PolicyDecision,
  realPathOf,
} from '@gemini-cli/core';
import { PolicyError } from '../errors.js';
import type { AgentFilesystem, FileStat } from './types.js';

type Access = 'read' | 'write';

const TOOLS: Readonly<Record<Access, string>> = { read: 'read_file', write: 'write_file' };

export class SessionFilesystem implements AgentFilesystem {
  constructor(private readonly config: Config) {}

  async readFile(path: string): Promise<string | null> {
    try {
      return await this.read(path);
    } catch (error) {
      if (error instanceof PolicyError || error instanceof FileError) return null;
      throw error;
    }
  }

  async read(path: string): Promise<string> {
    const absolute = await this.allowed(path, 'read');
    const { text } = await this.files.readTextFile(absolute);
    return text;
  }

  async writeFile(path: string, content: string): Promise<void> {
    if (typeof content !== 'string') throw new TypeError('writeFile(): the content must be a string.');
    const absolute = await this.allowed(path, 'write');
    const authorize = (real: string) => this.config.validatePathAccess(real, 'write');
    const { format } = await this.files
      .readTextFile(absolute)
      .catch(() => ({ format: { encoding: 'utf-8', bom: false } as const }));
    await this.files.writeTextFile(absolute, content, format, { authorize }).catch(asPolicyError);
  }

  write(path: string, content: string): Promise<void> {
    return this.writeFile(path, content);
  }

  async readBinary(path: string): Promise<Uint8Array | null> {
    const absolute = await this.allowed(path, 'read').catch(() => undefined);
    if (absolute === undefined) return null;
    return this.files.readBytes(absolute).catch(() => null);
  }

  async exists(path: string): Promise<boolean> {
    return (await this.stat(path)) !== null;
  }

  async stat(path: string): Promise<FileStat | null> {
    const absolute = await this.allowed(path, 'read').catch(() => undefined);
    if (absolute === undefined) return null;
    const { stat } = await import('node:fs/promises');
    try {
      const facts = await stat(absolute);
      return { size: facts.size, mtimeMs: facts.mtimeMs, isDirectory: facts.isDirectory() };
    } catch {
      return null;
    }
  }

  async list(path: string): Promise<string[]> {
    const absolute = await this.allowed(path, 'read');
    const { readdir } = await import('node:fs/promises');
    const entries = await readdir(absolute, { withFileTypes: true });
    const files = this.config.getFileService();
    return entries
      .filter((entry) => {
        const full = resolve(absolute, entry.name);
        return !(entry.isDirectory() ? files.shouldIgnoreDirectory(full) : files.shouldIgnoreFile(full));
      })
      .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
      .sort();
  }

  async glob(pattern: string, { cwd = '.', limit = 10_000 }: { cwd?: string; limit?: number } = {}) {
    const root = await this.allowed(cwd, 'read');
    const matcher = await compileInclude([pattern], { root, caseSensitive: true });
    const found: string[] = [];
    await this.walk(root, {
      visit: (file) => {
        if (matcher.matches(toSlashes(relative(root, file))))
          found.push(toSlashes(relative(this.folder, file)));
        return found.length < limit;
      },
      enters: (folder) => matcher.mayContain(toSlashes(relative(root, folder))),
    });
    return found.sort();
  }

  async delete(path: string): Promise<void> {
    const absolute = await this.allowed(path, 'write');
    const { rm, rmdir, stat } = await import('node:fs/promises');
    const isFolder = (await stat(absolute)).isDirectory();
    await (isFolder ? rmdir(absolute) : rm(absolute));
  }

  async mkdir(path: string): Promise<void> {
    const absolute = await this.allowed(path, 'write');
    const { mkdir } = await import('node:fs/promises');
    await mkdir(absolute, { recursive: true });
  }

  private get folder(): string {
    return this.config.getTargetDir();
  }

  private get files() {
    return this.config.getFileSystemService();
  }

  /** @throws PolicyError */
  private async allowed(path: string, access: Access): Promise<string> {
    if (typeof path !== 'string' || path === '') throw new TypeError('The path of a file is missing.');
    if (path.includes('\0')) throw new PolicyError('A path cannot hold a NUL character.');
    const absolute = isAbsolute(path) ? path : resolve(this.folder, path);
    const outside = this.config.validatePathAccess(absolute, access);
    if (outside !== null) throw new PolicyError(outside);
    if (access === 'read' && this.isIgnored(absolute))
      throw new PolicyError(`${path} is ignored by .gitignore, .geminiignore or the settings.`);
    const call = { name: TOOLS[access], args: { file_path: absolute } };
    const { decision, reason, isUnanswered } = await this.config.getPolicyEngine().check(call);
    // A path that would need a question is not refused: the program itself does it.
    if (decision === PolicyDecision.DENY && !isUnanswered)
      throw new PolicyError(reason ?? `A rule forbids access to ${path}.`);
    return absolute;
  }

  /** As for `read_file`; a link must not show a file that is ignored. */
  private isIgnored(absolute: string): boolean {
    const files = this.config.getFileService();
    const options = this.config.getFileFilteringOptions();
    return [absolute, realPathOf(absolute)].some((candidate) => files.shouldIgnoreFile(candidate, options));
  }

  /** @returns false: it is enough */
  private async walk(folder: string, visitor: Visitor): Promise<boolean> {
    const { readdir } = await import('node:fs/promises');
    const files = this.config.getFileService();
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const full = resolve(folder, entry.name);
      if (entry.isDirectory()) {
        if (files.shouldIgnoreDirectory(full) || !visitor.enters(full)) continue;
        if (!(await this.walk(full, visitor))) return false;
      } else if (entry.isFile() && !files.shouldIgnoreFile(full) && !visitor.visit(full)) return false;
    }
    return true;
  }
}

interface Visitor {
  /** False: it is enough. */
  visit(file: string): boolean;
  enters(folder: string): boolean;
}

function toSlashes(path: string): string {
  return sep === '/' ? path : path.split(sep).join('/');
}

function asPolicyError(error: unknown): never {
  if (error instanceof FileError && error.code === 'refused') throw new PolicyError(messageOf(error), error);
  throw error;
}
