/** Draws a question for the tests beside it. */
import type { ToolConfirmationOutcome, ToolConfirmationPayload } from '@gemini-cli/core';
import { renderWithProviders } from '../testing/render-with-providers.test-helper.js';
import { ToolConfirmationMessage, type ToolConfirmationMessageProps } from './ToolConfirmationMessage.js';

export type Details = ToolConfirmationMessageProps['confirmationDetails'];

export interface Setup extends Partial<ToolConfirmationMessageProps> {
  width?: number;
  height?: number;
  screenReader?: boolean;
}

/** Draws the question; `answers` holds what the user has answered. */
export async function ask(details: Details, setup: Setup = {}) {
  const { width = 80, height = 24, screenReader = false, ...props } = setup;
  const answers: [ToolConfirmationOutcome, ToolConfirmationPayload | undefined][] = [];
  const node = (
    <ToolConfirmationMessage
      confirmationDetails={details}
      toolName="a_tool"
      displayName="A Tool"
      onAnswer={(outcome, payload) => answers.push([outcome, payload])}
      {...props}
    />
  );
  const screen = await renderWithProviders(node, { uiState: { terminalWidth: width, screenReader }, height });
  return { ...screen, answers };
}

/** A command of so many lines. */
export const long = (count: number) =>
  Array.from({ length: count }, (_, at) => `echo line ${at + 1}`).join('\n');

export function choicesIn(frame: string): string[] {
  return frame.split('\n').flatMap((line) => /(\d\. .*?)\s*│?$/.exec(line)?.[1] ?? []);
}
