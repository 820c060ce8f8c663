/** One question about one tool call, as the screen gets it. */
import type { ConfirmationView, ToolConfirmationOutcome, ToolConfirmationPayload } from '@gemini-cli/core';

export interface ConfirmationRequest {
  details: ConfirmationView;
  toolName: string;
  /** How the history names the tool. */
  displayName?: string | undefined;
  /** Where a command runs. */
  cwd?: string | undefined;
  /** The sub-agent that wants it. */
  subagent?: string | undefined;
}

export interface ConfirmationProps {
  request: ConfirmationRequest;
  /** Which of the pending calls this is, from 0. */
  index: number;
  total: number;
  /** Rows it may take. */
  height: number;
  /** Rows it may take while the user looks at all of it; `height` if not given. */
  fullHeight?: number | undefined;
  onAnswer(outcome: ToolConfirmationOutcome, payload?: ToolConfirmationPayload): void;
  /** The user wants all of the text on the screen, or no longer. */
  onFullView?(isFull: boolean): void;
  /** Text of a plan; read from disk if not given. */
  readPlan?(path: string): Promise<string>;
  /** Resolves when the editor is closed. */
  openEditor?(path: string): Promise<void>;
}

/** What the model wants to know. */
export type AskUserDetails = Pick<
  Extract<ConfirmationView, { type: 'ask_user' }>,
  'questions' | 'systemMessage'
>;
