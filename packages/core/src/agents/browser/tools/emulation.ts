/** Tools that change how the page is displayed and connected. */
import type { CDPSession } from 'playwright-core';
import { type BrowserToolEntry, browserTool } from '../browser-tool.js';
import { object } from './input.js';

/** Round trip in milliseconds, and kilobits per second down and up. */
const NETWORKS: Readonly<Record<string, readonly [number, number, number]>> = {
  'Slow 3G': [2_000, 400, 400],
  'Fast 3G': [562, 1_440, 675],
  'Slow 4G': [562, 1_440, 675],
  'Fast 4G': [165, 8_100, 1_350],
};

interface Emulation {
  networkConditions?: string;
  cpuThrottlingRate?: number;
  colorScheme?: 'dark' | 'light' | 'auto';
}

export const EMULATION_TOOLS: readonly BrowserToolEntry[] = [
  browserTool<{ width: number; height: number }>({
    name: 'resize_page',
    displayName: 'Resize Page',
    schema: object(
      {
        width: { type: 'integer', minimum: 1, maximum: 10_000 },
        height: { type: 'integer', minimum: 1, maximum: 10_000 },
      },
      ['width', 'height'],
    ),
    describe: ({ width, height }) => `Resize the page to ${width} × ${height}`,
    run: async (size, { session }) => {
      await session.selected().page.setViewportSize(size);
      return { text: `Resized the page to ${size.width}x${size.height}.`, pages: true };
    },
  }),
  browserTool<Emulation>({
    name: 'emulate',
    displayName: 'Emulate',
    schema: object({
      networkConditions: { type: 'string', enum: ['No emulation', 'Offline', ...Object.keys(NETWORKS)] },
      cpuThrottlingRate: { type: 'number', minimum: 1, maximum: 20 },
      colorScheme: { type: 'string', enum: ['dark', 'light', 'auto'] },
    }),
    describe: (params) => `Emulate ${JSON.stringify(params)}`,
    run: async ({ networkConditions, cpuThrottlingRate, colorScheme }, { session }) => {
      const { page, cdp } = session.selected();
      if (networkConditions !== undefined) await emulateNetwork(cdp, networkConditions);
      if (cpuThrottlingRate !== undefined)
        await cdp.send('Emulation.setCPUThrottlingRate', { rate: cpuThrottlingRate });
      if (colorScheme !== undefined)
        await page.emulateMedia({ colorScheme: colorScheme === 'auto' ? null : colorScheme });
      return { text: 'The emulation is set.' };
    },
  }),
];

async function emulateNetwork(cdp: CDPSession, name: string): Promise<void> {
  const [latency, down, up] = NETWORKS[name] ?? [0, -1, -1];
  const bytes = (kilobits: number) => (kilobits < 0 ? -1 : (kilobits * 1_000) / 8);
  await cdp.send('Network.enable');
  await cdp.send('Network.emulateNetworkConditions', {
    offline: name === 'Offline',
    latency,
    downloadThroughput: bytes(down),
    uploadThroughput: bytes(up),
  });
}
