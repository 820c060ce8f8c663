/** A question about one tool call, as the screen gets it. */
import type { ConfirmationView, ToolConfirmationOutcome, ToolConfirmationPayload } from '@gemini-cli/core';

export interface ToolConfirmationMessageProps<Details extends ConfirmationView = ConfirmationView> {
  confirmationDetails: Details;
  toolName: string;
  /** How the history names the tool. */
  displayName?: string | undefined;
  /** Where a command runs. */
  cwd?: string | undefined;
  /** The sub-agent that wants to call the tool. */
  subagent?: string | undefined;
  /** Which of the pending calls this is, from 0. */
  index?: number;
  total?: number;
  /** Rows it may take while the user looks at all of it; those of its room if not given. */
  fullRows?: number | undefined;
  onAnswer(outcome: ToolConfirmationOutcome, payload?: ToolConfirmationPayload): void;
  /** Text of a plan; read from disk if not given. */
  readPlan?: ((path: string) => Promise<string>) | undefined;
  /** Resolves when the editor is closed. */
  openEditor?: ((path: string) => Promise<void>) | undefined;
}

export type DetailsOf<Type extends ConfirmationView['type']> = Extract<ConfirmationView, { type: Type }>;

type Position = Pick<ToolConfirmationMessageProps, 'index' | 'total'>;

/** Behind the title: `2 of 3`. @param alone where it is the only question */
export function noteOf({ index = 0, total = 1 }: Position, alone?: string): string | undefined {
  return total > 1 ? `${index + 1} of ${total}` : alone;
}
