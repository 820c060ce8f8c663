/** `gemini skills <list|enable|disable|install|link|uninstall>`. */
import { dirname, join } from 'node:path';
import {
  globalGeminiDir,
  loadSkillInstallation,
  readExtensions,
  readFolder,
  type SkillManager,
  setting,
} from '@gemini-cli/core';
import { disableSkills, enableSkills } from '../../commands/skill-settings.js';
import { notice, oneLine } from '../../output/output.js';
import { isTerminal } from '../../terminal/descriptors.js';
import { askOnTerminal } from '../ask.js';
import { currentDirectory } from '../current-directory.js';
import type { Subcommand, SubcommandIo } from '../subcommand.js';
import { parseArguments, type SkillsArguments } from './arguments.js';
import { placesOf, type SkillsContext } from './context.js';
import { installFrom, linkFrom } from './install.js';
import { formatSkills } from './list.js';

const run: Subcommand = async (args, io) => {
  const wanted = parseArguments(args);
  if (typeof wanted === 'string') {
    io.stderr(`gemini skills: ${wanted}`);
    return 1;
  }
  const cwd = currentDirectory();
  const warn = (message: string) => notice(io, 'WARNING', message);
  const { settings, trust, environment } = await readFolder({ cwd, env: io.env, notice: warn });
  const installation = await loadSkillInstallation();
  const ask = isTerminal(0) && isTerminal(1) ? askYesOnTerminal : undefined;
  const { variables, home } = environment;
  return skillsCommand(wanted, io, {
    installation,
    settings,
    isTrusted: trust.trusted,
    cwd,
    variables,
    home,
    extensionRoots: async () => {
      const { extensions } = await readExtensions({ cwd, environment, settings, trust }, {}, warn);
      return extensions
        .filter(({ isActive }) => isActive)
        .flatMap(({ name, path, skillFolders = [] }) =>
          [join(path, 'skills'), ...skillFolders].map((dir) => ({ dir, extensionName: name })),
        );
    },
    ask,
  });
};

export default run;

const askYesOnTerminal = (question: string) => askOnTerminal(question, { byDefault: true });

export async function skillsCommand(
  wanted: SkillsArguments,
  io: SubcommandIo,
  context: SkillsContext,
): Promise<number> {
  switch (wanted.verb) {
    case 'list':
      return list(wanted.all, io, context);
    case 'enable':
      return enable(wanted.name, io, context);
    case 'disable':
      return disable(wanted, io, context);
    case 'install':
      return installFrom(wanted, io, context);
    case 'link':
      return linkFrom(wanted, io, context);
    case 'uninstall': {
      const places = placesOf(context);
      const removed = await context.installation.uninstallSkill(wanted.name, wanted.scope, places);
      const kept = removed.wasLink ? ' (a link; the folder it led to is kept)' : '';
      io.stdout(`Uninstalled skill "${oneLine(wanted.name)}": ${oneLine(removed.path)}${kept}\n`);
      return 0;
    }
  }
}

async function discover(
  { installation, settings, isTrusted, cwd, variables, extensionRoots }: SkillsContext,
  io: SubcommandIo,
) {
  const { SkillManager: Manager, skillRoots } = installation;
  const globalDir = globalGeminiDir(variables);
  const roots = skillRoots({
    globalDir,
    home: dirname(globalDir),
    projectRoot: cwd,
    isTrusted,
    extensions: await extensionRoots(),
  });
  const manager = new Manager({ roots: () => roots, warn: (message) => notice(io, 'WARNING', message) });
  manager.setDisabledSkills(setting(settings.merged, 'skills.disabled'));
  await manager.loadSkills();
  return manager;
}

async function list(all: boolean, io: SubcommandIo, context: SkillsContext): Promise<number> {
  const manager = await discover(context, io);
  for (const { file, message, severity } of manager.getProblems())
    if (severity === 'error') notice(io, 'WARNING', `Not loaded: ${file} ${message}.`);
  if (!context.isTrusted) notice(io, 'WARNING', 'The folder is not trusted: its own skills are not listed.');
  if (!setting(context.settings.merged, 'skills.enabled'))
    notice(io, 'WARNING', 'Skills are disabled (skills.enabled).');
  io.stdout(formatSkills(manager.getAllSkills().filter(({ isBuiltin }) => all || !isBuiltin)));
  return 0;
}

async function enable(name: string | undefined, io: SubcommandIo, context: SkillsContext): Promise<number> {
  const { settings } = context;
  const changed = await enableSkills(settings, name === undefined ? 'all' : [name]);
  const scopes = changed.join(' and ');
  if (name === undefined) {
    io.stdout(changed.length > 0 ? `All skills enabled (${scopes} settings).\n` : 'No skill is disabled.\n');
    return 0;
  }
  const shown = oneLine(name);
  if (changed.length > 0) {
    io.stdout(`Skill "${shown}" enabled (${scopes} settings).\n`);
    return 0;
  }
  const skill = (await discover(context, io)).getSkill(name);
  if (skill?.disabled) {
    io.stderr(
      `gemini skills: "${shown}" is disabled by settings of the system, which cannot be changed here.`,
    );
    return 1;
  }
  if (!skill) return unknown(shown, io);
  io.stdout(`Skill "${shown}" is enabled already.\n`);
  return 0;
}

async function disable(
  { name, scope }: Extract<SkillsArguments, { verb: 'disable' }>,
  io: SubcommandIo,
  context: SkillsContext,
): Promise<number> {
  const manager = await discover(context, io);
  const names = namesToDisable(manager, name);
  if (!names) return unknown(oneLine(name ?? ''), io);
  const added = await disableSkills(context.settings, names, scope);
  if (!context.isTrusted && scope === 'workspace')
    notice(io, 'WARNING', 'The folder is not trusted: its settings take effect once it is.');
  if (added.length > 0)
    io.stdout(
      `${added.map((item) => `Skill "${oneLine(item)}" disabled (${scope} settings).`).join('\n')}\n`,
    );
  else if (name === undefined) io.stdout(`All skills are disabled already (${scope} settings).\n`);
  else io.stdout(`Skill "${oneLine(names[0] ?? name)}" is disabled already (${scope} settings).\n`);
  return 0;
}

function namesToDisable(manager: SkillManager, name: string | undefined): string[] | undefined {
  if (name === undefined) return manager.getAllSkills().map((skill) => skill.name);
  const skill = manager.getSkill(name);
  return skill ? [skill.name] : undefined;
}

function unknown(name: string, io: SubcommandIo): number {
  io.stderr(`gemini skills: there is no skill "${name}". gemini skills list --all shows all.`);
  return 1;
}
