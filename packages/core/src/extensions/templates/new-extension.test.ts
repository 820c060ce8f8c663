import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newExtension, templateNames } from './new-extension.js';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'new-extension-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('newExtension', () => {
  it('writes only a manifest without a template', () => {
    const made = newExtension(join(folder, 'deep', 'first'));
    expect(made).toEqual({
      name: 'first',
      path: join(folder, 'deep', 'first'),
      files: ['gemini-extension.json'],
    });
    expect(JSON.parse(readFileSync(join(made.path, 'gemini-extension.json'), 'utf8'))).toEqual({
      name: 'first',
      version: '1.0.0',
    });
  });

  it('knows the templates of the documentation', () => {
    expect(templateNames()).toEqual([
      'agents',
      'context',
      'custom-commands',
      'exclude-tools',
      'hooks',
      'mcp-server',
      'policies',
      'skills',
      'themes-example',
    ]);
  });

  it.each(templateNames())('gives the template %s the new name everywhere', (template) => {
    const { path, files } = newExtension(join(folder, 'Fresh-1'), template);
    expect(files).toContain('gemini-extension.json');
    const manifest: unknown = JSON.parse(readFileSync(join(path, 'gemini-extension.json'), 'utf8'));
    expect(manifest).toMatchObject({ name: 'Fresh-1', version: '1.0.0' });
    for (const file of files)
      expect(readFileSync(join(path, file), 'utf8'), file).not.toContain('my-extension');
  });

  it('refuses a path that exists and leaves it alone', () => {
    mkdirSync(join(folder, 'there'));
    expect(() => newExtension(join(folder, 'there'), 'hooks')).toThrow(/there exists already/);
    expect(existsSync(join(folder, 'there', 'hooks'))).toBe(false);
  });

  it('lists the choices for an unknown template and creates nothing', () => {
    expect(() => newExtension(join(folder, 'x'), '../templates')).toThrow(
      /no template "\.\.\/templates"\. Choose one of: agents, context, /,
    );
    expect(existsSync(join(folder, 'x'))).toBe(false);
  });

  it('refuses a folder whose name cannot be the name of an extension, and suggests one', () => {
    expect(() => newExtension(join(folder, 'My tool_2'))).toThrow(/such as "my-tool-2"/);
    expect(existsSync(join(folder, 'My tool_2'))).toBe(false);
  });
});
