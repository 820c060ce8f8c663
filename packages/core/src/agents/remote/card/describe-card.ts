/** What the model reads about a remote agent: the user's words, then those of the card, which are not trusted. */
import { cleanTerminalText } from '../../../base/ansi.js';
import type { RemoteCard } from './parse-card.js';

const DESCRIPTION_CHARS = 600;
const SKILL_NAME_CHARS = 80;
const SKILL_CHARS = 200;
const MAX_SKILLS = 20;

export function describeAgent(
  own: string,
  card: Pick<RemoteCard, 'description' | 'skills'> | undefined,
): string {
  if (!card) return own;
  const description = oneLine(card.description, DESCRIPTION_CHARS);
  const skills = card.skills
    .slice(0, MAX_SKILLS)
    .map(({ name, description: text }) => [oneLine(name, SKILL_NAME_CHARS), oneLine(text, SKILL_CHARS)])
    .filter(([name]) => name)
    .map(([name, text]) => (text ? `- ${name}: ${text}` : `- ${name}`));
  const left = card.skills.length - MAX_SKILLS;
  return [
    own,
    description && `The agent's card says: ${description}`,
    skills.length > 0 && `Skills:\n${skills.join('\n')}${left > 0 ? `\n- and ${left} more` : ''}`,
  ]
    .filter(Boolean)
    .join('\n');
}

/** In the system prompt a line break or tag of the card could look like our own text. */
export function oneLine(text: string, limit: number): string {
  const clean = cleanTerminalText(text.slice(0, limit * 4))
    .replace(/[\p{Cf}\p{Co}\p{Cs}]/gu, '')
    .replace(/[\s\p{Z}]+/gu, ' ')
    .replace(/</g, '‹')
    .replace(/>/g, '›')
    .trim();
  return clean.length > limit ? `${clean.slice(0, limit - 1).trimEnd()}…` : clean;
}
