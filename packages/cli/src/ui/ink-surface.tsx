/**
 * Ink as a maker of frames: it lays out what has parts and focus, and hands each frame over as lines. What reaches the
 * terminal, and when, is the business of `FrameWriter` alone.
 */
import { EventEmitter } from 'node:events';
import { render } from 'ink';
import type { ReactNode } from 'react';
import type { FrameSize } from '../terminal/frame-writer.js';

export interface InkSurface {
  /** The last frame. */
  lines(): readonly string[];
  resized(): void;
  unmount(): void;
}

export function mountInk(node: ReactNode, size: () => FrameSize, onFrame: () => void): InkSurface {
  const stdout = new FrameStream(size, onFrame);
  const instance = render(node, {
    // Ink uses these few members of a stream only, in the mode that writes whole frames.
    stdout: stdout as unknown as NodeJS.WriteStream,
    stdin: new EventEmitter() as unknown as NodeJS.ReadStream,
    debug: true,
    exitOnCtrlC: false,
    patchConsole: false,
  });
  return {
    lines: () => stdout.lines,
    resized: () => stdout.emit('resize'),
    unmount: () => {
      instance.unmount();
      instance.cleanup();
    },
  };
}

class FrameStream extends EventEmitter {
  lines: readonly string[] = [];

  constructor(
    private readonly size: () => FrameSize,
    private readonly onFrame: () => void,
  ) {
    super();
  }

  get columns(): number {
    return this.size().columns;
  }

  get rows(): number {
    return this.size().rows;
  }

  write(frame: string): boolean {
    this.lines = frame === '' ? [] : frame.split('\n');
    this.onFrame();
    return true;
  }
}
