/** The walk through a real editor: `npm run test:ide`. Each step goes on where the one before it ended. */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { callTool, text } from '../test-utils.js';
import { EditorRig } from './editor-rig.js';
import type { EditorWindow } from './editor-window.js';

const GREET = 'def greet(name):\n    return "Hello " + name\n';
const CHANGED = 'def greet(name: str) -> str:\n    return f"Hello {name}"\n';

let rig: EditorRig;
let window: EditorWindow;

beforeAll(async () => {
  rig = await EditorRig.start({
    shop: { 'greet.py': GREET, 'notes.md': '# Notes\n' },
    garden: { 'plants.md': '# Plants\n' },
  });
}, 240_000);
afterAll(() => rig?.close());

afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await rig.keepPictures(task.name);
});

/** The model proposes to write a file; resolves when its diff is shown. */
async function propose(to: EditorWindow, path: string, content: string, done: string): Promise<void> {
  rig.model.replies([callTool('write_file', { file_path: path, content })], [text(done)]);
  await to.ask(`please: ${done}`);
  await to.diffShown();
  await to.terminalShows('Apply this change?');
}

it('installs, says so, and brings its commands', async () => {
  window = await rig.openWindow('shop');
  await window.trust();
  await window.notification('Gemini CLI Companion is installed');
  await window.page.keyboard.press('F1');
  await window.page.keyboard.type('Gemini CLI');
  await window.page.locator('.quick-input-list .monaco-list-row', { hasText: 'Gemini CLI: Run' }).waitFor();
  await rig.picture(window, 'ide-1-commands');
  await window.page.keyboard.press('Escape');
  await window.closeNotifications();
});

it('tells the model what is open and what is selected', async () => {
  await window.openFile('notes.md');
  await window.openFile('greet.py');
  await window.selectFirstLine();
  await window.command('Gemini CLI: Run');
  await window.terminalShows('2 open files');
  rig.model.replies([text('The selected line begins a function that greets.')]);
  await window.ask('what is selected?');
  await window.terminalShows('begins a function that greets');
  const told = JSON.stringify(rig.model.lastRequest().body.contents);
  expect(told).toContain(rig.path('shop/greet.py'));
  expect(told).toContain(rig.path('shop/notes.md'));
  expect(told).toContain('def greet(name):');
  await rig.picture(window, 'ide-2-selection');
});

it('shows an edit as a diff, which the user changes and accepts', async () => {
  await propose(window, 'greet.py', CHANGED, 'types added');
  await window.typeIntoDiff('\n# checked');
  await rig.picture(window, 'ide-3-diff');
  expect(rig.read('shop/greet.py')).toBe(GREET);
  await window.page.keyboard.press('Control+s');
  await window.diffGone();
  await window.terminalShows('types added');
  expect(rig.read('shop/greet.py')).toBe(`${CHANGED}\n# checked`);
  await rig.picture(window, 'ide-4-accepted');
});
