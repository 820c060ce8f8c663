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

  it('is read section by section where a page is long', () => {
    const section = (name: string, length: number) => `## ${name}\n${'x'.repeat(length)}\n`;
    writeFileSync(
      join(docs, 'long.md'),
      `# Long\n${section('First one', 29_000)}${section('The `second`', 9_000)}### Inner\nin\n${section('Last', 50_000)}`,
    );
    const start = String(readDoc(docs, 'long.md').llmContent);
    expect(start.length).toBeLessThan(31_000);
    expect(start).toContain('First one');
    expect(start).toMatch(/by these paths:\]\n- long\.md#the-second\n- long\.md#inner\n- long\.md#last$/);
    const second = String(readDoc(docs, 'long.md#the-second').llmContent);
    expect(second).toMatch(/^## The `second`\nx+\n### Inner\nin\n$/);
    expect(String(readDoc(docs, 'long.md#last').llmContent).length).toBeLessThan(31_000);
    expect(readDoc(docs, 'long.md#none').error?.message).toBe(
      'There is no section "none" in long.md. Its sections:\n- long.md#long\n- long.md#first-one\n- long.md#the-second\n- long.md#inner\n- long.md#last',
    );
    expect(readDoc(docs, '../../secret.md#x').error?.type).toBe(ToolErrorType.PATH_NOT_IN_WORKSPACE);
  });

  it('is offered by a tool with one optional parameter', () => {
    const tool = new GetInternalDocsTool(makeBus());
    expect(tool.build({}).getDescription()).toBe('Listing the documentation');
    expect(tool.build({ path: 'a.md' }).getDescription()).toBe('Reading a.md');
    expect(tool.schema.parametersJsonSchema.required).toBeUndefined();
  });
});
