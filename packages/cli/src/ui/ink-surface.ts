/**
 * Ink as a maker of frames: it lays out what has parts and focus, and hands each frame over as lines. What reaches the
 * terminal, and when, is the business of `FrameWriter` alone.
 */
import chalk from 'chalk';
import { render, setStringWidthFunction } from 'ink';
import type { ReactNode } from 'react';
import type { FrameSize } from '../terminal/frame-writer.js';
import { FrameStream, SilentKeyboard } from './ink-streams.js';
import { textWidth } from './text/width.js';

// Ink and what is drawn as lines agree on how wide a character is.
setStringWidthFunction(textWidth);

export interface InkSurface {
  /** The last frame. */
  lines(): readonly string[];
  /** Renders what has changed now, not in the next turn of the event loop: the next key sees the new state. */
  flush(): void;
  rerender(node: ReactNode): void;
  resized(): void;
  unmount(): void;
}

export interface InkSurfaceOptions {
  size: () => FrameSize;
  onFrame: () => void;
  /** Colours are translated for the terminal before Ink gets them (`useTheme`). */
  hasAttributes: boolean;
}

export function mountInk(node: ReactNode, { size, onFrame, hasAttributes }: InkSurfaceOptions): InkSurface {
  chalk.level = hasAttributes ? 3 : 0;
  const stdout = new FrameStream(size, onFrame);
  const instance = render(node, {
    stdout,
    stdin: new SilentKeyboard(),
    debug: true,
    // What is measured in one pass is laid out in the next: only the last of them is drawn, in a microtask.
    standardReactLayoutTiming: true,
    exitOnCtrlC: false,
    patchConsole: false,
  });
  let current = node;
  return {
    lines: () => stdout.lines,
    // React works off what is pending together with an update that Ink asks for synchronously. The element is the
    // same one, so nothing else is rendered.
    flush: () => instance.rerender(current),
    rerender: (next) => {
      current = next;
      instance.rerender(next);
    },
    resized: () => stdout.emit('resize'),
    unmount: () => {
      instance.unmount();
      instance.cleanup();
    },
  };
}
