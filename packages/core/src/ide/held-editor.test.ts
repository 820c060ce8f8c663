import { expect, it, onTestFinished, vi } from 'vitest';
import type { Environment } from '../platform/environment.js';
import { createIde } from './create.js';
import { holdEditor, takeEditor } from './held-editor.js';

function scene() {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const environment: Environment = { variables: {}, cwd: '/', home: '/' };
  const client = createIde(environment, () => undefined);
  return { environment, client, disconnected: vi.spyOn(client, 'disconnect') };
}

it('gives a connection to one session of the same folder', () => {
  const { environment, client, disconnected } = scene();
  holdEditor(environment, client);
  expect(takeEditor({ ...environment })).toBeUndefined();
  expect(takeEditor(environment)).toBe(client);
  expect(takeEditor(environment)).toBeUndefined();
  vi.advanceTimersByTime(60_000);
  expect(disconnected).not.toHaveBeenCalled();
});

it('ends a connection that no session takes over', () => {
  const { environment, client, disconnected } = scene();
  holdEditor(environment, client);
  vi.advanceTimersByTime(60_000);
  expect(disconnected).toHaveBeenCalledTimes(1);
  expect(takeEditor(environment)).toBeUndefined();
});
