/** Saving, restoring and remembering, as a user does it on the screen. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { callTool, text } from '@gemini-cli/test-utils';
import { type Screen, type TestRig, testRig } from '@gemini-cli/test-utils/rig';
import { describe, expect, it } from 'vitest';

const LONG = { timeoutMs: 50_000 };
const READY = 'Type your message';

async function command(screen: Screen, line: string): Promise<void> {
  screen.type(line);
  await screen.waitFor(`> ${line}`, LONG);
  screen.press('Enter');
}

async function say(screen: Screen, line: string, answer: string): Promise<void> {
  screen.type(`${line}\r`);
  await screen.waitFor(`✦ ${answer}`, LONG);
  await screen.waitFor(READY, LONG);
}

const sent = (rig: TestRig) => JSON.stringify(rig.model.requests.at(-1)?.body.contents);

/** `~/.gemini/tmp/<project>`. */
function projectDir({ home }: TestRig): string {
  const temp = join(home, '.gemini/tmp');
  const [name = ''] = readdirSync(temp).filter((entry) => existsSync(join(temp, entry, '.project_root')));
  return join(temp, name);
}

describe('/chat', { timeout: 180_000 }, () => {
  it('saves, lists, resumes, shares and deletes a conversation', async () => {
    const rig = await testRig();
    rig.model.replies([text('One.')], [text('Two.')], [text('Three.')], [text('Four.')]);
    const screen = await rig.screen([], { rows: 40 });
    await say(screen, 'first question', 'One.');
    await command(screen, '/chat save my tag/1');
    await screen.waitFor('Saved the conversation as "my tag/1"', LONG);
    await say(screen, 'second question', 'Two.');
    await command(screen, '/chat save my tag/1');
    await screen.waitFor(/Checkpoint "my tag\/1" exists already\. Replace it\?/, LONG);
    screen.press('Esc');
    await screen.waitFor(READY, LONG);
    await command(screen, '/chat list');
    await screen.waitFor(/Saved checkpoints[\s\S]*my tag\/1/, LONG);
    await command(screen, '/chat share talk.md');
    await screen.waitFor('Saved to ', LONG);
    expect(rig.read('talk.md')).toMatch(/## USER 🧑‍💻\n\nfirst question[\s\S]*## MODEL ✨\n\nTwo\./u);
    await command(screen, '/chat share bad.txt');
    await screen.waitFor(/only \.json\s+and \.md are supported/, LONG);
    await command(screen, '/chat resume my tag/1');
    await screen.waitFor((shown) => shown.includes('✦ One.') && !shown.includes('✦ Two.'), LONG);
    await say(screen, 'third question', 'Three.');
    expect(sent(rig)).toContain('first question');
    expect(sent(rig)).not.toContain('second question');
    await command(screen, '/chat delete my tag/1');
    await screen.waitFor('Deleted checkpoint "my tag/1"', LONG);
    screen.kill('SIGHUP');
    await screen.exit;
    expect(readdirSync(projectDir(rig)).filter((name) => name.startsWith('checkpoint-'))).toEqual([]);

    // The recording follows the resumed conversation.
    await rig.cli('-p', 'fourth question', '--resume');
    expect(sent(rig)).toContain('third question');
    expect(sent(rig)).not.toContain('second question');
  });
});

describe('/restore', { timeout: 180_000 }, () => {
  it('restores files and conversation, proposes the call again, and can be undone', async () => {
    const rig = await testRig({
      settings: { general: { checkpointing: { enabled: true } } },
      files: { 'a.txt': 'one\n' },
    });
    rig.model.replies([callTool('write_file', { file_path: 'a.txt', content: 'two\n' })], [text('Written.')]);
    const screen = await rig.screen([], { rows: 40 });
    screen.type('write it\r');
    await screen.waitFor('Apply this change?', LONG);
    screen.press('Enter');
    await screen.waitFor('✦ Written.', LONG);
    await screen.waitFor(READY, LONG);
    expect(rig.read('a.txt')).toBe('two\n');
    await command(screen, '/restore');
    await screen.waitFor(/Checkpoints:\s+\S*a\.txt-write_file/, LONG);
    const [file = ''] = readdirSync(join(projectDir(rig), 'checkpoints'));
    await command(screen, `/restore ${file.replace(/\.json$/, '')}`);
    await screen.waitFor(
      /a\.txt will be restored[\s\S]*1 - two[\s\S]*1 \+ one[\s\S]*Restore these files/,
      LONG,
    );
    expect(rig.read('a.txt')).toBe('two\n');
    screen.press('Enter');
    await screen.waitFor('Apply this change?', LONG);
    expect(rig.read('a.txt')).toBe('one\n');
    expect(screen.text()).not.toContain('✦ Written.');
    const undo = /\/undo ([\w-]+)/.exec(screen.history())?.[0] ?? '';
    expect(undo).not.toBe('');
    screen.press('Esc');
    await screen.waitFor(READY, LONG);
    await command(screen, undo);
    await screen.waitFor('Restore these files?', LONG);
    screen.press('Enter');
    await screen.waitFor(() => screen.history().split('Restored 1 file.').length === 3, LONG);
    expect(rig.read('a.txt')).toBe('two\n');
  });
});

describe('/memory', { timeout: 180_000 }, () => {
  it('shows, adds, lists and reloads; changes reach the model with the next prompt', async () => {
    const rig = await testRig({ files: { 'GEMINI.md': 'Always answer in rhymes.\n' } });
    rig.model.replies([text('Sure.')], [text('Pure.')]);
    const screen = await rig.screen([], { rows: 40 });
    await say(screen, 'hello', 'Sure.');
    await command(screen, '/memory show');
    await screen.waitFor('Always answer in rhymes.', LONG);
    await command(screen, '/memory add I like blue');
    await screen.waitFor('Added to', LONG);
    expect(readFileSync(join(rig.home, '.gemini/GEMINI.md'), 'utf8')).toContain('- I like blue');
    await command(screen, '/memory list');
    await screen.waitFor(/Context files[\s\S]*GEMINI\.md/, LONG);
    await command(screen, '/memory reload');
    await screen.waitFor('Memory reloaded', LONG);
    await say(screen, 'again', 'Pure.');
    const { body } = rig.model.requests.at(-1) ?? {};
    expect(JSON.stringify(body?.systemInstruction)).toContain('I like blue');
  });

  it('shows the inbox, invalid suggestions with the reason; an accepted one counts at once', async () => {
    const rig = await testRig();
    rig.model.replies([text('Sure.')], [text('Green.')]);
    await rig.cli('-p', 'hello');
    // A session with a name gets no summary.
    await rig.cli('sessions', 'rename', '1', 'hello');
    const inbox = join(projectDir(rig), 'memory/.inbox');
    for (const scope of ['private', 'global']) mkdirSync(join(inbox, scope), { recursive: true });
    const target = join(projectDir(rig), 'memory/MEMORY.md');
    writeFileSync(
      join(inbox, 'private/extraction.patch'),
      `--- /dev/null\n+++ ${target}\n@@ -0,0 +1,1 @@\n+The build needs green tea.\n`,
    );
    writeFileSync(
      join(inbox, 'global/extraction.patch'),
      '--- /dev/null\n+++ /etc/cron.d/evil\n@@ -0,0 +1,1 @@\n+boom\n',
    );
    const screen = await rig.screen([], { rows: 40 });
    await screen.waitFor('/model', LONG);
    await command(screen, '/memory inbox');
    await screen.waitFor(/MEMORY\.md[\s\S]*invalid · evil/, LONG);
    screen.press('Enter');
    await screen.waitFor('green tea', LONG);
    screen.type('1');
    await screen.waitFor((shown) => !shown.includes('green tea'), LONG);
    expect(readFileSync(target, 'utf8')).toBe('The build needs green tea.\n');
    expect(existsSync('/etc/cron.d/evil')).toBe(false);
    screen.press('Esc', 'Esc');
    await screen.waitFor(READY, LONG);
    await say(screen, 'which tea?', 'Green.');
    expect(JSON.stringify(rig.model.requests.at(-1)?.body.systemInstruction)).toContain('green tea');
  });
});
