/** Tests what skills, context, policy and paths get of the active extensions. */
import { join, sep } from 'node:path';
import { expect, it } from 'vitest';
import type { GeminiCLIExtension } from '../extensions/types.js';
import {
  activeExtensions,
  extensionContextFiles,
  extensionPlansDirectory,
  extensionPolicies,
  extensionSkillRoots,
  isExtensionFile,
} from './active-extensions.js';

const extension = (name: string, more: Partial<GeminiCLIExtension> = {}): GeminiCLIExtension => ({
  name,
  version: '1.0.0',
  isActive: true,
  path: join(sep, 'ext', name),
  installPath: join(sep, 'ext', name),
  id: name,
  contextFiles: [],
  ...more,
});

it('takes nothing of an inactive extension', () => {
  const extensions = [
    extension('off', {
      isActive: false,
      contextFiles: ['/ext/off/GEMINI.md'],
      excludeTools: ['glob'],
      plan: { directory: 'plans' },
    }),
  ];
  expect(activeExtensions({ extensions })).toEqual([]);
  expect(extensionSkillRoots({ extensions }, '/w')).toEqual([]);
  expect(extensionContextFiles({ extensions })).toEqual([]);
  expect(extensionPolicies({ extensions })).toEqual([]);
  expect(extensionPlansDirectory({ extensions }, '/w')).toBeUndefined();
});

it('gives skills the folders of the extension and the variables for places', () => {
  const extensions = [extension('one', { skillFolders: ['/ext/one/more'] })];
  const roots = extensionSkillRoots({ extensions }, '/w');
  expect(roots.map(({ dir }) => dir)).toEqual([join(sep, 'ext', 'one', 'skills'), '/ext/one/more']);
  expect(roots[0]?.variables).toMatchObject({ extensionPath: join(sep, 'ext', 'one'), workspacePath: '/w' });
});

it('opens the files of active extensions, unless one is linked from a private folder or one above', () => {
  const readable = (path: string, more: Partial<GeminiCLIExtension> = {}) =>
    isExtensionFile({ extensions: [extension('one', more)] }, path, [join(sep, 'home', 'me')]);
  const file = join(sep, 'ext', 'one', 'docs', 'a.md');
  expect(readable(file)).toBe(true);
  expect(readable(file, { isActive: false })).toBe(false);
  expect(readable(join(sep, 'ext', 'one', '.env'))).toBe(false);
  for (const path of [sep, join(sep, 'home'), join(sep, 'home', 'me')])
    expect(readable(join(sep, 'home', 'me', 'notes.md'), { path })).toBe(false);
});

it('names the folder of each context file', () => {
  const extensions = [extension('one', { contextFiles: ['/ext/one/a.md', '/ext/one/b.md'] })];
  expect(extensionContextFiles({ extensions })).toEqual([
    { path: '/ext/one/a.md', folder: join(sep, 'ext', 'one') },
    { path: '/ext/one/b.md', folder: join(sep, 'ext', 'one') },
  ]);
});

it('gives policy the registered names of excluded tools: class names, older and Claude names', () => {
  const excludeTools = [
    'ShellTool',
    'ShellTool(rm -rf)',
    'search_file_content',
    'Bash(sudo *)',
    'WebSearch',
    'NotebookEdit',
    'github__*',
    'mcp_x_*',
  ];
  const [found] = extensionPolicies({ extensions: [extension('one', { excludeTools })] });
  expect(found?.excludeTools).toEqual([
    'run_shell_command',
    'run_shell_command(rm -rf)',
    'grep_search',
    'run_shell_command(sudo *)',
    'google_web_search',
    'NotebookEdit',
    'github__*',
    'mcp_x_*',
  ]);
});

it('asks only extensions with policies or excluded tools for rules', () => {
  const extensions = [extension('plain'), extension('strict', { policiesFolder: '/ext/strict/policies' })];
  expect(extensionPolicies({ extensions }).map(({ name }) => name)).toEqual(['strict']);
});

it('takes the folder of plans of the first extension by name', () => {
  const extensions = [
    extension('b', { plan: { directory: 'of-b' } }),
    extension('a', { plan: { directory: 'of-a' } }),
    extension('0', {}),
  ];
  expect(extensionPlansDirectory({ extensions }, join(sep, 'w'))).toBe(join(sep, 'w', 'of-a'));
});
