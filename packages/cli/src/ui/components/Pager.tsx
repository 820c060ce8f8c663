/** Text to read, with nothing to answer. */
import { isCommand } from '../keys/bindings.js';
import type { Key } from '../keys/key.js';
import { DialogFrame, type DialogFrameProps } from './DialogFrame.js';
import { useRoom } from './Room.js';
import { ScrollBox } from './ScrollBox.js';
import { useDialogKeys } from './use-dialog-keys.js';
import { useHeight } from './use-height.js';
import { useScroll } from './use-scroll.js';

export interface PagerProps extends DialogFrameProps {
  onClose(): void;
}

export function Pager({
  children,
  onClose,
  footer = { cancelAction: 'Esc to close' },
  ...frame
}: PagerProps) {
  return (
    <DialogFrame {...frame} footer={footer}>
      <Page onClose={onClose}>{children}</Page>
    </DialogFrame>
  );
}

function Page({ children, onClose }: Pick<PagerProps, 'children' | 'onClose'>) {
  const { rows } = useRoom();
  const { ref, height } = useHeight();
  const scroll = useScroll(height, rows);
  useDialogKeys({
    onKey: (key) => {
      if (scroll.handle(key)) return true;
      const step = stepOf(key);
      if (step !== 0) scroll.moveTo(scroll.top + step);
      else if (isCommand(key, 'basic.cancel') || isCommand(key, 'basic.confirm')) onClose();
      else return false;
      return true;
    },
  });
  return (
    <ScrollBox scroll={scroll} total={height} contentRef={ref}>
      {children}
    </ScrollBox>
  );
}

function stepOf(key: Key): number {
  if (isCommand(key, 'nav.dialog.down')) return 1;
  return isCommand(key, 'nav.dialog.up') ? -1 : 0;
}
