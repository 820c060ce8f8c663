/** Draws a component to a frame of text, with the surroundings the app gives it. For tests. */
import { EventEmitter } from 'node:events';
import { render } from 'ink';
import type { ReactNode } from 'react';
import type { InputEvent } from '../keys/key.js';
import { InputRouter } from '../keys/router.js';
import { InputContext } from '../keys/use-input-events.js';
import type { Look } from '../look.js';
import { LookContext } from '../use-look.js';
import { plainLook } from './plain-look.js';

export interface RenderOptions {
  /** The seed's name for what differs from the usual look. */
  uiState?: Partial<Look> & { terminalWidth?: number };
  height?: number;
}

export interface Rendered {
  lastFrame(): string;
  /** Sends keys as if typed; resolves when the screen has settled. */
  press(...events: InputEvent[]): Promise<void>;
  settle(): Promise<void>;
  rerender(node: ReactNode): void;
  unmount(): void;
}

export async function renderWithProviders(node: ReactNode, options: RenderOptions = {}): Promise<Rendered> {
  const { terminalWidth, ...state } = options.uiState ?? {};
  const width = terminalWidth ?? state.width ?? 80;
  const look: Look = { ...plainLook(width), ...state, width };
  const router = new InputRouter();
  const stdout = new FrameCatcher(width, options.height ?? 40);
  const wrapped = (child: ReactNode) => (
    <InputContext.Provider value={router}>
      <LookContext.Provider value={look}>{child}</LookContext.Provider>
    </InputContext.Provider>
  );
  const instance = render(wrapped(node), {
    // A test reads frames, not a terminal: the few members Ink uses are enough.
    stdout: stdout as unknown as NodeJS.WriteStream,
    debug: true,
    exitOnCtrlC: false,
    patchConsole: false,
  });
  const settle = async () => {
    for (let round = 0; round < 5; round++) await new Promise((resolve) => setImmediate(resolve));
  };
  await settle();
  return {
    lastFrame: () => stdout.last,
    press: async (...events) => {
      for (const event of events) {
        router.dispatch(event);
        await settle();
      }
    },
    settle,
    rerender: (next) => instance.rerender(wrapped(next)),
    unmount: () => instance.unmount(),
  };
}

class FrameCatcher extends EventEmitter {
  last = '';
  constructor(
    readonly columns: number,
    readonly rows: number,
  ) {
    super();
  }
  write(frame: string): boolean {
    this.last = frame;
    return true;
  }
}
