import { expect, it } from 'vitest';
import { key } from '../../testing/keys.test-helper.js';
import { flawsOf, openDialog } from '../open-dialog.test-helper.js';
import { FooterDialog } from './FooterDialog.js';

it('items are toggled, moved and saved', async () => {
  const { press, lastFrame, services, until, closed } = await openDialog(FooterDialog);
  expect(lastFrame()).toContain('● [x] workspace');
  await press(key('right'), key('up'), key('space'));
  await press(key('enter'));
  await until(() => closed.length > 0);
  expect(services.calls[0]).toBe(
    'changeSetting:user,ui.footer.items,["workspace","sandbox","model-name","context-used","quota"]',
  );
  expect(services.calls[1]).toBe('changeSetting:user,ui.footer.showLabels,true');
});

it('the dialog starts with the current items, and r resets them', async () => {
  const { press, lastFrame, services } = await openDialog(FooterDialog, {
    files: { user: { ui: { footer: { items: ['auth'], showLabels: false } } } },
  });
  expect(lastFrame()).toMatch(/● \[x\] auth/);
  expect(lastFrame()).toContain('[ ] labels');
  await press(key('r'));
  expect(lastFrame()).toMatch(/● \[x\] workspace/);
  await press(key('escape'));
  expect(services.calls).toEqual([]);
});

it.each([
  [40, 10],
  [80, 24],
])('the dialog fits %i columns and %i rows', async (width, height) => {
  const { press, lastFrame } = await openDialog(FooterDialog, { width, height });
  for (let at = 0; at < 14; at++) {
    expect(flawsOf(lastFrame(), width, height)).toEqual([]);
    expect(lastFrame()).toContain('●');
    await press(key('down'));
  }
});

it('a screen reader gets only words', async () => {
  const { lastFrame } = await openDialog(FooterDialog, { screenReader: true });
  expect(lastFrame()).toContain('workspace: the folder, on, selected');
  expect(lastFrame()).not.toMatch(/[●[]/);
});
