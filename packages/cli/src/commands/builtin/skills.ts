/** `/skills`: lists, enables, disables, links and reloads skills; `/skill <name> [request]` uses one. */
import { loadSkillInstallation, type SkillDefinition, visibleName } from '@gemini-cli/core';
import type { ListRow } from '../../history/item.js';
import { runSkill } from '../loaders/skills.js';
import { consentText } from '../skill-consent.js';
import { disableSkills, enableSkills, isSkillScope, type SkillScope } from '../skill-settings.js';
import type { CommandContext } from '../types.js';
import { type Action, type Completion, failure, info } from './define.js';
import { engineOf } from './needs.js';

const RELOAD = 'Run /skills reload to apply it.';

export const main: Action = async (context, args) => {
  const [word = '', ...rest] = args.split(/\s+/);
  if (word === '') return list(context, '');
  const skill = (await engineOf(context).whenSkillsAreKnown()).getSkill(word);
  if (skill && !skill.disabled) return runSkill(context, skill.name, rest.join(' '));
  if (skill)
    return failure(`The skill "${visibleName(word)}" is disabled. Enable it: /skills enable ${word}`);
  return failure(`There is no skill "${visibleName(word)}". /skills list shows all.`);
};

export const list: Action = async (context, args) => {
  const words = new Set(args.split(/\s+/).filter(Boolean));
  const manager = await engineOf(context).whenSkillsAreKnown();
  const activation = engineOf(context).getSkillActivation();
  const skills = manager.getAllSkills().filter(({ isBuiltin }) => words.has('all') || !isBuiltin);
  const rows = skills.map((skill) => rowOf(skill, activation.isActive(skill.name), !words.has('nodesc')));
  const invalid = manager
    .getProblems()
    .filter(({ severity }) => severity === 'error')
    .map(({ file, message }): ListRow => ({ name: file, note: 'invalid', detail: message, status: 'error' }));
  return {
    type: 'items',
    items: [
      {
        type: 'list',
        title: 'Skills',
        rows: [...rows, ...invalid],
        empty: 'No skills. Put one into ~/.gemini/skills/<name>/SKILL.md, or ask the model to create one.',
      },
    ],
  };
};

export const reload: Action = async (context) => {
  const config = engineOf(context);
  const { added, removed } = await config.reloadSkills();
  const total = config.getSkillManager().getSkills().length;
  return info(
    `Skills reloaded: ${total} enabled, ${added.length} added, ${removed.length} removed.${named(added, removed)}`,
  );
};

export const enable: Action = async (context, args) => {
  const wanted = parse(args);
  if (typeof wanted === 'string') return failure(`${wanted} Use: /skills enable <name>`);
  const { settings } = context.services;
  const changed = await enableSkills(settings, [wanted.word]);
  const skill = await find(context, wanted.word);
  const shown = visibleName(skill?.name ?? wanted.word);
  if (changed.length > 0)
    return info(`Skill "${shown}" enabled (${changed.join(' and ')} settings). ${RELOAD}`);
  return skill && !skill.disabled
    ? info(`Skill "${shown}" is enabled already.`)
    : failure(`There is no disabled skill "${shown}" in your settings.`);
};

export const disable: Action = async (context, args) => {
  const wanted = parse(args);
  if (typeof wanted === 'string') return failure(`${wanted} Use: /skills disable <name>`);
  const skill = await find(context, wanted.word);
  if (!skill) return failure(`There is no skill "${visibleName(wanted.word)}". /skills list all shows all.`);
  const scope = wanted.scope ?? defaultScope(context);
  const added = await disableSkills(context.services.settings, [skill.name], scope);
  const shown = visibleName(skill.name);
  return added.length > 0
    ? info(`Skill "${shown}" disabled (${scope} settings). ${RELOAD}`)
    : info(`Skill "${shown}" is disabled already (${scope} settings).`);
};

/** Asks first: a linked folder may change at any time. */
export const link: Action = async (context, args) => {
  const wanted = parse(args);
  if (typeof wanted === 'string') return failure(`${wanted} Use: /skills link <path>`);
  const config = engineOf(context);
  const { variables, home } = config.getEnvironment();
  const installation = await loadSkillInstallation();
  const cwd = config.getTargetDir();
  const { skills, label } = await installation.openFolder({ source: wanted.word, cwd, home, variables });
  const places = { globalDir: config.storage.getGlobalGeminiDir(), projectRoot: cwd };
  const planned = installation.planInstallation(skills, wanted.scope ?? 'user', places);
  if (!context.overwriteConfirmed) {
    const shown = planned.map((skill) => ({ ...skill, items: installation.countItems(skill.from) }));
    return {
      type: 'confirm_action',
      prompt: `${consentText('Linking', label, shown)}\n\nDo you want to continue?`,
      originalInvocation: { raw: context.invocation?.raw ?? '' },
    };
  }
  for (const skill of planned) installation.linkSkill(skill);
  await config.reloadSkills();
  return info(`Linked ${planned.map(({ name }) => `"${visibleName(name)}"`).join(', ')}.`);
};

export const completeEnabled: Completion = (context, partialArg) =>
  names(context, partialArg, ({ disabled }) => !disabled);

export const completeDisabled: Completion = (context, partialArg) =>
  names(context, partialArg, ({ disabled }) => disabled === true);

function rowOf(skill: SkillDefinition, isActive: boolean, hasDescription: boolean): ListRow {
  const { name, description, location, disabled, isBuiltin, extensionName, details = {} } = skill;
  const notes = [
    disabled ? 'disabled' : isActive ? 'active' : '',
    isBuiltin ? 'built-in' : '',
    extensionName === undefined ? '' : `extension ${extensionName}`,
  ].filter(Boolean);
  const lines = [description, location, ...Object.entries(details).map(([key, value]) => `${key}: ${value}`)];
  return {
    name,
    ...(notes.length > 0 && { note: notes.join(', ') }),
    ...(hasDescription && { detail: lines.join('\n') }),
  };
}

function named(added: readonly string[], removed: readonly string[]): string {
  const list = (label: string, items: readonly string[]) =>
    items.length > 0 && items.length <= 10 ? [`${label}: ${items.map(visibleName).join(', ')}`] : [];
  const lines = [...list('Added', added), ...list('Removed', removed)];
  return lines.length > 0 ? `\n${lines.join('\n')}` : '';
}

/** One word and perhaps `--scope`. @returns what is wrong, as a string */
function parse(args: string): { word: string; scope?: SkillScope } | string {
  const [, rest = args, scope] = /^(.*?)\s*(?:^|\s)--scope[= ](\S+)$/.exec(args.trim()) ?? [];
  if (scope !== undefined && !isSkillScope(scope)) return `--scope is user or workspace, given: "${scope}".`;
  const word = rest.trim().replace(/^"(.*)"$/, '$1');
  if (word === '') return 'A name is missing.';
  return { word, ...(scope !== undefined && { scope }) };
}

/** The workspace, unless the folder is the home folder or not trusted. */
function defaultScope({ services: { settings, config } }: CommandContext): SkillScope {
  return settings.isReadOnly('workspace') || config?.isTrustedFolder() === false ? 'user' : 'workspace';
}

async function find(context: CommandContext, name: string): Promise<SkillDefinition | null> {
  return (await engineOf(context).whenSkillsAreKnown()).getSkill(name);
}

async function names(
  { services: { config } }: CommandContext,
  partialArg: string,
  filter: (skill: SkillDefinition) => boolean,
): Promise<string[]> {
  const manager = await config?.whenSkillsAreKnown();
  const typed = partialArg.toLowerCase();
  return (manager?.getAllSkills() ?? [])
    .filter((skill) => filter(skill) && skill.name.toLowerCase().startsWith(typed))
    .map(({ name }) => name);
}
