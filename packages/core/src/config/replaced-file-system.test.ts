import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FileError } from '../platform/files/file-error.js';
import {
  type FileFacts,
  type FileSystemService,
  type ReadOptions,
  StandardFileSystemService,
  type TextFile,
  type TextFormat,
  type WriteOptions,
} from '../platform/files/file-system.js';
import { UTF8 } from '../platform/files/text-encoding.js';
import { ApprovalMode } from '../protocol/confirmation.js';
import { ReadManyFilesTool } from '../tools/read-many-files/read-many-files.js';
import { Config } from './config.js';

/** An editor with one file open: its buffer counts, not what is on disk. */
class EditorFiles implements FileSystemService {
  private readonly disk = new StandardFileSystemService();

  constructor(
    private readonly openPath: string,
    public buffer: string,
  ) {}

  async inspect(path: string, options?: ReadOptions): Promise<FileFacts> {
    if (path !== this.openPath) return this.disk.inspect(path, options);
    this.authorize(path, options);
    return { realPath: path, size: Buffer.byteLength(this.buffer) };
  }

  async readBytes(path: string, options?: ReadOptions): Promise<Buffer> {
    if (path !== this.openPath) return this.disk.readBytes(path, options);
    this.authorize(path, options);
    return Buffer.from(this.buffer);
  }

  async readTextFile(path: string, options?: ReadOptions): Promise<TextFile> {
    if (path !== this.openPath) return this.disk.readTextFile(path, options);
    this.authorize(path, options);
    return { text: this.buffer, format: UTF8 };
  }

  async writeTextFile(path: string, text: string, format?: TextFormat, options?: WriteOptions) {
    if (path !== this.openPath) return this.disk.writeTextFile(path, text, format, options);
    this.authorize(path, options);
    this.buffer = text;
  }

  private authorize(path: string, options?: ReadOptions | WriteOptions): void {
    const refusal = options?.authorize?.(path);
    if (refusal) throw new FileError('refused', refusal);
  }
}

describe('a file system that replaces the disk', () => {
  let folder: ReturnType<typeof tempDir>;
  let config: Config;
  let editor: EditorFiles;
  let openPath: string;

  beforeEach(async () => {
    folder = tempDir();
    vi.stubEnv('GEMINI_CLI_HOME', folder.path);
    openPath = join(folder.path, 'open.svg');
    editor = new EditorFiles(openPath, 'in the editor\n');
    config = new Config({
      sessionId: 's',
      targetDir: folder.path,
      debugMode: false,
      model: 'offline',
      interactive: false,
      approvalMode: ApprovalMode.YOLO,
      fileSystem: editor,
    });
    await config.initialize();
  });

  afterEach(async () => {
    await config.shutdown();
    vi.unstubAllEnvs();
    folder.cleanup();
  });

  async function call(name: string, params: Record<string, unknown>) {
    const tool = config.getToolRegistry().getTool(name);
    if (!tool) throw new Error(`There is no tool ${name}.`);
    return tool.build(params).execute({ abortSignal: new AbortController().signal });
  }

  it('serves read_file, replace and write_file, and the disk is untouched', async () => {
    writeFileSync(openPath, 'on disk\n');
    expect((await call('read_file', { file_path: 'open.svg' })).llmContent).toBe('in the editor\n');
    const edit = { file_path: 'open.svg', instruction: 'x', old_string: 'editor', new_string: 'buffer' };
    expect((await call('replace', edit)).error).toBeUndefined();
    expect(editor.buffer).toBe('in the buffer\n');
    const many = new ReadManyFilesTool(config, config.getMessageBus()).build({ include: ['open.svg'] });
    const { llmContent } = await many.execute({ abortSignal: new AbortController().signal });
    expect(JSON.stringify(llmContent)).toContain('in the buffer');
    expect((await call('write_file', { file_path: 'open.svg', content: 'new\n' })).error).toBeUndefined();
    expect(editor.buffer).toBe('new\n');
    expect(readFileSync(openPath, 'utf8')).toBe('on disk\n');
  });

  it('may hold files that were never saved', async () => {
    const nested = join(folder.path, 'other');
    await call('write_file', { file_path: join(nested, 'open.svg'), content: 'editor of another file\n' });
    const edit = { file_path: 'open.svg', instruction: 'x', old_string: 'editor', new_string: 'buffer' };
    expect((await call('replace', edit)).error).toBeUndefined();
    expect(editor.buffer).toBe('in the buffer\n');
    expect(readFileSync(join(nested, 'open.svg'), 'utf8')).toBe('editor of another file\n');
    expect(existsSync(openPath)).toBe(false);
  });
});
