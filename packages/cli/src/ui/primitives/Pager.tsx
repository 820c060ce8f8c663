/** Text to read, with nothing to answer. */
import { isCommand } from '../keys/bindings.js';
import { useLook } from '../use-look.js';
import { Frame } from './Frame.js';
import { innerHeight } from './frame-lines.js';
import { scrollKey, scrollLines } from './scroll.js';
import { useDialogInput } from './use-dialog-input.js';
import { useLiveState } from './use-live-state.js';

export interface PagerProps {
  title: string;
  note?: string | undefined;
  /** Drawn already, in `innerWidth` columns. */
  lines: readonly string[];
  height: number;
  hint?: readonly string[];
  onClose(): void;
}

export function Pager({
  title,
  note,
  lines,
  height,
  hint = ['Esc to close', 'PageDown to scroll'],
  onClose,
}: PagerProps) {
  const look = useLook();
  const top = useLiveState(0);
  const rows = innerHeight(look, height);
  useDialogInput({
    onKey: (key) => {
      const next = scrollKey(key, top.now, lines.length, rows) ?? stepKey(key, top.now);
      if (next !== undefined) top.set(Math.max(0, Math.min(next, Math.max(0, lines.length - rows + 1))));
      else if (isCommand(key, 'basic.cancel') || isCommand(key, 'basic.confirm')) onClose();
      else return false;
      return true;
    },
  });
  return (
    <Frame
      title={title}
      note={note}
      hint={hint}
      lines={scrollLines(look, lines, top.now, rows)}
      height={height}
    />
  );
}

function stepKey(key: Parameters<typeof isCommand>[0], top: number): number | undefined {
  if (isCommand(key, 'nav.dialog.down')) return top + 1;
  return isCommand(key, 'nav.dialog.up') ? top - 1 : undefined;
}
