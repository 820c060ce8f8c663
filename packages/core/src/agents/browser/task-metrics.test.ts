import { expect, it } from 'vitest';
import { BROWSER_TASKS } from '../../telemetry/catalog/produced-by.test-helper.js';
import { noTelemetry } from '../../telemetry/record.js';
import { browserHost, tempDir } from './browser-lab.test-helper.js';
import { browserStart } from './session-settings.js';
import { TaskMetrics } from './task-metrics.js';

it('a task that fails everywhere records every metric once', async () => {
  const home = tempDir();
  const recorded: string[] = [];
  const record = (name: string) => void recorded.push(name);
  const host = browserHost(home.path, {}, { recorder: { ...noTelemetry, count: record, histogram: record } });
  const metrics = new TaskMetrics(host, browserStart(host));
  metrics.opened(new Error('no browser'));
  metrics.offered(27);
  await metrics.closing(false, () => Promise.reject(new Error('it hangs')));
  home.cleanup();
  expect(recorded.sort()).toEqual([...BROWSER_TASKS.metrics].sort());
});
