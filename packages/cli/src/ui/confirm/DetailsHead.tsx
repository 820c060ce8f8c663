/** The top of the details: the tool, warnings, a hook's message. */
import { visibleText } from '@gemini-cli/core';
import { useMemo } from 'react';
import { Paragraph } from '../components/Paragraph.js';
import { useLook, useTheme } from '../use-look.js';
import { headingOf } from './heading.js';
import type { ToolConfirmationMessageProps } from './props.js';
import { warningsFor } from './warnings.js';

type DetailsHeadProps = Pick<
  ToolConfirmationMessageProps,
  'confirmationDetails' | 'toolName' | 'displayName' | 'subagent'
>;

export function DetailsHead({ confirmationDetails, toolName, displayName, subagent }: DetailsHeadProps) {
  const { screenReader } = useLook();
  const { text, status } = useTheme();
  const { systemMessage } = confirmationDetails;
  const warnings = useMemo(() => warningsFor(confirmationDetails), [confirmationDetails]);
  const call = headingOf({ details: confirmationDetails, name: displayName ?? toolName, subagent });
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
