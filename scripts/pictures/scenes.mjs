// The scenes that the pictures of the terminal show.
import { callTool, silence, text } from '../../packages/test-utils/src/model-script.ts';
import { startModelServer } from '../../packages/test-utils/src/model-server.ts';
import { makePlace, shoot, startProgram } from './terminal.mjs';

const READY = 'Type your message or @path/to/file';
const LIMITER = `export class Limiter {
  private count = 0;
  private minute = 0;

  allow(now: number): boolean {
    const minute = Math.floor(now / 60_000);
    if (minute !== this.minute) this.count = 0;
    return this.count++ < 100;
  }
}
`;
const FILES = {
  'src/limiter.ts': LIMITER,
  'src/server.ts': 'export {};\n',
  'package.json': '{ "name": "gate", "description": "A small gateway with rate limits." }\n',
  'README.md': '# gate\n\nA small gateway with rate limits.\n',
};
const EDIT = callTool('replace', {
  file_path: 'src/limiter.ts',
  instruction: 'Remember the minute.',
  old_string: '    if (minute !== this.minute) this.count = 0;\n',
  new_string:
    '    if (minute !== this.minute) {\n      this.minute = minute;\n      this.count = 0;\n    }\n',
});
const ANSWER = `The limiter compares with \`this.minute\`, but **never stores the new minute**. From the second minute on the counter starts again at every request, so nobody is ever refused.

\`\`\`ts
if (minute !== this.minute) this.count = 0; // always true after the first minute
\`\`\`

1. store the minute together with the reset;
2. add a test that crosses the turn of a minute.`;

/** The hooks of the page about hooks, as short commands. */
const hook = (name, command, matcher) => [
  { ...(matcher && { matcher }), hooks: [{ type: 'command', name, command }] },
];
const HOOKS = {
  BeforeTool: hook(
    'block-secrets',
    "if grep -q AKIA; then echo 'The text contains an AWS key.' >&2; exit 2; fi",
    'write_file|replace',
  ),
  AfterAgent: hook('run-tests', `echo '{"systemMessage":"The tests pass."}'`),
};

/** Scenes with a scripted model. Each gets a running program and leaves one picture, or several. */
export const SCENES = {
  'terminal-conversation': scene({
    replies: () => [[callTool('read_file', { file_path: 'src/limiter.ts' })], [text(ANSWER)]],
    async play({ say, see, shoot }) {
      await say('Clients get more than their limit. Why? @src/limiter.ts');
      await see((seen) => seen.includes('turn of a minute') && seen.includes(READY));
      await shoot('terminal-conversation.png');
    },
  }),
  'terminal-approval': scene({
    replies: () => [[EDIT], [text('Done.')]],
    async play({ say, see, shoot, screen }) {
      await say('Fix it');
      await see(/Apply this change\?[\s\S]*1\. Allow once/);
      await see(() => isHighlighted(screen, 'Math.floor'));
      await shoot('terminal-approval.png');
      screen.press('Esc');
    },
  }),
  'terminal-commands': scene({
    async play({ see, shoot, screen }) {
      screen.type('/');
      await see('Show commands and keys');
      await shoot('terminal-commands.png');
    },
  }),
  'terminal-files': scene({
    async play({ see, shoot, screen }) {
      screen.type('explain @li');
      await see('src/limiter.ts');
      await shoot('terminal-files.png');
    },
  }),
  'terminal-shell': scene({
    async play({ see, shoot, screen }) {
      screen.type('!');
      await see('shell mode enabled');
      screen.type('wc -l src/*\r');
      await see((seen) => seen.includes('total') && seen.includes('Type your shell command'));
      await shoot('terminal-shell.png');
    },
  }),
  'terminal-working': scene({
    replies: () => [[text('I look at the callers first.'), silence()]],
    async play({ say, see, shoot, screen }) {
      await say('Make the limit configurable');
      await see((seen) => seen.includes('callers first') && seen.includes('esc to cancel'));
      await say('and document it in the README');
      await see('queued: ');
      await shoot('terminal-working.png');
      screen.press('Esc');
    },
  }),
  'terminal-theme': scene({
    async play({ say, see, shoot, screen }) {
      await say('/theme');
      await see(/1\. ANSI[\s\S]*Preview|Preview[\s\S]*2\. Atom/);
      const colours = () => JSON.stringify(rowWith(screen, 'def count').map(({ color }) => color));
      const before = colours();
      screen.press('Down');
      await see((seen) => seen.includes('●  5. Dracula') && colours() !== before);
      await shoot('terminal-theme.png');
    },
  }),
  'terminal-settings': scene({
    async play({ say, see, shoot }) {
      await say('/settings');
      await see(/User Settings[\s\S]*Vim Mode/);
      await shoot('terminal-settings.png');
    },
  }),
  'terminal-hooks': scene({
    settings: { hooks: HOOKS },
    replies: () => [
      [
        callTool('write_file', {
          file_path: 'src/keys.ts',
          content: 'export const key = "AKIA0123456789ABCDEF";\n',
        }),
      ],
      [text('The hook refused the key, so I read it from `process.env.AWS_KEY`.')],
    ],
    async play({ say, see, shoot }) {
      await say('Add the key of the storage');
      await see((seen) => seen.includes('The tests pass.') && seen.includes(READY));
      await say('/hooks');
      await see('Hooks · 2 of 2 enabled');
      await shoot('terminal-hooks.png');
    },
  }),
  'terminal-light': scene({
    settings: { ui: { theme: 'Default Light' } },
    isLight: true,
    replies: () => [[callTool('read_file', { file_path: 'src/limiter.ts' })], [text(ANSWER)]],
    async play({ say, see, shoot }) {
      await say('Clients get more than their limit. Why?');
      await see((seen) => seen.includes('turn of a minute') && seen.includes(READY));
      await shoot('terminal-light.png');
    },
  }),
  'first-minutes': { draw: drawFirstMinutes },
};

function rowWith(screen, text) {
  return (
    screen.cells().find((cells) =>
      cells
        .map((cell) => cell.text)
        .join('')
        .includes(text),
    ) ?? []
  );
}

/** The colours of code arrive a moment after its text. */
function isHighlighted(screen, text) {
  return new Set(rowWith(screen, text).map(({ color }) => color)).size > 4;
}

function scene({ replies = () => [], play, settings, isLight = false }) {
  return {
    async draw({ browser, program, folder, images }) {
      const model = await startModelServer();
      model.replies(...replies());
      const workspace = makePlace(folder, { files: FILES, settings });
      const env = { GEMINI_API_KEY: 'key', GOOGLE_GEMINI_BASE_URL: model.url };
      const running = await startProgram(program, { folder, workspace, env });
      try {
        await running.see((seen) => seen.includes(READY) && seen.includes('/model'));
        await play({
          ...running,
          shoot: (name) => shoot(browser, running.screen, images(name), { isLight }),
        });
      } finally {
        running.screen.kill();
        await model.close();
      }
    },
  };
}

/** Without a key or a network: the offline guide does real work. */
async function drawFirstMinutes({ browser, program, folder, images }) {
  const files = { ...FILES, 'GEMINI.md': 'Tests live beside the source.\n', 'greet.py': 'print("hello")\n' };
  const workspace = makePlace(folder, { files, isTrusted: false });
  const { screen, see, say } = await startProgram(program, { folder, workspace, rows: 26 });
  let number = 0;
  const take = async (name) => shoot(browser, screen, images(`first-minutes-${++number}-${name}.png`));
  try {
    await see((seen) => seen.includes('Do you trust this folder?') && seen.includes('GEMINI.md'));
    await take('trust');
    screen.press('Enter');
    await see('5. Offline guide');
    await take('sign-in');
    screen.type('5');
    await see((seen) => seen.includes(READY) && seen.includes('offline'));
    await say('what does this project do?');
    await see((seen) => seen.includes('Offline guide: built-in rules') && seen.includes(READY));
    await take('ask');
    await say('replace "hello" with "hello, world" in greet.py');
    await see(/Apply this change\?[\s\S]*1\. Allow once/);
    await see(() => isHighlighted(screen, '+ print'));
    await take('approve');
    screen.press('Enter');
    await see((seen) => /✓ {2}Edit/.test(seen) && seen.includes(READY));
    await say('/undo');
    await see('Enter to preview');
    screen.press('Enter');
    await see('Restore these files?');
    await take('undo');
    screen.press('Enter');
    await see('Restored 1 file');
    await say('/resume');
    await see('(current)');
    await take('sessions');
    screen.press('Esc');
    await see(READY);
    await say('/quit');
    await screen.exit;
    await take('leave');
  } finally {
    screen.kill();
  }
}
