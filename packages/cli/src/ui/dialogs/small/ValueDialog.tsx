/** Asks for one value. Closes with the text, also an empty one; Esc closes with nothing. */
import type { ValueQuestion } from '../../../commands/extension-actions.js';
import { DialogFrame } from '../../components/DialogFrame.js';
import { ErrorText } from '../../components/ErrorText.js';
import { FillBox } from '../../components/FillBox.js';
import { Paragraph } from '../../components/Paragraph.js';
import { TextField } from '../../components/TextField.js';
import { isCommand } from '../../keys/bindings.js';
import { cleanLine, cleanText } from '../../text/clean.js';
import type { DialogProps } from '../dialog.js';

export interface ValueProps {
  question: ValueQuestion;
}

export function ValueDialog({ props: { question }, close }: DialogProps<ValueProps, string>) {
  const { title, detail = '', isSecret = false, initial = '', problem = '' } = question;
  return (
    <DialogFrame
      title={cleanLine(title)}
      footer={{ primaryAction: 'Enter to save', cancelAction: 'Esc to cancel' }}
    >
      <FillBox head={<ErrorText text={cleanLine(problem)} />}>
        {detail !== '' && <Paragraph text={cleanText(detail)} />}
        <TextField
          label="Value: "
          initial={initial}
          isMasked={isSecret}
          onSubmit={close}
          onKey={(key) => {
            const isCancel = isCommand(key, 'basic.cancel');
            if (isCancel) close();
            return isCancel;
          }}
        />
      </FillBox>
    </DialogFrame>
  );
}
