/** `gemini skills install` and `link`: shows what would be added, asks, and does it. */
import type { SkillInstallation } from '@gemini-cli/core';
import { consentText } from '../../commands/skill-consent.js';
import { notice, oneLine } from '../../output/output.js';
import type { SubcommandIo } from '../subcommand.js';
import type { SkillsArguments } from './arguments.js';
import { placesOf, type SkillsContext } from './context.js';

type Opened = Awaited<ReturnType<SkillInstallation['openSource']>>;
type Planned = ReturnType<SkillInstallation['planInstallation']>[number];

export async function installFrom(
  wanted: Extract<SkillsArguments, { verb: 'install' }>,
  io: SubcommandIo,
  context: SkillsContext,
): Promise<number> {
  const { installation, cwd, home, variables } = context;
  const { source, path, ref } = wanted;
  const opened = await installation.openSource({
    source,
    cwd,
    home,
    variables,
    ...(path !== undefined && { path }),
    ...(ref !== undefined && { ref }),
  });
  try {
    return await carryOut('Installing', opened, wanted, io, context, (skill) => {
      if (skill.replaces) notice(io, 'INFO', `Replacing the installed skill "${skill.name}" in ${skill.to}.`);
      installation.installSkill(skill);
      return `Installed skill "${oneLine(skill.name)}" (${wanted.scope}): ${oneLine(skill.to)}`;
    });
  } finally {
    opened.close();
  }
}

export async function linkFrom(
  wanted: Extract<SkillsArguments, { verb: 'link' }>,
  io: SubcommandIo,
  context: SkillsContext,
): Promise<number> {
  const { installation, cwd, home, variables } = context;
  const opened = await installation.openFolder({ source: wanted.source, cwd, home, variables });
  return carryOut('Linking', opened, wanted, io, context, (skill) => {
    installation.linkSkill(skill);
    return `Linked skill "${oneLine(skill.name)}" (${wanted.scope}): ${oneLine(skill.to)} -> ${oneLine(skill.from)}`;
  });
}

async function carryOut(
  action: 'Installing' | 'Linking',
  { label, skills, problems }: Opened,
  { scope, consent }: Extract<SkillsArguments, { consent: boolean }>,
  io: SubcommandIo,
  context: SkillsContext,
  work: (skill: Planned) => string,
): Promise<number> {
  const { installation, ask } = context;
  for (const { file, message, severity } of problems)
    if (severity === 'error') notice(io, 'WARNING', `Left out: ${file} ${message}.`);
  const planned = installation.planInstallation(skills, scope, placesOf(context));
  const shown = planned.map((skill) => ({ ...skill, items: installation.countItems(skill.from) }));
  if (!consent && !ask) {
    io.stderr('gemini skills: nothing was changed. Without a terminal to ask on, add --consent.');
    return 1;
  }
  io.stdout(`${consentText(action, label, shown)}\n\n`);
  if (!consent && !(await ask?.('Do you want to continue? [Y/n]: '))) {
    io.stderr('Nothing was changed.');
    return 1;
  }
  for (const skill of planned) io.stdout(`${work(skill)}\n`);
  if (!context.isTrusted && scope === 'workspace')
    notice(io, 'WARNING', 'The folder is not trusted: its skills are used once it is.');
  return 0;
}
