/** A process of a fleet under test: a worker, or a reader of one stream. Started by `fleet.test-helper.ts`. */
import { processVariables, setLogSink } from '@gemini-cli/core';
import { createTurnRunner } from '../../turns/turn-runner.js';
import { openScaledService } from '../open-scaled-service.js';

if (process.env['DEBUG']) setLogSink((level, area, message) => console.error(level, area, message));
if (process.env['FLEET_CLOCK_JUMPS']) letClockJump();
const [, , mode = '', ...words] = process.argv;
const url = process.env['CODER_AGENT_DATABASE_URL'] ?? '';
const runner = createTurnRunner({ env: processVariables(), cwd: process.cwd() });

if (mode === 'worker') {
  const labels = words.filter((word) => word !== '');
  const concurrency = Number(process.env['FLEET_CONCURRENCY'] ?? '10');
  const lease = process.env['FLEET_LEASE_MS'];
  const times = lease ? { leaseMs: Number(lease) } : {};
  const { service } = await openScaledService({
    url,
    role: 'worker',
    labels,
    runner,
    concurrency,
    ...times,
  });
  const drainMs = Number(process.env['FLEET_DRAIN_MS'] ?? '10000');
  process.on('SIGTERM', async () => {
    await service.close({ drainMs });
    process.exit(0);
  });
  console.log('ready');
} else {
  const [taskId = '', after] = words;
  const { service } = await openScaledService({ url, role: 'api', runner });
  const { signal } = new AbortController();
  for await (const { id } of service.events(taskId, { ...(after && { after }), signal })) console.log(id);
  console.log('end');
  process.exit(0);
}

function letClockJump(): void {
  const { now } = Date;
  const started = performance.now();
  const DAY = 86_400_000;
  Date.now = () => now() + (Math.floor((performance.now() - started) / 200) % 2 ? DAY : -DAY);
}
