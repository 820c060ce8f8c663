import { expect, it } from 'vitest';
import type { InputEvent } from '../../keys/key.js';
import { HeldKeys } from './held-keys.js';

const KEY: InputEvent = {
  kind: 'key',
  name: '3',
  text: '3',
  ctrl: false,
  alt: false,
  shift: false,
  cmd: false,
  sequence: '3',
};

function held(isDialogOpen: () => boolean) {
  const replayed: InputEvent[] = [];
  const keys = new HeldKeys({ isDialogOpen, replay: (events) => replayed.push(...events) });
  return { keys, replayed };
}

it('keys wait until the dialog of the command is drawn', async () => {
  const { keys, replayed } = held(() => true);
  const done = keys.duringCommand(Promise.resolve());
  keys.keep(KEY);
  await Promise.resolve();
  expect(keys.isHolding).toBe(true);
  expect(replayed).toEqual([]);
  keys.dialogReady();
  await done;
  expect(keys.isHolding).toBe(false);
  expect(replayed).toEqual([KEY]);
});

it('without a dialog they go on as soon as the command is done', async () => {
  const { keys, replayed } = held(() => false);
  const done = keys.duringCommand(Promise.resolve());
  keys.keep(KEY);
  await done;
  expect(replayed).toEqual([KEY]);
});

it('a command that takes long, or fails, does not hold the keys', async () => {
  const { keys, replayed } = held(() => false);
  const long = keys.duringCommand(new Promise(() => undefined));
  keys.keep(KEY);
  await long;
  const failed = keys.duringCommand(Promise.reject(new Error('no')));
  keys.keep(KEY);
  await failed;
  expect(replayed).toEqual([KEY, KEY]);
});
