/** An MCP server asks the user for input: a form, or an address to open. */
import { deceptiveHosts, type ElicitationAnswer, type ElicitationQuestion } from '@gemini-cli/core';
import { Paragraph } from '../../components/Paragraph.js';
import { Question } from '../../components/Question.js';
import { cleanLine, cleanText } from '../../text/clean.js';
import { useTheme } from '../../use-look.js';
import type { DialogProps } from '../dialog.js';
import { FormDialog } from './FormDialog.js';

export interface ElicitationProps {
  question: ElicitationQuestion;
}

export function ElicitationDialog({ props, close }: DialogProps<ElicitationProps, ElicitationAnswer>) {
  const { question } = props;
  if (question.mode === 'form') return <FormDialog {...question} close={close} />;
  return <AddressQuestion {...question} close={close} />;
}

interface AddressProps extends Pick<ElicitationQuestion, 'serverName' | 'message'> {
  url: string;
  close(answer: ElicitationAnswer): void;
}

/** Never opened without consent; the whole address is shown, its host first. */
function AddressQuestion({ serverName, message, url, close }: AddressProps) {
  const theme = useTheme();
  const isDeceptive = deceptiveHosts(url).length > 0;
  const { host } = new URL(url);
  return (
    <Question
      title={`The MCP server ${cleanLine(serverName)} wants to open a page`}
      tone="warning"
      question={`Open ${cleanLine(host)} in your browser?`}
      items={[
        { value: 'accept' as const, label: 'Open the page' },
        { value: 'decline' as const, label: 'Decline' },
      ]}
      onSelect={(action) => close({ action })}
      onCancel={() => close({ action: 'cancel' })}
      footer={{ primaryAction: 'Enter to select', cancelAction: 'Esc to cancel' }}
    >
      <Paragraph text={cleanText(message)} />
      <Paragraph text={cleanLine(url)} color={theme.text.link} />
      {isDeceptive && (
        <Paragraph text="The name of the host contains look-alike characters." color={theme.status.error} />
      )}
    </Question>
  );
}
