/** The section about skills, for agents whose system prompt is not made of our sections. */
import { listSkills } from './prompt-lists.js';
import { fillSection } from './section-text.js';
import skills from './sections/skills.md';
import type { ListedSkill } from './situation.js';

/** Empty without skills. */
export function skillsSection(listed: readonly ListedSkill[]): string {
  if (listed.length === 0) return '';
  return fillSection(skills, { holds: new Set(), values: { skills: listSkills(listed) } });
}
