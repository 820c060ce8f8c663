/** The top of the details: the tool, warnings, a hook's message. */
import { visibleName, visibleText } from '@gemini-cli/core';
import { useMemo } from 'react';
import { Paragraph } from '../components/Paragraph.js';
import { useLook, useTheme } from '../use-look.js';
import type { ToolConfirmationMessageProps } from './props.js';
import { warningsFor } from './warnings.js';

type DetailsHeadProps = Pick<
  ToolConfirmationMessageProps,
  'confirmationDetails' | 'toolName' | 'displayName' | 'subagent'
>;

export function DetailsHead({ confirmationDetails, toolName, displayName, subagent }: DetailsHeadProps) {
  const { screenReader } = useLook();
  const { text, status } = useTheme();
  const { type, systemMessage } = confirmationDetails;
  // The box says what to do and the tool's name follows: of an edit's "Confirm Edit: a.txt" only the file is news.
  const title = confirmationDetails.title.replace(type === 'edit' ? /^Confirm \w+: / : '', '');
  const warnings = useMemo(() => warningsFor(confirmationDetails), [confirmationDetails]);
  const who = subagent ? ` (agent ${visibleName(subagent)})` : '';
  const call = `${visibleName(displayName ?? toolName)}${who}: ${visibleName(title)}`;
  return (
    <>
      <Paragraph text={screenReader ? call : `? ${call}`} color={text.accent} bold />
      {warnings.map((warning) => (
        <Paragraph
          key={warning}
          text={`${screenReader ? 'Warning: ' : '⚠ '}${visibleText(warning)}`}
          color={status.warning}
          bold
        />
      ))}
      {systemMessage ? <Paragraph text={visibleText(systemMessage)} color={status.warning} /> : null}
    </>
  );
}
