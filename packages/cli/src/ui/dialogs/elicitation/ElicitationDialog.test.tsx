import type { FormField } from '@gemini-cli/core';
import { expect, it } from 'vitest';
import { key } from '../../testing/keys.test-helper.js';
import { flawsOf, HOSTILE, openDialog } from '../open-dialog.test-helper.js';
import { ElicitationDialog } from './ElicitationDialog.js';

const FIELDS: FormField[] = [
  { name: 'name', title: 'Name', type: 'text', required: true, description: 'Who you are' },
  { name: 'age', title: 'Age', type: 'number', isInteger: true, required: false, initial: 7 },
  { name: 'ok', title: 'Agree', type: 'boolean', required: true },
  {
    ...{ name: 'pet', title: 'Pet', type: 'choice', required: false },
    options: [
      { value: 'c', label: 'Cat' },
      { value: 'd', label: 'Dog' },
    ],
  },
  { name: 'fish', title: 'Fish', type: 'choices', required: false, options: [{ value: 't', label: 'Tuna' }] },
];
const form = (fields = FIELDS, message = 'Fill this in') => ({
  question: { kind: 'mcp_elicitation', serverName: 'srv', message, mode: 'form', fields },
});
const page = (url: string) => ({
  question: { kind: 'mcp_elicitation', serverName: 'srv', message: 'Look', mode: 'url', url },
});
const typed = (text: string) => [...text].map((letter) => key(letter));

it('takes text, numbers, yes and no, and choices, and sends them with their types', async () => {
  const { press, shows, closed } = await openDialog(ElicitationDialog, { props: form() });
  await shows('Form of the MCP server srv');
  await press(...typed('Ada'), key('enter'));
  await shows('● Age: 7');
  await press(key('backspace'), ...typed('36'), key('enter'));
  await press(key(' '), key('enter'), key('right'), key('right'), key('enter'), key(' '));
  await shows('● Fish: [x] Tuna');
  await press(key('enter'), key('enter'));
  expect(closed).toEqual([
    { action: 'accept', content: { name: 'Ada', age: 36, ok: true, pet: 'd', fish: ['t'] } },
  ]);
});

it('names the first field that does not fit, and marks it', async () => {
  const { press, shows, closed } = await openDialog(ElicitationDialog, { props: form() });
  await press(key('up'), key('up'), key('enter'));
  await shows(/Name: a value is needed[\s\S]*● Name \(required\)/);
  await press(...typed('A'), key('down'), ...typed('x'), key('up'), key('up'), key('up'), key('enter'));
  await shows(/Age: this is not a number[\s\S]*● Age/);
  expect(closed).toEqual([]);
});

it('can be declined and cancelled', async () => {
  const { press, closed } = await openDialog(ElicitationDialog, { props: form() });
  await press(key('up'), key('enter'));
  await press(key('escape'));
  expect(closed).toEqual([{ action: 'decline' }, { action: 'cancel' }]);
});

it('asks before it opens a page, and shows all of its address', async () => {
  const { press, shows, closed } = await openDialog(ElicitationDialog, {
    props: page('https://a.example/x?y=1'),
  });
  await shows(/https:\/\/a\.example\/x\?y=1[\s\S]*Open a\.example in your browser\?/);
  await press(key('enter'));
  expect(closed).toEqual([{ action: 'accept' }]);
});

it.each([
  [20, 5],
  [40, 10],
  [120, 24],
])('fits %i columns and %i rows, whatever a server sends', async (width, height) => {
  const options = [{ value: 'a', label: HOSTILE }];
  const kinds: FormField[] = [
    { name: 'a', title: HOSTILE, type: 'text', required: true, description: HOSTILE, initial: HOSTILE },
    { name: 'b', title: HOSTILE, type: 'choice', required: false, options, initial: 'a' },
    { name: 'c', title: HOSTILE, type: 'choices', required: false, options },
  ];
  const fields = Array.from({ length: 30 }, (_, at) => ({ ...(kinds[at % 3] as FormField), name: `f${at}` }));
  const { lastFrame, press } = await openDialog(ElicitationDialog, {
    props: form(fields, HOSTILE),
    width,
    height,
  });
  await press(key('down'), key('down'));
  expect(flawsOf(lastFrame(), width, height)).toEqual([]);
});
