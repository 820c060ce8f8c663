import { expect, it } from 'vitest';
import { key } from '../../testing/keys.test-helper.js';
import { flawsOf, HOSTILE, openDialog } from '../open-dialog.test-helper.js';
import { SituationDialog } from './SituationDialog.js';
import type { Situation } from './situations.js';

const cases: [Situation, string[], string][] = [
  [
    {
      kind: 'quota',
      model: 'pro',
      reason: 'The daily quota is used up.',
      fallback: 'flash',
      canUpgrade: true,
    },
    ['Switch to flash', 'Upgrade for higher limits', 'Stop'],
    'stop',
  ],
  [
    { kind: 'unavailable', model: 'pro', reason: 'No such model.', fallback: 'flash' },
    ['Switch to flash', 'Stop'],
    'stop',
  ],
  [{ kind: 'capacity', model: 'pro', reason: 'Overloaded.' }, ['Keep trying', 'Stop'], 'stop'],
  [
    { kind: 'capacity', model: 'pro', reason: 'Overloaded.', fallback: 'flash' },
    ['Keep trying', 'Switch to flash', 'Stop'],
    'stop',
  ],
  [
    { kind: 'credits', model: 'pro', reason: 'r', fallback: 'flash', hasCredits: true },
    ['Use AI credits', 'Manage AI credits', 'Switch to flash', 'Stop'],
    'stop',
  ],
  [
    { kind: 'credits', model: 'pro', reason: 'r', fallback: 'flash', hasCredits: false },
    ['Buy AI credits', 'Switch to flash', 'Stop'],
    'stop',
  ],
  [{ kind: 'verification', hasLink: true }, ['Verify your account', 'Change authentication'], 'stop'],
  [{ kind: 'verification' }, ['Continue with the verified account', 'Change authentication'], 'stop'],
  [{ kind: 'blocked', hasAppeal: true }, ['Open the appeal form', 'Change authentication', 'Exit'], 'stop'],
  [{ kind: 'loop' }, ['Keep loop detection (stop)', 'Disable loop detection for this session'], 'stop'],
  [{ kind: 'logged_out' }, ['Sign in', 'Exit'], 'stop'],
  [
    { kind: 'policies', files: ['.gemini/policies/a.toml'], state: 'new', allowRules: 2 },
    ['Accept and Load', 'Ignore (Use Default Policies)'],
    'ignore',
  ],
  [
    { kind: 'agents', agents: [{ name: 'reviewer', description: 'd', file: 'f', state: 'new' }] },
    ['Acknowledge and Enable', 'Do not enable (Ask again next time)'],
    'ignore',
  ],
  [{ kind: 'admin' }, ['Restart'], 'restart'],
];

it.each(cases)('%j has its choices, and Esc is a safe answer', async (situation, labels, onEscape) => {
  const { lastFrame, press, closed } = await openDialog(SituationDialog, { props: { situation } });
  const shown = [...lastFrame().matchAll(/\d\. (.+?)\s*│/g)].map(([, label]) => label);
  expect(shown).toEqual(labels);
  await press(key('escape'));
  expect(closed).toEqual([onEscape]);
});

it('the dialog shows model and reason', async () => {
  const situation: Situation = {
    kind: 'quota',
    model: 'pro',
    reason: 'The daily quota is used up.',
    fallback: 'flash',
  };
  const { lastFrame, press, closed } = await openDialog(SituationDialog, { props: { situation } });
  for (const text of ['pro', 'daily quota', '/stats model']) expect(lastFrame()).toContain(text);
  await press(key('1'));
  expect(closed).toEqual(['retry_always']);
});

it.each([
  [40, 10],
  [120, 24],
])('the dialog fits %i columns and %i rows', async (width, height) => {
  const situation: Situation = {
    kind: 'quota',
    model: HOSTILE,
    reason: HOSTILE.repeat(200),
    fallback: HOSTILE,
  };
  const { lastFrame } = await openDialog(SituationDialog, { width, height, props: { situation } });
  expect(flawsOf(lastFrame(), width, height)).toEqual([]);
});
