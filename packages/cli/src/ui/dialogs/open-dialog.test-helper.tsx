/** Draws one dialog in a test and records how it was closed. */
import { onTestFinished, vi } from 'vitest';
import { type Rendered, renderWithProviders } from '../testing/render-with-providers.test-helper.js';
import { widthOf } from '../text/columns.js';
import type { AnyDialog } from './registry.js';
import { type TestServices, type TestSettings, testServices } from './services.test-helper.js';

/** The first frame loads much; a busy machine takes its time. */
vi.setConfig({ testTimeout: 60_000 });

export interface OpenOptions {
  props?: object;
  services?: Partial<TestServices>;
  files?: TestSettings;
  width?: number;
  height?: number;
  screenReader?: boolean;
}

export interface OpenDialog extends Rendered {
  services: TestServices;
  /** What each `close` was given. */
  closed: unknown[];
  /** Waits until the frame shows this. */
  shows(text: string | RegExp): Promise<void>;
  until(holds: () => boolean): Promise<void>;
}

export async function openDialog(Dialog: AnyDialog, options: OpenOptions = {}): Promise<OpenDialog> {
  const { props = {}, width = 80, height = 24, screenReader = false, files } = options;
  const services = testServices(options.services, files);
  const closed: unknown[] = [];
  const node = (
    <Dialog services={services} props={props as never} close={(result?: unknown) => closed.push(result)} />
  );
  const screen = await renderWithProviders(node, { uiState: { terminalWidth: width, screenReader }, height });
  onTestFinished(() => {
    screen.unmount();
    services.remove();
  });
  const until = (holds: () => boolean) =>
    vi.waitFor(
      () => {
        if (!holds()) throw new Error(`Not yet. The frame:\n${screen.lastFrame()}`);
      },
      { timeout: 20_000, interval: 5 },
    );
  const shows = (text: string | RegExp) =>
    until(() =>
      typeof text === 'string' ? screen.lastFrame().includes(text) : text.test(screen.lastFrame()),
    );
  return { ...screen, services, closed, shows, until };
}

/** What is wrong with a frame: too high, too wide, control characters. */
export function flawsOf(frame: string, width: number, height: number): string[] {
  const lines = frame.split('\n');
  const wide = lines.filter((line) => widthOf(line) > width);
  return [
    ...(lines.length > height ? [`${lines.length} rows`] : []),
    ...wide.map((line) => `too wide: ${line}`),
    ...(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u200b]/.test(frame)
      ? ['control characters']
      : []),
  ];
}

/** Put into every text that comes from outside. */
export const HOSTILE = 'evil\x1b[2J\x1b]52;c;aGk=\x07\u202e\u200b\r\n\tend';
