/** Shows the components of a command (`custom_dialog`). */
import type { ReactNode } from 'react';
import { MaxSizedBox } from '../../components/MaxSizedBox.js';
import { Prose } from '../../components/Prose.js';
import { useDialogKeys } from '../../components/use-dialog-keys.js';
import { isCommand } from '../../keys/bindings.js';
import type { DialogProps } from '../dialog.js';

export interface CustomDialogProps {
  component: ReactNode;
}

export function CustomDialog({ props, close }: DialogProps<CustomDialogProps>) {
  useDialogKeys({
    onKey: (key) => {
      const isCancel = isCommand(key, 'basic.cancel');
      if (isCancel) close();
      return isCancel;
    },
  });
  return (
    <MaxSizedBox>
      <Prose>{props.component}</Prose>
    </MaxSizedBox>
  );
}
