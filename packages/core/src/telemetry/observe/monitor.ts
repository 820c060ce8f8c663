/** Samples the process: memory, CPU, delay of the event loop. */

import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { LONGEST_TIMER_MS } from '../../base/longest-timer.js';
import type { TelemetryRecorder } from '../record.js';

const DEFAULT_INTERVAL_MS = 60_000;
const PERCENTILES = [50, 95, 99] as const;

export class ResourceMonitor {
  private readonly delay: IntervalHistogram = monitorEventLoopDelay({ resolution: 20 });
  private readonly timer: NodeJS.Timeout;
  private cpu = process.cpuUsage();
  private sampledAt = performance.now();

  /** @param interval `GEMINI_MEMORY_MONITOR_INTERVAL`, milliseconds as text */
  constructor(
    private readonly recorder: TelemetryRecorder,
    interval: string | undefined,
  ) {
    this.delay.enable();
    this.timer = setInterval(() => this.sample('session'), intervalOf(interval));
    this.timer.unref();
  }

  /** @param component the phase of the program that the sample belongs to */
  sample(component: 'startup' | 'session' | 'shutdown'): void {
    const { heapUsed, heapTotal, rss, external } = process.memoryUsage();
    const memory = { heap_used: heapUsed, heap_total: heapTotal, rss, external };
    for (const [memory_type, bytes] of Object.entries(memory)) {
      this.recorder.histogram('gemini_cli.memory.usage', bytes, { memory_type, component });
    }
    this.recorder.histogram('gemini_cli.cpu.usage', this.cpuPercent(), { component });
    if (this.delay.count === 0) return;
    for (const percentile of PERCENTILES) {
      const ms = this.delay.percentile(percentile) / 1e6;
      this.recorder.histogram('gemini_cli.event_loop.delay', ms, { percentile: `p${percentile}`, component });
    }
    this.delay.reset();
  }

  stop(): void {
    clearInterval(this.timer);
    this.delay.disable();
  }

  private cpuPercent(): number {
    const now = performance.now();
    const { user, system } = process.cpuUsage(this.cpu);
    const elapsedMs = Math.max(now - this.sampledAt, 1);
    this.cpu = process.cpuUsage();
    this.sampledAt = now;
    return ((user + system) / 1000 / elapsedMs) * 100;
  }
}

function intervalOf(text: string | undefined): number {
  const ms = Number(text);
  return Number.isSafeInteger(ms) && ms > 0 ? Math.min(ms, LONGEST_TIMER_MS) : DEFAULT_INTERVAL_MS;
}
