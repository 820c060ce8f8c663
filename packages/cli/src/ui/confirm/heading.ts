/** The heading of a question: the tool and what it works on, each said once. */
import { type ConfirmationView, visibleName } from '@gemini-cli/core';

export interface Asking {
  details: Pick<ConfirmationView, 'type' | 'title'>;
  /** The tool's name for users. */
  name: string;
  subagent?: string | undefined;
}

/** `Edit src/a.ts`, `Shell`, `Custom command: Confirm Shell Expansion`. */
export function headingOf({ details: { type, title }, name, subagent }: Asking): string {
  const tool = visibleName(name);
  const who = subagent ? ` (agent ${visibleName(subagent)})` : '';
  if (type === 'edit') return `${tool}${who} ${visibleName(title.replace(/^Confirm \w+: /, ''))}`;
  return repeats(title, name) ? `${tool}${who}` : `${tool}${who}: ${visibleName(title)}`;
}

/** "Confirm Shell Command" and "Enter Plan Mode" tell nothing after "Shell" and "EnterPlanMode". */
function repeats(title: string, name: string): boolean {
  const letters = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  const said = letters(title.replace(/^Confirm\b:?/, '').replace(/\bCommand$/, ''));
  return said !== '' && said === letters(name);
}
