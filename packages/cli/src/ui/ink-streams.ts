/** What Ink takes for a terminal: a screen that keeps the last frame, and a keyboard that is never pressed. */
import { Socket } from 'node:net';
import type { FrameSize } from '../terminal/frame-writer.js';

export class FrameStream extends Socket implements NodeJS.WriteStream {
  /** Ink hides and shows the cursor of a terminal; that is the frame writer's business. */
  readonly isTTY = false;
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

  /** In debug mode Ink writes each frame whole, without any escape sequence around it. */
  override write(frame: Uint8Array | string): boolean {
    const text = String(frame);
    this.lines = text === '' ? [] : text.split('\n');
    this.onFrame();
    return true;
  }

  getWindowSize(): [number, number] {
    return [this.columns, this.rows];
  }

  clearLine = unused;
  clearScreenDown = unused;
  cursorTo = unused;
  moveCursor = unused;
  hasColors = unused;
  getColorDepth = () => 1;
}

/** Ink must not touch the real one: keys are read, and raw mode is set, elsewhere. */
export class SilentKeyboard extends Socket implements NodeJS.ReadStream {
  readonly isTTY = false;
  readonly isRaw = false;

  setRawMode(): this {
    return this;
  }
}

function unused(): boolean {
  return true;
}
