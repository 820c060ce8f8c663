/** One suggestion of the memory inbox and its actions. */
import type { InboxAction, InboxItem } from '@gemini-cli/core';
import { Paragraph, paragraphRows } from '../../components/Paragraph.js';
import { Question } from '../../components/Question.js';
import { ScrollableDiffViewport } from '../../components/ScrollableDiffViewport.js';
import { useAction } from '../../components/use-action.js';
import { cleanLine, cleanText } from '../../text/clean.js';
import { wrapText } from '../../text/columns.js';
import { diffLines } from '../../tools/diff.js';
import { useLook, useTheme } from '../../use-look.js';

const LABELS: Readonly<Record<InboxAction, string>> = {
  promote_user: 'Move to Global',
  promote_workspace: 'Move to Project',
  apply: 'Apply',
  edit: 'Edit',
  dismiss: 'Dismiss',
};

export interface SuggestionProps {
  item: InboxItem;
  /** The result of the last action; empty: none. */
  message: string;
  onAction(action: InboxAction): Promise<void>;
  onBack(): void;
}

export function Suggestion({ item, message, onAction, onBack }: SuggestionProps) {
  const acting = useAction();
  return (
    <Question
      title={cleanLine(item.title)}
      note={cleanLine(item.subtitle)}
      footer={{ primaryAction: 'Enter to select', cancelAction: 'Esc to go back' }}
      items={item.actions.map((value) => ({ value, label: LABELS[value] }))}
      isActive={!acting.isRunning}
      onSelect={(action) => acting.run(() => onAction(action))}
      onCancel={onBack}
    >
      <SuggestedChange item={item} message={cleanLine(acting.problem || message)} />
    </Question>
  );
}

function SuggestedChange({ item, message }: Pick<SuggestionProps, 'item' | 'message'>) {
  const look = useLook();
  const theme = useTheme();
  const { preview, isDiff, files } = item;
  const problem = cleanLine(item.problem ?? '');
  const patch = isDiff ? diffLines({ fileDiff: preview, fileName: files[0] ?? 'memory.md' }, look) : [];
  return (
    <>
      {message !== '' && <Paragraph text={message} />}
      {problem !== '' && <Paragraph text={problem} color={theme.status.warning} />}
      <ScrollableDiffViewport
        lines={patch.length > 0 ? patch : wrapText(cleanText(preview), look.width)}
        above={paragraphRows(message, look.width) + paragraphRows(problem, look.width)}
      />
    </>
  );
}
