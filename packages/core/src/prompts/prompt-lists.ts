/** Sub-agents, skills and tools as the model reads them. */
import type { ListedAgent, ListedSkill } from './situation.js';

export function listSubAgents(agents: readonly ListedAgent[]): string {
  const items = agents.map(
    ({ name, description }) =>
      `  <subagent><name>${escapeTags(name)}</name><description>${escapeTags(description)}</description></subagent>`,
  );
  return items.length === 0 ? '' : ['<available_subagents>', ...items, '</available_subagents>'].join('\n');
}

export function listSkills(skills: readonly ListedSkill[]): string {
  const items = skills.map(
    ({ name, description, location }) =>
      `  <skill><name>${escapeTags(name)}</name><description>${escapeTags(description)}</description>` +
      `<location>${escapeTags(location)}</location></skill>`,
  );
  return items.length === 0 ? '' : ['<available_skills>', ...items, '</available_skills>'].join('\n');
}

export function listTools(names: readonly string[]): string {
  return names.map((name) => `- ${name}`).join('\n');
}

/** Descriptions come from untrusted files and must not close the list. */
function escapeTags(text: string): string {
  return text.trim().replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
