import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { detectEditor } from './detect.js';

/** The variables of a terminal in an editor with this description. */
function terminalOf(product: string): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'gemini-ide-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'app'));
  writeFileSync(join(folder, 'app/product.json'), product);
  return {
    TERM_PROGRAM: 'vscode',
    VSCODE_GIT_ASKPASS_MAIN: join(folder, 'app/extensions/git/dist/askpass-main.js'),
  };
}

it.each([
  ['{"nameLong":"Windsurf"}', 'Windsurf'],
  ['{"nameLong":"Visual Studio Code - Insiders"}', 'VS Code'],
  ['{"nameLong":"a\\u001b[2Jb"}', 'your editor'],
  ['{"nameLong":7}', 'your editor'],
  ['[]', 'your editor'],
  ['{', 'your editor'],
])('an editor that describes itself as %s is called %s', (product, displayName) => {
  const editor = detectEditor(terminalOf(product), () => '/opt/other/other');
  expect(editor).toEqual({ name: 'vscodefork', displayName });
});

it('an editor with a variable of its own keeps its name', () => {
  const env = { ...terminalOf('{"nameLong":"Other"}'), CURSOR_TRACE_ID: '1' };
  expect(detectEditor(env, () => undefined).displayName).toBe('Cursor');
});
