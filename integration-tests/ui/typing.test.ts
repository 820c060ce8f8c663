import { testRig, text } from '@gemini-cli/test-utils/rig';
import { describe, expect, it } from 'vitest';
import { ask, isReady, LONG, startUi } from './ui.js';

const sent = (body: { contents: unknown[] } | undefined) => JSON.stringify(body?.contents.at(-1));

describe('Before the interface is up', () => {
  it('Enter sends the prompt once there is a model', async () => {
    const rig = await testRig();
    rig.model.replies([text('Early bird.')]);
    const screen = await rig.screen([]);
    screen.type('sent at once\r');
    await screen.waitFor('✦ Early bird.', LONG);
    expect(sent(rig.model.requests[0]?.body)).toContain('sent at once');
  });

  it('editing keys work as they do later', async () => {
    const rig = await testRig();
    rig.model.replies([text('Fine.')]);
    const screen = await rig.screen([]);
    screen.type('world!');
    screen.press('Backspace', 'Ctrl+A');
    screen.type('hellq');
    screen.press('Backspace');
    screen.type('o ');
    screen.press('Ctrl+E');
    screen.type('?');
    screen.press('Left', 'Delete');
    screen.type('…');
    await screen.waitFor('> hello world…', LONG);
    screen.press('Enter');
    await screen.waitFor('✦ Fine.', LONG);
    expect(sent(rig.model.requests[0]?.body)).toContain('hello world…');
  });

  it('a paste stays one piece, and its line ends send nothing', async () => {
    const rig = await testRig();
    rig.model.replies([text('Read.')]);
    const screen = await rig.screen([]);
    screen.type('see ');
    screen.paste('first\nsecond');
    screen.type(' end');
    await screen.waitFor(/> see first[\s│]+second end/, LONG);
    screen.press('Enter');
    await screen.waitFor('✦ Read.', LONG);
    expect(sent(rig.model.requests[0]?.body)).toContain('see first\\nsecond end');
    expect(rig.model.requests).toHaveLength(1);
  });

  it('single keys arrive in order', async () => {
    const rig = await testRig();
    const screen = await rig.screen([]);
    const typed = 'the quick brown fox jumps over the lazy dog';
    for (const key of typed) screen.type(key);
    await screen.waitFor((seen) => seen.includes(`> ${typed}`) && seen.includes('/model'), LONG);
  });

  it('a shell command stays in the input and never becomes a prompt', async () => {
    const rig = await testRig();
    rig.model.otherwise(() => [text('This was a prompt.')]);
    const screen = await rig.screen([]);
    screen.type('!echo early-$((40 + 2))\r');
    await screen.waitFor(/Shell commands need the engine|early-42/, LONG);
    await screen.waitFor((seen) => seen.includes('/model'), LONG);
    if (!screen.text().includes('early-42')) screen.press('Enter');
    await screen.waitFor('early-42', LONG);
    expect(rig.model.requests).toEqual([]);
  });
});

describe('In the input', () => {
  it('several lines are one prompt', async () => {
    const rig = await testRig();
    rig.model.replies([text('Three lines.')]);
    const screen = await startUi(rig);
    screen.type('one');
    screen.press('Ctrl+J');
    screen.type('two\\');
    screen.press('Enter');
    screen.type('three');
    await screen.waitFor(/> one\s+two\s+three/, LONG);
    screen.press('Enter');
    await screen.waitFor('✦ Three lines.', LONG);
    expect(sent(rig.model.requests[0]?.body)).toContain('one\\ntwo\\nthree');
  });

  it('a large paste is a label, stays one in the conversation, and is sent in full', async () => {
    const rig = await testRig();
    rig.model.replies([text('Long.')]);
    const screen = await startUi(rig);
    const lines = Array.from({ length: 40 }, (_, index) => `pasted ${index}`);
    screen.paste(lines.join('\n'));
    await screen.waitFor('[Pasted Text: 40 lines]', LONG);
    screen.press('Enter');
    await screen.waitFor('✦ Long.', LONG);
    expect(sent(rig.model.requests[0]?.body)).toContain(lines.join('\\n'));
    expect(screen.text()).toContain('> [Pasted Text: 40 lines]');
    expect(screen.text()).not.toContain('pasted 7');
  });

  it('cut text can be inserted again, and undone text redone', async () => {
    const rig = await testRig();
    const screen = await startUi(rig);
    screen.type('alpha beta gamma');
    screen.press('Ctrl+W', 'Ctrl+U', 'Alt+y');
    await screen.waitFor('> alpha beta ', LONG);
    screen.press('Ctrl+U');
    await screen.waitFor(isReady, LONG);
    screen.press('Alt+z');
    await screen.waitFor('> alpha beta', LONG);
  });

  it('wide characters, emoji and combining marks keep the cursor at the end of the text', async () => {
    const rig = await testRig();
    const screen = await startUi(rig);
    screen.type('日本👍🏽é');
    await screen.waitFor('> 日本', LONG);
    // Two columns each for 日 本 👍🏽, one for é with its mark; the text starts in column 3.
    screen.press('Backspace', 'Backspace');
    await screen.waitFor((seen) => /> 日本\s*$/m.test(seen) && screen.cursor().column === 7, LONG);
  });

  it('Up recalls earlier prompts, Ctrl+R finds them', async () => {
    const rig = await testRig();
    rig.model.replies([text('A1.')], [text('A2.')], [text('A3.')]);
    const screen = await startUi(rig);
    await ask(screen, 'about apples', '✦ A1.');
    await screen.waitFor(isReady, LONG);
    await ask(screen, 'about pears', '✦ A2.');
    await screen.waitFor(isReady, LONG);
    screen.press('Up', 'Up');
    await screen.waitFor((seen) => seen.split('> about apples').length === 3, LONG);
    screen.press('Down', 'Down');
    await screen.waitFor(isReady, LONG);
    screen.press('Ctrl+R');
    await screen.waitFor('(r:)', LONG);
    screen.type('app');
    await screen.waitFor(/\(r:\)[\s\S]*about apples/, LONG);
    screen.press('Tab');
    await screen.waitFor((seen) => !seen.includes('(r:)') && seen.split('> about apples').length === 3, LONG);
    screen.press('Enter');
    await screen.waitFor('✦ A3.', LONG);
    expect(sent(rig.model.requests[2]?.body)).toContain('about apples');
  });

  it('@ completes a file with Tab, and the file is sent', async () => {
    const rig = await testRig({ files: { 'docs/guide.md': 'THE GUIDE', 'src/main.ts': 'x' } });
    rig.model.replies([text('Read it.')]);
    const screen = await startUi(rig);
    screen.type('explain @gui');
    await screen.waitFor('docs/guide.md', LONG);
    screen.press('Tab');
    await screen.waitFor('> explain @docs/guide.md', LONG);
    screen.type('please');
    await screen.waitFor('> explain @docs/guide.md please', LONG);
    screen.press('Enter');
    await screen.waitFor('✦ Read it.', LONG);
    expect(sent(rig.model.requests[0]?.body)).toContain('THE GUIDE');
  });

  it('vim keys insert nothing in NORMAL; operators and counts work', async () => {
    const rig = await testRig({ settings: { general: { vimMode: true } } });
    const screen = await startUi(rig);
    await screen.waitFor('[INSERT]', LONG);
    screen.type('one two three four');
    screen.press('Esc');
    await screen.waitFor('[NORMAL]', LONG);
    screen.type('qZz0w2dw');
    await screen.waitFor(/> one four\s*$/m, LONG);
    screen.type('u');
    await screen.waitFor('> one two three four', LONG);
    screen.type('A!');
    await screen.waitFor('[INSERT]', LONG);
    await screen.waitFor('> one two three four!', LONG);
  });

  it('? shows the keys on an empty prompt, ! toggles shell mode', async () => {
    const rig = await testRig();
    const screen = await startUi(rig);
    screen.type('?');
    await screen.waitFor('Esc Esc', LONG);
    screen.press('Esc');
    await screen.waitFor((seen) => !seen.includes('Esc Esc'), LONG);
    screen.type('!');
    await screen.waitFor('shell mode enabled (esc to disable)', LONG);
    screen.press('Esc');
    await screen.waitFor((seen) => !seen.includes('shell mode enabled'), LONG);
  });
});
