import { expect, it } from 'vitest';
import type { HookRow } from '../../../output/hooks-text.js';
import { key } from '../../testing/keys.test-helper.js';
import { flawsOf, HOSTILE, openDialog } from '../open-dialog.test-helper.js';
import { HooksDialog } from './HooksDialog.js';
import type { HooksPort } from './port.js';

const row = (name: string, more: Partial<HookRow> = {}): HookRow => ({
  event: 'BeforeTool',
  name,
  source: 'project',
  matcher: 'write_file',
  command: `node ${name}.mjs`,
  timeout: 5000,
  sequential: false,
  enabled: true,
  ...more,
});

/** Keeps the states in memory. */
function portWith(rows: HookRow[], { stays = [] as string[], problems = 0 } = {}): HooksPort {
  const set = (at: number, enabled: boolean) => {
    rows[at] = { ...(rows[at] as HookRow), enabled };
  };
  return {
    list: () => [...rows],
    set: async (at, enabled) => {
      if (stays.length === 0) set(at, enabled);
      return stays;
    },
    setAll: async (enabled) => {
      for (const at of rows.keys()) set(at, enabled);
      return [];
    },
    problems: () => problems,
  };
}

it('shows event, name, source, matcher, command, timeout and whether each hook is enabled', async () => {
  const port = portWith([row('guard'), row('tests', { event: 'AfterAgent', enabled: false })]);
  const { lastFrame, shows } = await openDialog(HooksDialog, { props: { port } });
  await shows('Hooks · 1 of 2 enabled');
  expect(lastFrame()).toMatch(/● \[x\] BeforeTool: guard/);
  expect(lastFrame()).toContain('source: project, matcher: write_file, timeout: 5 s');
  expect(lastFrame()).toContain('node guard.mjs');
  expect(lastFrame()).toMatch(/\[ \] AfterAgent: tests/);
});

it('Space toggles the marked hook; e and d switch all', async () => {
  const port = portWith([row('guard'), row('tests')]);
  const { press, shows } = await openDialog(HooksDialog, { props: { port } });
  await press(key('down'), key(' '));
  await shows(/\[x\] BeforeTool: guard[\s\S]*● \[ \] BeforeTool: tests/);
  await press(key('d'));
  await shows('0 of 2 enabled');
  await press(key('e'));
  await shows('2 of 2 enabled');
});

it('says when the system settings keep a hook disabled', async () => {
  const port = portWith([row('guard', { enabled: false })], { stays: ['guard'] });
  const { press, shows } = await openDialog(HooksDialog, { props: { port } });
  await press(key(' '));
  await shows('The system settings keep disabled: guard');
});

it('Esc closes it, and problems lead to the doctor', async () => {
  const port = portWith([row('guard')], { problems: 2 });
  const { press, shows, closed } = await openDialog(HooksDialog, { props: { port } });
  await shows('gemini doctor');
  await press(key('escape'));
  expect(closed).toEqual([undefined]);
});

it.each([
  [20, 5],
  [40, 10],
  [120, 24],
])('fits %i columns and %i rows, whatever hooks are called', async (width, height) => {
  const hostile = row(HOSTILE, { command: HOSTILE, description: HOSTILE, matcher: HOSTILE });
  const port = portWith(Array.from({ length: 50 }, () => hostile));
  const { lastFrame, press } = await openDialog(HooksDialog, { props: { port }, width, height });
  await press(key('down'), key('down'));
  expect(flawsOf(lastFrame(), width, height)).toEqual([]);
});
