/** The walk through a real editor: `npm run test:ide`. Each step continues where the one before it ended. */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { callTool, text } from '../test-utils.js';
import { EditorRig } from './editor-rig.js';
import type { EditorWindow } from './editor-window.js';
import { OtherProgram } from './other-program.js';

const GREET = 'def greet(name):\n    return "Hello " + name\n';
const CHANGED = 'def greet(name: str) -> str:\n    return f"Hello {name}"\n';

let rig: EditorRig;
let window: EditorWindow;

beforeAll(async () => {
  rig = await EditorRig.start({
    shop: { 'greet.py': GREET, 'notes.md': '# Notes\n' },
    garden: { 'plants.md': '# Plants\n' },
    attic: { 'trunk.md': '# Trunk\n' },
  });
}, 240_000);
afterAll(() => rig?.close());

afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await rig.keepPictures(task.name);
});

interface Proposal {
  prompt: string;
  path: string;
  content: string;
  /** What the model says after the answer. */
  done: string;
}

/** The model proposes to write a file; resolves when its diff is shown. */
async function propose(to: EditorWindow, { prompt, path, content, done }: Proposal): Promise<void> {
  rig.model.replies([callTool('write_file', { file_path: path, content })], [text(done)]);
  await to.ask(prompt);
  await to.diffShown();
  await to.terminalShows('Apply this change?');
}

it('offers to connect, and is installed by the command of this editor', async () => {
  window = await rig.openWindow('shop');
  await window.trust();
  await window.openFile('greet.py');
  await window.command('Terminal: Create New Terminal');
  await window.terminalShows('$');
  await window.growPanel();
  await window.enterInTerminal('gemini');
  await window.terminalShows('Do you trust this folder?');
  await window.pressInTerminal('1');
  await window.terminalShows('Connect to code-server?');
  await rig.picture(window, 'ide-1-offer');
  await window.pressInTerminal('1');
  await window.notification('Gemini CLI Companion is installed');
  await window.terminalShows('Connected to code-server. Open files:');
  await window.terminalShows('greet.py (active)');
  await window.closeNotifications();
  await window.enterInTerminal('/quit');
  await window.terminalShows('Goodbye!');
  await window.command('Terminal: Kill the Active Terminal Instance');
  await window.terminalGone();
});

it('brings its commands', async () => {
  await window.page.keyboard.press('F1');
  await window.page.keyboard.type('Gemini CLI');
  await window.page.locator('.quick-input-list .monaco-list-row', { hasText: 'Gemini CLI: Run' }).waitFor();
  await rig.picture(window, 'ide-2-commands');
  await window.page.keyboard.press('Escape');
  await window.command('Gemini CLI: View Third-Party Notices');
  await window.tab('NOTICES.txt').waitFor();
  await window.closeActiveTab();
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
  await rig.picture(window, 'ide-3-selection');
});

it('shows an edit as a diff, which the user changes and accepts', async () => {
  await propose(window, {
    prompt: 'add types to greet',
    path: 'greet.py',
    content: CHANGED,
    done: 'greet has types now.',
  });
  // Looked up in between: the diff can be edited when the user comes back to it.
  await window.openFile('notes.md');
  await window.clickTab('greet.py ↔ Modified');
  await window.typeIntoDiff('\n# checked');
  await window.closeNotifications();
  await rig.picture(window, 'ide-4-diff');
  expect(rig.read('shop/greet.py')).toBe(GREET);
  await window.page.keyboard.press('Control+s');
  await window.diffGone();
  await window.terminalShows('greet has types now.');
  expect(rig.read('shop/greet.py')).toBe(`${CHANGED}\n# checked`);
  await window.openFile('greet.py');
  await window.closeNotifications();
  await rig.picture(window, 'ide-5-accepted');
});

it('accepts by the button in the title bar', async () => {
  await propose(window, {
    prompt: 'write it down',
    path: 'notes.md',
    content: '# Notes\n\nGreet everybody.\n',
    done: 'note written',
  });
  await window.clickAction('Gemini CLI: Accept Diff');
  await window.diffGone();
  await window.terminalShows('note written');
  expect(rig.read('shop/notes.md')).toBe('# Notes\n\nGreet everybody.\n');
});

it('applies nothing that is rejected by the button', async () => {
  await propose(window, {
    prompt: 'shorten the notes',
    path: 'notes.md',
    content: '# No\n',
    done: 'refused by the button',
  });
  await window.clickAction('Gemini CLI: Close Diff Editor');
  await window.diffGone();
  await window.terminalShows('refused by the button');
  expect(rig.read('shop/notes.md')).toBe('# Notes\n\nGreet everybody.\n');
});

it('applies nothing when the tab of the diff is closed, with changes in it', async () => {
  await propose(window, {
    prompt: 'begin a list',
    path: 'new.md',
    content: '# New\n',
    done: 'refused by closing',
  });
  await window.typeIntoDiff('and mine');
  await window.closeActiveTab();
  await window.diffGone();
  await window.terminalShows('refused by closing');
  await rig.picture(window, 'ide-6-refused');
  expect(rig.exists('shop/new.md')).toBe(false);
});

it('closes the diff that is answered in the terminal, and applies what it showed', async () => {
  await propose(window, {
    prompt: 'begin it again',
    path: 'new.md',
    content: '# New\n',
    done: 'answered in the terminal',
  });
  await window.typeIntoDiff('and mine');
  await window.pressInTerminal('1');
  await window.diffGone();
  await window.terminalShows('answered in the terminal');
  expect(rig.read('shop/new.md')).toBe('# New\nand mine');
});

it('serves another program of the protocol beside ours', async () => {
  const [file = ''] = rig.discoveryFiles();
  const other = await OtherProgram.connect(file);
  const filePath = rig.path('shop/notes.md');
  await expect
    .poll(() => other.last('ide/contextUpdate'))
    .toMatchObject({ workspaceState: { isTrusted: true } });
  expect(JSON.stringify(other.last('ide/contextUpdate'))).toContain(JSON.stringify(filePath));
  expect(await other.call('openDiff', { filePath, newContent: '# Theirs\n' })).toEqual([]);
  await window.diffShown();
  await window.typeIntoDiff('and mine');
  await window.page.keyboard.press('Control+s');
  await window.diffGone();
  await expect
    .poll(() => other.last('ide/diffAccepted'))
    .toEqual({ filePath, content: '# Theirs\nand mine' });
  await other.call('openDiff', { filePath, newContent: '# Again\n' });
  await window.diffShown();
  const [shown] = (await other.call('closeDiff', { filePath })) as { text: string }[];
  await window.diffGone();
  expect(JSON.parse(shown?.text ?? '')).toEqual({ content: '# Again\n' });
  await other.call('openDiff', { filePath, newContent: '# No\n' });
  await window.diffShown();
  await window.closeActiveTab();
  await expect.poll(() => other.last('ide/diffRejected')).toEqual({ filePath });
  // The companion writes no file: that is the program's part.
  expect(rig.read('shop/notes.md')).toBe('# Notes\n\nGreet everybody.\n');
  await other.close();
});

it('applies nothing when the window is reloaded in the middle; the question in the terminal still works', async () => {
  await propose(window, {
    prompt: 'name the list',
    path: 'new.md',
    content: '# Reloaded\n',
    done: 'answered after the reload',
  });
  const before = rig.discoveryFiles();
  await window.reload();
  await expect.poll(() => rig.discoveryFiles(), { timeout: 60_000 }).not.toEqual(before);
  await window.terminalShows('Apply this change?');
  await rig.picture(window, 'ide-7-reloaded');
  expect(rig.read('shop/new.md')).toBe('# New\nand mine');
  await window.pressInTerminal('1');
  await window.terminalShows('answered after the reload');
  await window.diffGone();
  expect(rig.read('shop/new.md')).toBe('# Reloaded\n');
});

it('finds the reloaded window again', async () => {
  await window.openFile('greet.py');
  await window.selectFirstLine();
  await window.terminalShows('open file');
  rig.model.replies([text('Still the greeting.')]);
  await window.ask('and now?');
  await window.terminalShows('Still the greeting.');
  await propose(window, {
    prompt: 'remove the comment',
    path: 'greet.py',
    content: CHANGED,
    done: 'accepted after the reload',
  });
  await window.command('Gemini CLI: Accept Diff');
  await window.diffGone();
  await window.terminalShows('accepted after the reload');
  expect(rig.read('shop/greet.py')).toBe(CHANGED);
});

it('keeps two windows on two folders apart', async () => {
  const second = await rig.openWindow('garden');
  await second.trust();
  await second.openFile('plants.md');
  await second.command('Gemini CLI: Run');
  await second.growPanel();
  await second.terminalShows('1 open file');
  await propose(second, {
    prompt: 'plant roses',
    path: 'plants.md',
    content: '# Plants\n\nRoses\n',
    done: 'roses planted',
  });
  await rig.picture(second, 'ide-8-second-window');
  await window.diffGone();
  await second.typeIntoDiff('Tulips');
  await second.page.keyboard.press('Control+s');
  await second.diffGone();
  await second.terminalShows('roses planted');
  expect(rig.read('garden/plants.md')).toBe('# Plants\n\nRoses\nTulips');
  const told = JSON.stringify(rig.model.lastRequest().body.contents);
  expect(told).toContain(rig.path('garden/plants.md'));
  expect(told).not.toContain(rig.path('shop'));
  expect(rig.discoveryFiles()).toHaveLength(2);
});

it('is restricted in a window that the user does not trust, until the user does', async () => {
  const third = await rig.openWindow('attic');
  await third.stayRestricted();
  await third.openFile('trunk.md');
  await third.command('Gemini CLI: Run');
  await third.growPanel();
  await third.terminalShows('1 open file');
  await third.terminalShows('untrusted');
  await rig.picture(third, 'ide-9-restricted');
  await third.trustLater();
  await third.terminalShows('no sandbox');
});
