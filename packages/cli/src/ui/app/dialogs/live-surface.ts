/** Ink, while a question or a dialog is open. It is loaded with the first of them, and before that when nothing else is to do. */
import type { FrameSize } from '../../../terminal/frame-writer.js';
import type { InkSurface } from '../../ink-surface.js';
import type { LiveProps } from '../../Live.js';
import type { Store } from '../../store/store.js';

export interface LiveSurfaceOptions {
  store: Store;
  size: () => FrameSize;
  props: LiveProps;
  onFrame: () => void;
  /** It cannot be shown: what was open must be closed, or it would be tried for ever. */
  onFailure: (error: unknown) => void;
}

export class LiveSurface {
  private surface: InkSurface | undefined;
  private isOpening = false;

  constructor(private readonly options: LiveSurfaceOptions) {
    options.store.subscribe(() => this.update());
  }

  current(): InkSurface | undefined {
    return this.surface;
  }

  async preload(): Promise<void> {
    await import('../../Live.js');
  }

  resized(): void {
    this.surface?.resized();
  }

  close(): void {
    this.surface?.unmount();
    this.surface = undefined;
  }

  private isWanted(): boolean {
    const { confirmation, dialog } = this.options.store.getState();
    return confirmation !== undefined || dialog !== undefined;
  }

  private update(): void {
    if (!this.isWanted()) this.close();
    else if (!this.surface && !this.isOpening) void this.open();
  }

  private async open(): Promise<void> {
    this.isOpening = true;
    try {
      const { mountLive } = await import('../../Live.js');
      if (!this.isWanted()) return;
      const { size, props, onFrame } = this.options;
      this.surface = mountLive(props, size, onFrame);
      onFrame();
    } catch (error) {
      this.options.onFailure(error);
    } finally {
      this.isOpening = false;
    }
  }
}
