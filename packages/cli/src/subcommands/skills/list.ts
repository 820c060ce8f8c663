/** The list of `gemini skills list`. */
import type { SkillDefinition } from '@gemini-cli/core';
import { oneLine } from '../../output/output.js';

export function formatSkills(skills: readonly SkillDefinition[]): string {
  if (skills.length === 0) return 'No skills discovered.\n';
  const sorted = [...skills].sort(
    (a, b) => Number(a.isBuiltin ?? false) - Number(b.isBuiltin ?? false) || (a.name < b.name ? -1 : 1),
  );
  return ['Discovered Agent Skills:', '', ...sorted.flatMap((skill) => [...block(skill), '']), ''].join('\n');
}

function block({
  name,
  description,
  location,
  disabled,
  isBuiltin,
  extensionName,
  details = {},
}: SkillDefinition) {
  const state = disabled ? '[Disabled]' : '[Enabled]';
  const from = extensionName === undefined ? '' : ` [${oneLine(extensionName)}]`;
  return [
    `${oneLine(name)} ${state}${isBuiltin ? ' [Built-in]' : ''}${from}`,
    `  Description: ${oneLine(description)}`,
    `  Location:    ${oneLine(location)}`,
    ...Object.entries(details).map(([key, value]) => `  ${`${titleOf(key)}:`.padEnd(12)} ${oneLine(value)}`),
  ];
}

function titleOf(key: string): string {
  return key.charAt(0).toUpperCase() + key.slice(1);
}
