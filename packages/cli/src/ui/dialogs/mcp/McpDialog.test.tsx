import { expect, it } from 'vitest';
import type { McpServerRow } from '../../../output/mcp-servers.js';
import { key } from '../../testing/keys.test-helper.js';
import { flawsOf, HOSTILE, openDialog } from '../open-dialog.test-helper.js';
import { McpDialog } from './McpDialog.js';
import type { McpPort } from './port.js';

const row = (name: string, more: Partial<McpServerRow> = {}): McpServerRow => ({
  name,
  status: 'connected' as McpServerRow['status'],
  target: `node ${name}.js`,
  transport: 'stdio',
  tools: [{ name: 'echo', description: 'Says it again' }],
  prompts: [],
  resources: [{ name: 'file:///a' }],
  ...more,
});
const OFF = 'disabled' as McpServerRow['status'];
const FAILED = 'disconnected' as McpServerRow['status'];

/** Keeps the states in memory. */
function portWith(rows: McpServerRow[], { block = undefined as string | undefined } = {}) {
  const restarted: string[] = [];
  let tell = () => {};
  const port: McpPort = {
    list: async () => [...rows],
    onChange: (listener) => {
      tell = listener;
      return () => {};
    },
    setEnabled: async (name, enabled) => {
      const at = rows.findIndex((item) => item.name === name);
      rows[at] = row(name, enabled ? {} : { status: OFF, reason: 'It is disabled.' });
      tell();
      return block;
    },
    restart: async (name) => void restarted.push(name),
  };
  return { port, restarted, change: () => tell() };
}

it('shows each server with its state, and what one offers', async () => {
  const rows = [
    row('files'),
    row('web', { status: FAILED, reason: 'It did not answer.', signIn: 'expired', extension: 'ext' }),
  ];
  const { lastFrame, press, shows } = await openDialog(McpDialog, { props: { port: portWith(rows).port } });
  await shows('MCP servers · 1 of 2 connected');
  expect(lastFrame()).toContain('● ✓ files: Ready (1 tool, 1 resource)');
  expect(lastFrame()).toContain('✗ web: Disconnected · from ext · OAuth: expired');
  expect(lastFrame()).toContain('It did not answer.');
  await press(key('enter'));
  await shows(/MCP server files · Ready[\s\S]*Tools \(1\)[\s\S]*- echo: Says it again[\s\S]*- file:\/\/\/a/);
  await press(key('escape'));
  await shows('1 of 2 connected');
});

it('Space enables and disables a server, r restarts it, Esc closes the panel', async () => {
  const { port, restarted } = portWith([row('files')]);
  const { press, shows, closed, until } = await openDialog(McpDialog, { props: { port } });
  await shows('● ✓ files');
  await press(key(' '));
  await shows('● ○ files: Disabled');
  await press(key(' '));
  await shows('● ✓ files: Ready');
  await press(key('r'));
  await until(() => restarted.length === 1);
  await press(key('escape'));
  expect(closed).toEqual([undefined]);
});

it('says why a server stays off, and follows changes', async () => {
  const rows = [row('files', { status: OFF })];
  const { port, change } = portWith(rows, { block: 'It is not in mcp.allowed.' });
  const { press, shows } = await openDialog(McpDialog, { props: { port } });
  await shows('○ files');
  await press(key(' '));
  await shows('It is not in mcp.allowed.');
  rows.push(row('second'));
  change();
  await shows('✓ second');
});

it.each([
  [20, 5],
  [40, 10],
  [120, 24],
])('fits %i columns and %i rows, whatever servers are called', async (width, height) => {
  const offers = [{ name: HOSTILE, description: HOSTILE }];
  const hostile = row(HOSTILE, { target: HOSTILE, description: HOSTILE, extension: HOSTILE, tools: offers });
  const rows = Array.from({ length: 30 }, () => hostile);
  const { port } = portWith(rows);
  const { lastFrame, press } = await openDialog(McpDialog, { props: { port }, width, height });
  await press(key('down'));
  expect(flawsOf(lastFrame(), width, height)).toEqual([]);
  await press(key('enter'));
  expect(flawsOf(lastFrame(), width, height)).toEqual([]);
});
