/** Ink, while a question or a dialog is open. It is loaded with the first of them, and before that when nothing else is to do. */
import type { FrameSize } from '../../../terminal/frame-writer.js';
import type { InkSurface } from '../../ink-surface.js';
import type { LiveProps } from '../../Live.js';
import type { Store } from '../../store/store.js';

export interface LiveSurfaceOptions {
  store: Store;
  size: () => FrameSize;
  /** After `onFailure` what was open must be closed, or it would be tried for ever. */
  props: LiveProps;
  onFrame: () => void;
}

export class LiveSurface {
  private surface: InkSurface | undefined;
  private isOpening = false;
  private isPreloaded = false;

  constructor(private readonly options: LiveSurfaceOptions) {
    options.store.subscribe(() => this.update());
  }

  current(): InkSurface | undefined {
    return this.surface;
  }

  /** A command is being typed that may open a dialog. The key is echoed first. */
  preload(): void {
    if (this.isPreloaded) return;
    this.isPreloaded = true;
    // A failure is reported when something is to be opened.
    setImmediate(() => import('../../Live.js').catch(() => undefined));
  }

  /** Until something is open: loads what draws it, and has it compiled. */
  async warmUp(): Promise<void> {
    const { warmUp } = await import('../../warm-up.js');
    const { props, size } = this.options;
    await warmUp(props, size, () => !this.isWanted());
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
      const { mountLive, loadDialog } = await import('../../Live.js');
      const { dialog } = this.options.store.getState();
      if (dialog) await loadDialog(dialog.name);
      if (!this.isWanted()) return;
      const { size, props, onFrame } = this.options;
      this.surface = mountLive(props, size, onFrame);
      onFrame();
    } catch (error) {
      this.options.props.onFailure(error);
    } finally {
      this.isOpening = false;
    }
  }
}
