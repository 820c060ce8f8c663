/** Lists the files a tool call created, read or updated, from its arguments and its result. */

import { extname } from 'node:path';
import { mimeTypeOf } from '../../platform/files/file-type.js';
import { countLines } from '../../platform/storage/saved-output.js';
import type { ToolResultDisplay } from '../../protocol/tool-display.js';
import { READ_FILE, READ_MANY_FILES, REPLACE, WRITE_FILE } from '../../protocol/tool-names.js';
import { languageOf } from '../catalog/languages.js';

export interface FileOperation {
  operation: 'create' | 'read' | 'update';
  lines?: number;
  mimetype?: string;
  extension?: string;
  programming_language?: string;
}

export function fileOperations(
  toolName: string,
  args: Readonly<Record<string, unknown>>,
  display: ToolResultDisplay | undefined,
): FileOperation[] {
  switch (toolName) {
    case READ_FILE:
      return typeof args['file_path'] === 'string' ? [describe('read', args['file_path'])] : [];
    case READ_MANY_FILES:
      return filesOf(display).map((path) => describe('read', path));
    case WRITE_FILE:
    case REPLACE: {
      if (typeof display !== 'object' || !('fileDiff' in display)) return [];
      const { isNewFile, filePath, newContent } = display;
      return [
        describe(isNewFile ? 'create' : 'update', filePath, newContent === '' ? 0 : countLines(newContent)),
      ];
    }
    default:
      return [];
  }
}

function filesOf(display: ToolResultDisplay | undefined): string[] {
  return typeof display === 'object' && 'files' in display ? display.files : [];
}

function describe(operation: FileOperation['operation'], path: string, lines?: number): FileOperation {
  const extension = extname(path).toLowerCase();
  return {
    operation,
    lines,
    mimetype: mimeTypeOf(path),
    extension: extension || undefined,
    programming_language: languageOf(path),
  };
}
