// The page of the A2A server: its list of tasks, and one that asks for permission. The model is scripted.
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { callTool, text } from '../../packages/test-utils/src/model-script.ts';
import { startModelServer } from '../../packages/test-utils/src/model-server.ts';

const PROMPTS = [
  'Explain how the gate reads its tickets',
  'Add a test for expired tickets',
  'Open the gate only once for each ticket',
];

const OLD = `export function open(ticket) {
  if (ticket.isValid()) gate.open();
}
`;
const NEW = `const used = new Set();

export function open(ticket) {
  if (!ticket.isValid() || used.has(ticket.id)) return;
  used.add(ticket.id);
  gate.open();
}
`;

export async function drawA2aPages({ browser, program, folder, images }) {
  const workspace = join(folder, 'gate');
  mkdirSync(join(workspace, 'src'), { recursive: true });
  writeFileSync(join(workspace, 'src/gate.js'), OLD);
  const model = await startModelServer();
  model.replies(
    [
      text(
        'The gate calls `ticket.isValid()` and opens. **A ticket can be used twice**: nothing remembers it.',
      ),
    ],
    [text('Done: `gate.test.js` has a test for expired tickets.')],
    [callTool('read_file', { file_path: 'src/gate.js' })],
    [
      text('Nothing remembers a used ticket. I add a set of ids:'),
      callTool('write_file', { file_path: 'src/gate.js', content: NEW }),
    ],
  );
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    GEMINI_API_KEY: 'x',
    GOOGLE_GEMINI_BASE_URL: model.url,
  };
  const server = spawn(process.execPath, [program, 'a2a-server'], { cwd: workspace, env });
  try {
    const url = await new Promise((resolve) => {
      server.stdout.on('data', (bytes) => resolve(/listens on (\S+)/.exec(String(bytes))[1]));
    });
    const context = await browser.newContext({
      viewport: { width: 1100, height: 760 },
      colorScheme: 'light',
    });
    const page = await context.newPage();
    for (const prompt of PROMPTS) {
      await page.goto(`${url}ui`);
      await page.fill('textarea[name=text]', prompt);
      await page.click('text=Start');
      await page.locator('.state.input-required').waitFor();
    }
    await page.locator('.question').waitFor();
    await page.screenshot({ path: images('a2a-task.png'), fullPage: true });
    await page.goto(`${url}ui`);
    await page.screenshot({ path: images('a2a-tasks.png') });
    await context.close();
  } finally {
    server.kill();
    await model.close();
  }
}
