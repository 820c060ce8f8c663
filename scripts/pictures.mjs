// `npx tsx scripts/pictures.mjs [name…]`: makes the pictures of the docs with the built program and a real browser.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { openBrowser } from '../packages/test-utils/src/browser.ts';
import { drawA2aPages } from './pictures/a2a-pages.mjs';
import { SCENES } from './pictures/scenes.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const images = join(root, 'docs/images');
const program = process.env.BUNDLE_UNDER_TEST ?? join(root, 'packages/cli/dist/gemini.cjs');
const MAX_BYTES = 300 * 1024;

/** Each gets a browser and a folder, and writes its pictures to files. */
const PICTURES = { 'session-html': { draw: drawSessionPage }, a2a: { draw: drawA2aPages }, ...SCENES };

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !Object.hasOwn(PICTURES, name));
if (unknown.length > 0) {
  console.error(`No picture ${unknown.join(', ')}. There are ${Object.keys(PICTURES).join(', ')}.`);
  process.exit(1);
}
mkdirSync(images, { recursive: true });
const browser = await openBrowser();
try {
  for (const [name, { draw }] of Object.entries(PICTURES)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    await drawOne(draw);
  }
} finally {
  await browser.close();
}

async function drawOne(draw) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'gemini-picture-')));
  const paths = [];
  const imagePath = (name) => {
    paths.push(join(images, name));
    return join(images, name);
  };
  try {
    await draw({ browser, program, folder, images: imagePath });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  for (const path of paths) {
    const { size } = statSync(path);
    console.log(`${path}: ${Math.round(size / 1024)} KB`);
    if (size > MAX_BYTES) throw new Error(`${path} is larger than ${MAX_BYTES / 1024} KB.`);
  }
}

/** A recorded session, exported by the program and opened as its user opens it. */
async function drawSessionPage({ browser, folder, images: imagePath }) {
  const workspace = join(folder, 'gate');
  mkdirSync(workspace);
  gemini(folder, workspace, ['sessions', 'list']); // makes the folder of the project
  const temp = join(folder, '.gemini/tmp');
  const [project] = readdirSync(temp);
  const chats = join(temp, project, 'chats');
  mkdirSync(chats, { recursive: true });
  cpSync(
    join(root, 'scripts/pictures/session.jsonl'),
    join(chats, 'session-2026-11-12T09-14-5d0c2c7e.jsonl'),
  );
  const page = join(folder, 'session.html');
  gemini(folder, workspace, ['sessions', 'export', 'latest', page]);
  const context = await browser.newContext({
    viewport: { width: 1180, height: 1200 },
    colorScheme: 'light',
    reducedMotion: 'reduce',
  });
  const tab = await context.newPage();
  await tab.goto(pathToFileURL(page).href);
  for (const name of ['WriteTodos', 'Edit']) await tab.getByText(name, { exact: true }).first().click();
  await tab.mouse.move(0, 0);
  await tab.screenshot({ path: imagePath('session-export.png') });
  await context.close();
}

function gemini(home, cwd, args) {
  const env = { PATH: process.env.PATH, HOME: home, GEMINI_CLI_HOME: home, TZ: 'UTC' };
  const run = spawnSync(process.execPath, [program, ...args], { cwd, env, encoding: 'utf8' });
  if (run.status !== 0) throw new Error(`gemini ${args.join(' ')}: ${run.stderr}`);
}
