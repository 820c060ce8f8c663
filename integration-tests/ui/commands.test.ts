import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { testRig, text } from '@gemini-cli/test-utils/rig';
import { describe, expect, it } from 'vitest';
import { ask, command, isReady, LONG, startUi } from './ui.js';

/** Each command and what it shows. */
const SHOWS = [
  ['/help', 'Ctrl+R'],
  ['/about', 'CLI Version'],
  ['/stats', 'Session ID'],
  ['/stats model', 'Average Latency'],
  ['/stats tools', 'Tool'],
  ['/cost', '$'],
  ['/tools', 'ReadFile'],
  ['/tools desc', 'ReadFile'],
  ['/policies list', 'Default mode'],
  ['/memory list', 'Context files'],
  ['/directory show', 'Workspace folders'],
  ['/commands', 'Your commands'],
  ['/chat list', 'Saved checkpoints'],
  ['/docs', 'docs'],
  ['/mcp list', 'No MCP servers configured.'],
  ['/nosuch', 'Unknown command: /nosuch'],
  ['/quit now', 'takes only --delete'],
] as const;

it('commands show their output, and unknown ones are named', async () => {
  const rig = await testRig();
  rig.model.replies([text('Hello.')]);
  const screen = await startUi(rig, [], { rows: 50 });
  await ask(screen, 'hi', '✦ Hello.');
  await screen.waitFor(isReady, LONG);
  for (const [line, sight] of SHOWS) {
    screen.press('Ctrl+L');
    const before = screen.history().split(sight).length;
    await command(screen, line);
    await screen.waitFor((seen) => isReady(seen) && screen.history().split(sight).length > before, LONG);
  }
}, 60_000);

describe('In a conversation', () => {
  it('/model set changes the model in the footer at once', async () => {
    const rig = await testRig();
    const screen = await startUi(rig);
    const footer = () => screen.text().trimEnd().split('\n').at(-1);
    expect(footer()).not.toContain('offline');
    await command(screen, '/model set offline');
    await screen.waitFor(() => footer()?.includes('offline') ?? false, LONG);
  });

  it("/clear empties screen, scrollback and the model's history", async () => {
    const rig = await testRig();
    rig.model.replies([text('Blue it is.')], [text('No idea.')]);
    const screen = await startUi(rig);
    await ask(screen, 'my colour is blue', '✦ Blue it is.');
    await screen.waitFor(isReady, LONG);
    await command(screen, '/clear');
    await screen.waitFor((seen) => isReady(seen) && !seen.includes('Blue it is.'), LONG);
    expect(screen.history()).not.toContain('my colour');
    await ask(screen, 'which colour', '✦ No idea.');
    expect(JSON.stringify(rig.model.requests[1]?.body.contents)).not.toContain('blue');
  });

  it('/compress reports its result', async () => {
    const rig = await testRig();
    const screen = await startUi(rig);
    await command(screen, '/compress');
    await screen.waitFor('Nothing to compress.', LONG);
    const much = Array.from(
      { length: 400 },
      (_, index) => `Fact ${index * 7919} is about ${index ** 3}.`,
    ).join(' ');
    for (let round = 0; round < 4; round++) {
      rig.model.replies([text(`${much} So much for ${round}.`)]);
      await ask(screen, `question ${round}`, `So much for ${round}.`);
      await screen.waitFor(isReady, LONG);
    }
    rig.model.otherwise(() => [text('<state_snapshot>All about many things.</state_snapshot>')]);
    await command(screen, '/compress');
    await screen.waitFor('Chat history compressed', LONG);
  }, 60_000);

  it('/chat saves, lists, resumes, deletes and shares', async () => {
    const rig = await testRig();
    rig.model.replies([text('First.')], [text('Second.')], [text('Third.')]);
    const screen = await startUi(rig);
    await ask(screen, 'one', '✦ First.');
    await screen.waitFor(isReady, LONG);
    await command(screen, '/chat save here');
    await screen.waitFor('Saved the conversation as "here"', LONG);
    await ask(screen, 'two', '✦ Second.');
    await screen.waitFor(isReady, LONG);
    await command(screen, '/chat list');
    await screen.waitFor(/Saved checkpoints\s+• here/, LONG);
    await command(screen, '/chat save here');
    await screen.waitFor('Replace it?', LONG);
    screen.press('Esc');
    await screen.waitFor(isReady, LONG);
    await command(screen, '/chat share talk.md');
    await screen.waitFor('talk.md.', LONG);
    expect(rig.read('talk.md')).toContain('Second.');
    await command(screen, '/chat resume here');
    await screen.waitFor(
      (seen) => isReady(seen) && seen.includes('✦ First.') && !seen.includes('✦ Second.'),
      LONG,
    );
    await ask(screen, 'three', '✦ Third.');
    expect(JSON.stringify(rig.model.requests[2]?.body.contents)).not.toContain('Second.');
    await screen.waitFor(isReady, LONG);
    await command(screen, '/chat delete here');
    await screen.waitFor('Deleted checkpoint "here"', LONG);
  });

  it('/copy sends the answer to the terminal over SSH, or one code block of it', async () => {
    const rig = await testRig({ env: { SSH_TTY: '/dev/pts/0', SSH_CONNECTION: '1 2 3 4' } });
    rig.model.replies([text('See:\n\n```js\nlet a = 1;\n```\n\nand\n\n```js\nlet b = 2;\n```')]);
    const screen = await startUi(rig);
    await command(screen, '/copy');
    await screen.waitFor('There is no answer to copy yet.', LONG);
    await ask(screen, 'code', 'let b = 2;');
    await screen.waitFor(isReady, LONG);
    await command(screen, '/copy 2');
    await screen.waitFor('Copied code block 2.', LONG);
    expect(screen.raw()).toContain(`\x1b]52;c;${Buffer.from('let b = 2;').toString('base64')}`);
    await command(screen, '/copy 3');
    await screen.waitFor('2 code blocks', LONG);
  });
});

describe('In a project', () => {
  it('/directory add asks for trust and adds', async () => {
    const rig = await testRig();
    const other = join(realpathSync(rig.home), 'other');
    mkdirSync(other);
    const screen = await startUi(rig, [], { cols: 110 });
    await command(screen, '/directory add ~/other/');
    await screen.waitFor('Use them in this session?', LONG);
    screen.press('Enter');
    await screen.waitFor(/Added to the workspace\s+• .*other/, LONG);
    await command(screen, '/directory add ~/nowhere/');
    await screen.waitFor('No such folder', LONG);
  });

  it('/init creates the context file once and lets the model fill it', async () => {
    const rig = await testRig();
    rig.model.replies([text('Filled.')]);
    const screen = await startUi(rig);
    await ask(screen, '/init', '✦ Filled.');
    expect(rig.read('GEMINI.md')).toBe('');
    await screen.waitFor(isReady, LONG);
    await command(screen, '/init');
    await screen.waitFor(/exists already; nothing was\s+changed/, LONG);
  });

  it('a custom command runs its shell parts only after a question', async () => {
    const rig = await testRig({
      files: {
        '.gemini/commands/look.toml':
          'description = "Look"\nprompt = "Args {{args}}; out: !{echo $((6*7)) > ran.txt; cat ran.txt}"\n',
      },
    });
    rig.model.replies([text('I see 42.')]);
    const screen = await startUi(rig);
    await command(screen, '/look here');
    await screen.waitFor(/Confirm Shell Expansion[\s\S]*echo \$\(\(6\*7\)\)/, LONG);
    expect(rig.exists('ran.txt')).toBe(false);
    screen.press('Esc');
    await screen.waitFor('declined', LONG);
    expect(rig.exists('ran.txt')).toBe(false);
    await screen.waitFor(isReady, LONG);
    await command(screen, '/look here');
    await screen.waitFor('Confirm Shell Expansion', LONG);
    screen.press('Enter');
    await screen.waitFor('✦ I see 42.', LONG);
    const sent = JSON.stringify(rig.model.requests[0]?.body.contents);
    expect(sent).toContain('Args here; out: 42');
  });

  it('/memory add saves a fact, /plan switches to plan mode', async () => {
    const rig = await testRig();
    const screen = await startUi(rig);
    await command(screen, '/memory add I like tabs');
    await screen.waitFor(/Added to .*GEMINI\.md/, LONG);
    await command(screen, '/plan');
    await screen.waitFor('nothing is changed until you approve a plan', LONG);
    await screen.waitFor(/^ plan/m, LONG);
  });
});

it('Tab completes a command and its sub-commands', async () => {
  const rig = await testRig();
  const screen = await startUi(rig);
  screen.type('/pol');
  await screen.waitFor(/policies .*\n/, LONG);
  screen.press('Tab');
  await screen.waitFor('> /policies', LONG);
  screen.press('Ctrl+U');
  screen.type('/chat sa');
  await screen.waitFor('Save the conversation', LONG);
  screen.press('Tab');
  await screen.waitFor('> /chat save', LONG);
});
