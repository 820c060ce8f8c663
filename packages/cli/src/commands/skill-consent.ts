/** What the user sees before skills are installed or linked. */
import { visibleName } from '@gemini-cli/core';

export interface ConsentSkill {
  name: string;
  description: string;
  from: string;
  to: string;
  items: number;
  replaces?: 'folder' | 'link';
}

const WARNING =
  'Skills add instructions to your conversations: the model may run commands and read or change files because of ' +
  'them. Use only skills from sources you trust.';

export function consentText(
  action: 'Installing' | 'Linking',
  source: string,
  skills: readonly ConsentSkill[],
): string {
  const lines = skills.flatMap(({ name, description, from, to, items, replaces }) => [
    `  * ${visibleName(name)}: ${visibleName(description)}`,
    `    Source:      ${visibleName(from)} (${items} ${items === 1 ? 'item' : 'items'})`,
    `    Destination: ${visibleName(to)}${replaces ? ` (replaces the ${replaces} there)` : ''}`,
  ]);
  const what = skills.length === 1 ? 'a skill' : `${skills.length} skills`;
  return [`${action} ${what} from ${visibleName(source)}`, '', ...lines, '', WARNING].join('\n');
}
