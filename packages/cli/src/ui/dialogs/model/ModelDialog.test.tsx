import { expect, it } from 'vitest';
import { key } from '../../testing/keys.test-helper.js';
import { flawsOf, HOSTILE, openDialog } from '../open-dialog.test-helper.js';
import { ModelDialog } from './ModelDialog.js';
import type { ModelPort } from './models.js';

const PORT: ModelPort = {
  requested: 'auto',
  list: () => [
    {
      name: 'auto',
      displayName: 'Auto (Gemini 3)',
      description: 'Chosen for each prompt.',
      isAuto: true,
      uses: ['pro-3', 'flash-3'],
    },
    { name: 'pro-3', displayName: 'Gemini Pro', description: '', isAuto: false },
    { name: 'flash-3', displayName: 'Gemini Flash', description: 'Fast.', isAuto: false },
  ],
  others: async () => ({ entries: [], problems: [] }),
  quota: async () => [{ model: 'pro-3', remainingFraction: 0.25, resetTime: '2026-11-16T00:00:00Z' }],
};

it('the list offers auto with its models, and the entry for single models', async () => {
  const { lastFrame } = await openDialog(ModelDialog, { props: { port: PORT } });
  expect(lastFrame()).toContain('● 1. Auto (Gemini 3)');
  expect(lastFrame()).toContain('Uses pro-3, flash-3.');
  expect(lastFrame()).toContain('2. Manual');
});

it('each model shows its remaining quota and can be chosen', async () => {
  const { press, shows, services, until, closed, lastFrame } = await openDialog(ModelDialog, {
    props: { port: PORT },
  });
  await press(key('2'));
  await shows('25% left');
  expect(lastFrame()).toContain('███░░░░░░░ 25% left, resets');
  await press(key('2'));
  await until(() => closed.length > 0);
  expect(services.calls).toEqual(['switchModel:flash-3']);
  expect(closed).toEqual(['flash-3']);
});

it('Tab saves the choice for later sessions', async () => {
  const { press, shows, services, until, closed } = await openDialog(ModelDialog, { props: { port: PORT } });
  await press(key('tab'));
  await shows('Remember for future sessions: yes');
  await press(key('1'));
  await until(() => closed.length > 0);
  expect(services.calls).toEqual(['switchModel:auto', 'changeSetting:user,model.name,auto']);
});

it('an unusable model is reported and not saved', async () => {
  const { press, shows, services } = await openDialog(ModelDialog, {
    props: { port: PORT },
    services: { switchModel: async () => 'There is no key for it.' },
  });
  await press(key('tab'), key('1'));
  await shows('There is no key for it.');
  expect(services.calls).toEqual([]);
});

it('the single model in use is named, and Esc goes back before it closes', async () => {
  const { press, lastFrame, closed } = await openDialog(ModelDialog, {
    props: { port: { ...PORT, requested: 'flash-3' } },
  });
  expect(lastFrame()).toContain('● 2. Manual (flash-3)');
  await press(key('enter'));
  expect(lastFrame()).toContain('● 2. Gemini Flash');
  await press(key('escape'));
  expect(closed).toEqual([]);
  await press(key('escape'));
  expect(closed).toEqual([undefined]);
});

it('the dialog opens before the engine is up', async () => {
  const { lastFrame, press, closed } = await openDialog(ModelDialog);
  expect(lastFrame()).toContain('not known before');
  await press(key('enter'), key('escape'));
  expect(closed).toEqual([undefined]);
});

it.each([
  [40, 10],
  [80, 24],
  [120, 24],
])('the dialog fits %i columns and %i rows', async (width, height) => {
  const list = () =>
    Array.from({ length: 60 }, (_, at) => ({
      name: `${HOSTILE}${at}`,
      displayName: `${HOSTILE}${at}`,
      description: 'x'.repeat(10_000),
      isAuto: false,
    }));
  const { press, lastFrame } = await openDialog(ModelDialog, {
    width,
    height,
    props: { port: { ...PORT, list } },
  });
  expect(flawsOf(lastFrame(), width, height)).toEqual([]);
  await press(key('enter'));
  expect(flawsOf(lastFrame(), width, height)).toEqual([]);
  expect(lastFrame()).toContain('evil');
});

it('a screen reader gets only words', async () => {
  const { lastFrame, press, shows } = await openDialog(ModelDialog, {
    props: { port: PORT },
    screenReader: true,
  });
  await press(key('2'));
  await shows('25% left');
  expect(lastFrame()).not.toMatch(/[╭╮│╰╯●█░]/);
});

const OTHERS: ModelPort['others'] = async () => ({
  entries: [
    {
      name: 'openai/gpt-5',
      displayName: 'openai/gpt-5',
      description: '',
      isAuto: false,
      contextWindow: 400_000,
      price: { input: 1.25, output: 10 },
    },
    {
      name: 'ollama/qwen3',
      displayName: 'ollama/qwen3',
      description: 'On this machine, http://localhost:11434/v1',
      isAuto: false,
      price: { input: 0, output: 0 },
    },
  ],
  problems: ['anthropic: connection refused'],
});

it('models of every provider that can be used are listed with prices and windows', async () => {
  const { press, shows, lastFrame } = await openDialog(ModelDialog, {
    props: { port: { ...PORT, others: OTHERS } },
    height: 40,
  });
  await press(key('2'));
  await shows('openai/gpt-5');
  expect(lastFrame()).toContain('$1.25 in, $10 out per million tokens · 400k context');
  expect(lastFrame()).toContain('On this machine, http://localhost:11434/v1 · free');
  expect(lastFrame()).toContain('anthropic: connection refused');
});

it('typing searches, Enter takes what was found, and Esc shows all again', async () => {
  const { press, shows, lastFrame, services, until, closed } = await openDialog(ModelDialog, {
    props: { port: { ...PORT, others: OTHERS } },
    height: 40,
  });
  await press(key('2'));
  await shows('ollama/qwen3');
  await press(key('q'), key('w'));
  await shows('Search: qw');
  expect(lastFrame()).not.toContain('gpt-5');
  await press(key('escape'));
  await shows('gpt-5');
  await press(key('g'), key('p'), key('t'), key('-'), key('5'));
  await shows('● openai/gpt-5');
  await press(key('x'));
  await shows('Nothing matches: gpt-5x');
  await press(key('backspace'), key('enter'));
  await until(() => closed.length > 0);
  expect(services.calls).toEqual(['switchModel:openai/gpt-5']);
});
