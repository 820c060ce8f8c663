/** Draws a component to a frame of text, with the context that the app gives it. For tests. */
import type { ReactNode } from 'react';
import { RowsContext } from '../components/Room.js';
import { mountInk } from '../ink-surface.js';
import type { InputEvent } from '../keys/key.js';
import { KeyScope, KeyScopeContext } from '../keys/key-scope.js';
import { InputRouter } from '../keys/router.js';
import type { Look } from '../look.js';
import { LookContext } from '../use-look.js';
import { StreamingContext, type UIState } from '../use-ui-state.js';
import { plainLook } from './plain-look.test-helper.js';

export interface RenderOptions {
  /** What differs from the usual: Markdown, streaming, the width, the theme, a screen reader, … */
  uiState?: Partial<Look & UIState>;
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
  const { terminalWidth, streamingState = 'idle', ...state } = options.uiState ?? {};
  const width = terminalWidth ?? state.width ?? 80;
  const rows = options.height ?? 40;
  const look: Look = { ...plainLook(width), ...state, width };
  const router = new InputRouter();
  const keys = new KeyScope(router);
  const wrapped = (child: ReactNode) => (
    <KeyScopeContext.Provider value={keys}>
      <LookContext.Provider value={look}>
        <StreamingContext.Provider value={streamingState}>
          <RowsContext.Provider value={rows}>{child}</RowsContext.Provider>
        </StreamingContext.Provider>
      </LookContext.Provider>
    </KeyScopeContext.Provider>
  );
  const surface = mountInk(wrapped(node), {
    size: () => ({ columns: width, rows }),
    onFrame: () => undefined,
    hasAttributes: look.hasAttributes,
  });
  const settle = async () => {
    for (let round = 0; round < 5; round++) await new Promise((resolve) => setImmediate(resolve));
  };
  await settle();
  return {
    lastFrame: () => surface.lines().join('\n'),
    press: async (...events) => {
      for (const event of events) {
        router.dispatch(event);
        surface.flush();
      }
      await settle();
    },
    settle,
    rerender: (next) => surface.rerender(wrapped(next)),
    unmount: () => surface.unmount(),
  };
}
