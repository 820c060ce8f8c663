/** A sign-in step with a text field, which stays visible below a long text. */
import type { ReactNode } from 'react';
import type { DialogFooterProps } from '../../components/DialogFooter.js';
import { DialogFrame } from '../../components/DialogFrame.js';
import { ErrorText } from '../../components/ErrorText.js';
import { FillBox } from '../../components/FillBox.js';
import { MaxSizedBox } from '../../components/MaxSizedBox.js';
import { TextField } from '../../components/TextField.js';
import { isCommand } from '../../keys/bindings.js';

export interface FieldViewProps {
  title: string;
  footer: DialogFooterProps;
  problem: string;
  placeholder: string;
  isMasked?: boolean;
  onSubmit(text: string): void;
  onBack(): void;
  children?: ReactNode;
}

export function FieldView({ title, footer, problem, onSubmit, onBack, children, ...field }: FieldViewProps) {
  const input = (
    <TextField
      {...field}
      label="> "
      onSubmit={(text) => onSubmit(text.trim())}
      onKey={(key) => {
        const isCancel = isCommand(key, 'basic.cancel');
        if (isCancel) onBack();
        return isCancel;
      }}
    />
  );
  return (
    <DialogFrame title={title} footer={footer}>
      <FillBox foot={input}>
        <MaxSizedBox>
          <ErrorText text={problem} />
          {children}
        </MaxSizedBox>
      </FillBox>
    </DialogFrame>
  );
}
