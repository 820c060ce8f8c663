// Runs the program in a pseudo-terminal and converts its screen to a web page for a picture.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { startScreen } from '../../packages/test-utils/src/screen.ts';

const DARK = { text: '#d8dce6', background: '#14161c', bar: '#20232c' };
const LIGHT = { text: '#24292f', background: '#ffffff', bar: '#e8eaee' };
const LONG = { timeoutMs: 30_000 };

/** A home with a project in it; the program is started there. */
export function makePlace(folder, { files = {}, settings, isTrusted = true }) {
  const workspace = join(folder, 'gate');
  for (const [path, content] of Object.entries(files)) put(join(workspace, path), content);
  if (isTrusted)
    put(join(folder, '.gemini/trustedFolders.json'), JSON.stringify({ [workspace]: 'TRUST_FOLDER' }));
  if (settings) put(join(folder, '.gemini/settings.json'), JSON.stringify(settings));
  return workspace;
}

export async function startProgram(
  program,
  { folder, workspace, env = {}, args = [], cols = 96, rows = 28 },
) {
  const screen = await startScreen(process.execPath, [program, ...args], {
    cwd: workspace,
    cols,
    rows,
    env: { PATH: process.env.PATH, HOME: folder, TZ: 'UTC', LANG: 'C.UTF-8', COLORTERM: 'truecolor', ...env },
  });
  return {
    screen,
    see: (sight) => screen.waitFor(sight, LONG),
    /** Types a line and sends it when all of it is there. */
    async say(line) {
      screen.type(line);
      await screen.waitFor(`> ${line.slice(0, cols - 6)}`, LONG);
      screen.press('Enter');
    },
  };
}

export async function shoot(browser, screen, path, { isLight = false, title = 'gate' } = {}) {
  const context = await browser.newContext({
    deviceScaleFactor: 1.5,
    viewport: { width: 1000, height: 800 },
  });
  const tab = await context.newPage();
  await tab.setContent(pageOf(screen.cells(), screen.cursor(), isLight ? LIGHT : DARK, title));
  await tab.locator('main').screenshot({ path });
  await context.close();
}

function pageOf(rows, cursor, look, title) {
  const used = rows.findLastIndex((cells) => cells.some(({ text }) => text.trim() !== '')) + 1;
  const body = rows
    .slice(0, used)
    .map((cells, row) => `<div>${rowOf(cells, row === cursor.row ? cursor.column : -1, look)}</div>`);
  return `<!doctype html><meta charset="utf-8"><style>
    body { margin: 0 }
    main { display: inline-block; background: ${look.background}; border-radius: 8px; overflow: hidden }
    header { height: 26px; background: ${look.bar}; color: #8a90a0; text-align: center; font: 12px/26px sans-serif }
    pre { margin: 12px 14px 14px; color: ${look.text}; font: 14px/16px "DejaVu Sans Mono", monospace }
    div { height: 16px; white-space: pre }
    span { display: inline-block; height: 16px; overflow: hidden; vertical-align: top }
  </style><main><header>${title}</header><pre>${body.join('')}</pre></main>`;
}

function rowOf(cells, cursorColumn, look) {
  const runs = [];
  let column = 0;
  for (const cell of cells) {
    const style = styleOf(cell, column === cursorColumn && !cell.inverse, look);
    const last = runs.at(-1);
    if (last && last.style === style && cell.width === 1) {
      last.text += cell.text;
      last.width++;
    } else runs.push({ style, text: cell.text, width: cell.width, color: colourOf(cell.color) ?? look.text });
    column += cell.width;
  }
  return runs.map(spanOf).join('');
}

/** Half blocks are painted: those of a font leave gaps between rows. */
function spanOf({ style, text, width, color }) {
  const half = /^▄+$/.test(text) ? 'to top' : /^▀+$/.test(text) ? 'to bottom' : undefined;
  const look = half ? `background:linear-gradient(${half}, ${color} 50%, transparent 50%)` : style;
  return `<span style="width:${width}ch;${look}">${half ? '' : escaped(text)}</span>`;
}

function styleOf(cell, isCursor, look) {
  let [color, background] = [colourOf(cell.color) ?? look.text, colourOf(cell.background)];
  if (cell.inverse || isCursor) [color, background] = [background ?? look.background, color];
  return [
    `color:${color}`,
    background && `background:${background}`,
    cell.bold && 'font-weight:bold',
    cell.dim && 'opacity:.6',
    cell.italic && 'font-style:italic',
    (cell.underline || cell.strike) && `text-decoration:${cell.strike ? 'line-through' : 'underline'}`,
  ]
    .filter(Boolean)
    .join(';');
}

const BASIC = [
  '#000',
  '#c33',
  '#3a3',
  '#b80',
  '#48d',
  '#a4c',
  '#2aa',
  '#bbb',
  '#666',
  '#f66',
  '#6d6',
  '#fd5',
  '#7bf',
  '#d8f',
  '#5dd',
  '#fff',
];

function colourOf(value) {
  if (typeof value !== 'number') return value;
  if (value < 16) return BASIC[value];
  if (value >= 232) return `rgb(${[0, 0, 0].map(() => 8 + (value - 232) * 10)})`;
  const step = (part) => (part === 0 ? 0 : 55 + part * 40);
  const index = value - 16;
  return `rgb(${[Math.floor(index / 36), Math.floor(index / 6) % 6, index % 6].map(step)})`;
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

function put(path, content) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
