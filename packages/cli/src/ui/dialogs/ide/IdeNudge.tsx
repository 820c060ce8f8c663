/** Asks once, in the terminal of a supported editor, whether to connect with it. */
import { Paragraph } from '../../components/Paragraph.js';
import { Question } from '../../components/Question.js';
import type { DialogProps } from '../dialog.js';

export interface IdeNudgeProps {
  editor: string;
  /** The companion runs already. */
  isInstalled: boolean;
}

export type IdeNudgeAnswer = 'yes' | 'no' | 'never';

const WHAT =
  'Connected, the model knows which files are open and what is selected, and proposed edits are also shown as diffs in the editor.';

export function IdeNudge({ props, close }: DialogProps<IdeNudgeProps, IdeNudgeAnswer>) {
  const { editor, isInstalled } = props;
  return (
    <Question<IdeNudgeAnswer>
      title={`Connect to ${editor}?`}
      items={[
        { value: 'yes', label: isInstalled ? 'Yes' : 'Yes, install the companion extension' },
        { value: 'no', label: 'No (esc)' },
        { value: 'never', label: "No, and don't ask again" },
      ]}
      onSelect={(answer) => close(answer)}
      onCancel={() => close('no')}
    >
      <Paragraph text={WHAT} />
    </Question>
  );
}
