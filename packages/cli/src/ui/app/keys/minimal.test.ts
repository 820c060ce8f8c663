import { ApprovalMode } from '@gemini-cli/core';
import { expect, it } from 'vitest';
import { initialState } from '../../store/state.js';
import { Store } from '../../store/store.js';
import { facts } from '../../testing/facts.test-helper.js';
import { key } from '../../testing/keys.test-helper.js';
import { minimalSwitch } from './minimal.js';

function made() {
  const store = new Store(initialState(facts, ApprovalMode.DEFAULT));
  const kept: boolean[] = [];
  let now = 0;
  const handle = minimalSwitch(
    store,
    () => now,
    (isMinimal) => kept.push(isMinimal),
  );
  const tabAt = (at: number) => {
    now = at;
    handle(key('tab'));
  };
  return { store, kept, handle, tabAt };
}

it('two quick Tabs switch the minimal screen on and off, and the choice is saved', () => {
  const { store, kept, tabAt } = made();
  tabAt(0);
  tabAt(350);
  expect(store.getState().isMinimal).toBe(true);
  tabAt(400);
  expect(store.getState().isMinimal).toBe(true);
  tabAt(500);
  expect(store.getState().isMinimal).toBe(false);
  expect(kept).toEqual([true, false]);
});

it('slow Tabs, and Tabs with another key between them, do nothing', () => {
  const { store, handle, tabAt } = made();
  tabAt(0);
  tabAt(351);
  handle(key('up'));
  tabAt(400);
  expect(store.getState().isMinimal).toBe(false);
});
