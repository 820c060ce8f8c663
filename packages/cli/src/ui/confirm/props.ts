/** The props of a question about one tool call. */
import type { ConfirmationView, ToolConfirmationOutcome, ToolConfirmationPayload } from '@gemini-cli/core';

export interface ToolConfirmationMessageProps<Details extends ConfirmationView = ConfirmationView> {
  confirmationDetails: Details;
  toolName: string;
  /** The tool's name as the history shows it. */
  displayName?: string | undefined;
  /** The folder the command runs in. */
  cwd?: string | undefined;
  /** The sub-agent that calls the tool. */
  subagent?: string | undefined;
  /** Position among the pending calls, from 0. */
  index?: number;
  total?: number;
  /** Rows it may use when the details are expanded; default: its room. */
  fullRows?: number | undefined;
  onAnswer(outcome: ToolConfirmationOutcome, payload?: ToolConfirmationPayload): void;
  /** The plan's text; default: read from disk. */
  readPlan?: ((path: string) => Promise<string>) | undefined;
  /** Opens the editor; resolves when it is closed. */
  openEditor?: ((path: string) => Promise<void>) | undefined;
}

export type DetailsOf<Type extends ConfirmationView['type']> = Extract<ConfirmationView, { type: Type }>;

type Position = Pick<ToolConfirmationMessageProps, 'index' | 'total'>;

/** After the title: `2 of 3`. @param alone shown for a single question */
export function noteOf({ index = 0, total = 1 }: Position, alone?: string): string | undefined {
  return total > 1 ? `${index + 1} of ${total}` : alone;
}
