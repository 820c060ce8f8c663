import { afterEach, expect, it, vi } from 'vitest';
import { Recorded } from '../recorded.test-helper.js';
import { ResourceMonitor } from './monitor.js';

afterEach(() => vi.useRealTimers());

it('measures memory and processor, and the event loop once it has run', async () => {
  const recorded = new Recorded();
  const monitor = new ResourceMonitor(recorded, undefined);
  await vi.waitFor(() => {
    monitor.sample('session');
    expect(recorded.measured('gemini_cli.event_loop.delay').length).toBeGreaterThan(0);
  }, 10_000);
  monitor.stop();
  const types = new Set(
    recorded.measured('gemini_cli.memory.usage').map(({ attributes }) => attributes['memory_type']),
  );
  expect(types).toEqual(new Set(['heap_used', 'heap_total', 'rss', 'external']));
  for (const { value } of recorded.measured('gemini_cli.memory.usage')) expect(value).toBeGreaterThan(0);
  for (const { value } of recorded.measured('gemini_cli.cpu.usage')) expect(value).toBeGreaterThanOrEqual(0);
  expect(recorded.measured('gemini_cli.event_loop.delay')).toMatchObject(
    ['p50', 'p95', 'p99'].map((percentile) => ({ attributes: { percentile, component: 'session' } })),
  );
});

it.each([
  ['250', 250],
  [undefined, 60_000],
  ['nonsense', 60_000],
  ['-5', 60_000],
  ['99999999999', 2 ** 31 - 1],
])('samples with GEMINI_MEMORY_MONITOR_INTERVAL=%s every %s ms', (text, interval) => {
  vi.useFakeTimers();
  const recorded = new Recorded();
  const monitor = new ResourceMonitor(recorded, text);
  vi.advanceTimersByTime(interval - 1);
  expect(recorded.measures).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(recorded.measures).not.toEqual([]);
  monitor.stop();
});
