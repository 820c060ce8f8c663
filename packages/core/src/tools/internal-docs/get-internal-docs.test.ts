import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeBus, tempDir } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ToolErrorType } from '../tool-error.js';
import { findDocsFolder, listDocs, readDoc } from './docs-folder.js';
import { GetInternalDocsTool } from './get-internal-docs.js';

let dir: { path: string; cleanup: () => void };
let docs: string;
beforeEach(() => {
  dir = tempDir();
  docs = join(dir.path, 'dist/docs');
  mkdirSync(join(docs, 'cli'), { recursive: true });
  mkdirSync(join(dir.path, 'dist/chunks'));
  writeFileSync(join(docs, 'index.md'), '# Start');
  writeFileSync(join(docs, 'cli/themes.md'), '# Themes');
  writeFileSync(join(docs, 'picture.png'), 'x');
  writeFileSync(join(dir.path, 'secret.md'), 'secret');
});
afterEach(() => dir.cleanup());

describe('the documentation', () => {
  it('lies beside the bundle or one level above its chunks', () => {
    expect(findDocsFolder(join(dir.path, 'dist'))).toBe(docs);
    expect(findDocsFolder(join(dir.path, 'dist/chunks'))).toBe(docs);
    expect(findDocsFolder(join(dir.path, 'elsewhere/deep'))).toBeUndefined();
  });

  it('is listed as bullets', () => {
    expect(listDocs(docs)).toEqual({
      llmContent: 'Available documentation files:\n\n- cli/themes.md\n- index.md',
      returnDisplay: 'Found 2 documentation file(s)',
    });
    expect(listDocs(undefined).error?.type).toBe(ToolErrorType.FILE_NOT_FOUND);
  });

  it('is read by path', () => {
    expect(readDoc(docs, 'cli/themes.md')).toEqual({
      llmContent: '# Themes',
      returnDisplay: 'Read cli/themes.md',
    });
    expect(readDoc(docs, './cli/../index.md').llmContent).toBe('# Start');
    expect(readDoc(docs, 'gone.md').error?.type).toBe(ToolErrorType.FILE_NOT_FOUND);
    expect(readDoc(docs, 'cli').error?.type).toBe(ToolErrorType.FILE_NOT_FOUND);
    expect(readDoc(docs, 'picture.png').error?.type).toBe(ToolErrorType.FILE_NOT_FOUND);
  });

  it('is offered by a tool with one optional parameter', () => {
    const tool = new GetInternalDocsTool(makeBus());
    expect(tool.build({}).getDescription()).toBe('Listing the documentation');
    expect(tool.build({ path: 'a.md' }).getDescription()).toBe('Reading a.md');
    expect(tool.schema.parametersJsonSchema.required).toBeUndefined();
  });
});
