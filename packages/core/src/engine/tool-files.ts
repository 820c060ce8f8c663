/** File access of the tools: with the tool sandbox, files are written from inside it. */
import { join } from 'node:path';
import type { WriteOptions } from '../platform/files/atomic-write.js';
import { StandardFileSystemService, type TextFormat } from '../platform/files/file-system.js';
import { encodeText, UTF8 } from '../platform/files/text-encoding.js';
import type { ToolSandbox } from '../platform/sandbox/tool-sandbox.js';

interface ToolFilesSources {
  sandbox: () => ToolSandbox | undefined;
  targetDir: string;
  globalDir: string;
}

export class ToolFiles extends StandardFileSystemService {
  constructor(private readonly sources: ToolFilesSources) {
    super();
  }

  override async writeTextFile(
    path: string,
    text: string,
    format: TextFormat = UTF8,
    options: WriteOptions = {},
  ): Promise<void> {
    const { targetDir, globalDir } = this.sources;
    const sandbox = this.sources.sandbox();
    // The memory file is ours, in a directory that is hidden inside; only `save_memory` may write it.
    if (!sandbox || path === join(globalDir, 'GEMINI.md')) {
      return super.writeTextFile(path, text, format, options);
    }
    const { containedWrite } = await import('../platform/sandbox/contained-write/contained-write.js');
    const bytes = await encodeText(text, format);
    await containedWrite(sandbox, targetDir, { path, bytes, options });
  }
}
