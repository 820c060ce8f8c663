/** `/agents`: lists, reloads, enables, disables, configures and repairs sub-agents. */
import { join } from 'node:path';
import {
  type AgentFilesModule,
  type AgentReload,
  type Config,
  loadAgentFiles,
  messageOf,
  objectOf,
  type RegisteredAgent,
  setting,
} from '@gemini-cli/core';
import type { ListRow } from '../../history/item.js';
import type { CommandContext, SlashCommandActionReturn } from '../types.js';
import { type Action, type Completion, failure, info } from './define.js';
import { engineOf } from './needs.js';

export const list: Action = async (context) => {
  const config = engineOf(context);
  await config.loadAgents();
  const states = config.getAgentRegistry().getAgentStates();
  const lists = [
    { title: 'Built-in agents', rows: states.filter(isBuiltIn).map(rowOf) },
    { title: 'Local agents', rows: states.filter(isOwn('local')).map(rowOf) },
    { title: 'Remote agents', rows: states.filter(isOwn('remote')).map(rowOf) },
    { title: 'Files that do not load (repair them: /agents fix)', rows: await brokenFiles(config) },
  ].filter(({ rows }) => rows.length > 0);
  if (lists.length === 0)
    return info('No agents found. They are Markdown files in .gemini/agents: /docs agents');
  return { type: 'items', items: lists.map((one) => ({ type: 'list', ...one, empty: '' })) };
};

async function brokenFiles(engine: Config): Promise<ListRow[]> {
  const files = await loadAgentFiles();
  const checked = await checkAll(engine, files);
  return checked.flatMap(({ file, problem }): ListRow[] => {
    if (!problem) return [];
    const detail = problem.issues.map(files.issueText).join('\n');
    return [{ name: file, note: 'invalid', detail, status: 'error' }];
  });
}

export const reload: Action = async (context) => {
  const done = await engineOf(context).reloadAgents();
  context.ui.reloadCommands();
  const { problemText } = await loadAgentFiles();
  const text = reloadText(done, problemText);
  return { type: 'message', messageType: done.problems.length > 0 ? 'warning' : 'info', content: text };
};

export const enable: Action = (context, args) => change(context, args.trim(), true);

export const disable: Action = (context, args) => change(context, args.trim(), false);

export const config: Action = async (context, args) => {
  const found = await find(context, args.trim());
  if ('type' in found) return found;
  const { name, displayName = name } = found.definition;
  context.ui.openAgentConfigDialog(name, displayName, found.definition);
  return undefined;
};

/** Shows what a repair of the files would change; does it once the user agrees. */
export const fix: Action = async (context) => {
  const files = await loadAgentFiles();
  const checked = await checkAll(engineOf(context), files);
  const fixable = checked.filter((one) => one.fix?.status === 'fixed');
  const byHand = checked.filter(({ problem, fix: made }) => problem && made?.status !== 'fixed');
  const rest = byHand.map(({ text = '' }) => text);
  if (fixable.length === 0)
    return rest.length > 0 ? failure(rest.join('\n')) : info('All agent files are valid.');
  if (!context.overwriteConfirmed) {
    const diffs = await Promise.all(fixable.map((one) => files.previewFix(one)));
    const notes = fixable.flatMap(({ fix: made }) => (made?.status === 'fixed' ? made.losses : []));
    return {
      type: 'confirm_action',
      prompt: [
        ...diffs,
        ...notes.map((note) => `Note: ${note}`),
        'Write these changes, and keep copies?',
      ].join('\n'),
      originalInvocation: { raw: context.invocation?.raw ?? '/agents fix' },
    };
  }
  const lines = fixable.map((one) => {
    try {
      return `Fixed ${one.file}. The original is ${files.applyFix(one)}`;
    } catch (error) {
      return `Not fixed: ${messageOf(error)}`;
    }
  });
  const done = await engineOf(context).reloadAgents();
  return info([...lines, ...rest, reloadText({ ...done, problems: [] }, files.problemText)].join('\n'));
};

export const completeName: Completion = async ({ services }, partialArg) => {
  if (!services.config) return [];
  await services.config.loadAgents();
  const names = services.config
    .getAgentRegistry()
    .getAgentStates()
    .map(({ definition }) => definition.name);
  return names.filter((name) => name.startsWith(partialArg)).sort();
};

async function checkAll(engine: Config, { checkAgentFiles }: AgentFilesModule) {
  const root = engine.getTargetDir();
  const userDir = join(engine.storage.getGlobalGeminiDir(), 'agents');
  const projectDir = join(root, '.gemini', 'agents');
  const own = await checkAgentFiles(userDir);
  return projectDir === userDir || !engine.isTrustedFolder()
    ? own
    : [...(await checkAgentFiles(projectDir, root)), ...own];
}

async function change(
  context: CommandContext,
  name: string,
  enabled: boolean,
): Promise<SlashCommandActionReturn> {
  const found = await find(context, name);
  if ('type' in found) return found;
  const { name: agent } = found.definition;
  if (found.isEnabled === enabled)
    return info(`The agent ${agent} is ${enabled ? 'enabled' : 'disabled'} already.`);
  const { settings } = context.services;
  const scope =
    settings.file('workspace').exists && engineOf(context).isTrustedFolder() ? 'workspace' : 'user';
  await context.ui.app.changeSetting(
    scope,
    `agents.overrides.${overrideKey(context, agent)}.enabled`,
    enabled,
  );
  await engineOf(context).reloadAgents();
  return info(`${enabled ? 'Enabled' : 'Disabled'} the agent ${agent} in the ${scope} settings.`);
}

/** The spelling that the settings have already: `-` and `_` are equal. */
function overrideKey({ services }: CommandContext, name: string): string {
  const known = Object.keys(objectOf(setting(services.settings.merged, 'agents.overrides')));
  const plain = (text: string) => text.replaceAll('_', '-');
  return known.find((key) => key === name) ?? known.find((key) => plain(key) === plain(name)) ?? name;
}

async function find(
  context: CommandContext,
  name: string,
): Promise<RegisteredAgent | SlashCommandActionReturn> {
  const engine = engineOf(context);
  await engine.loadAgents();
  const states = engine.getAgentRegistry().getAgentStates();
  if (name === '') return failure(`Which agent? ${namesOf(states)}`);
  const plain = (text: string) => text.replaceAll('_', '-');
  const found =
    states.find(({ definition }) => definition.name === name) ??
    states.find(({ definition }) => plain(definition.name) === plain(name));
  return found ?? failure(`There is no agent "${name}". ${namesOf(states)}`);
}

function namesOf(states: readonly RegisteredAgent[]): string {
  if (states.length === 0) return 'There are no agents here.';
  return `Agents: ${states.map(({ definition }) => definition.name).join(', ')}`;
}

function isBuiltIn({ definition }: RegisteredAgent): boolean {
  return definition.source?.kind === 'builtin';
}

function isOwn(kind: 'local' | 'remote') {
  return (state: RegisteredAgent) => !isBuiltIn(state) && state.definition.kind === kind;
}

function rowOf({ definition, isEnabled }: RegisteredAgent): ListRow {
  const { name, displayName = name, description, kind, source } = definition;
  const from = source?.extensionName ? `extension ${source.extensionName}` : (source?.kind ?? 'program');
  return {
    name: displayName,
    note: [...(displayName === name ? [] : [name]), kind, from, ...(isEnabled ? [] : ['disabled'])].join(
      ', ',
    ),
    detail: description.trim(),
    ...(!isEnabled && { status: 'warning' as const }),
  };
}

function reloadText(done: AgentReload, describe: AgentFilesModule['problemText']): string {
  const { total, local, remote, added, updated, deleted, problems, warnings, skipped } = done;
  const changes = [
    ['New', added],
    ['Updated', updated],
    ['Deleted', deleted],
    ['Not acknowledged', skipped],
  ] as const;
  return [
    `${total} agent${total === 1 ? '' : 's'}: ${local} local, ${remote} remote.`,
    ...changes.flatMap(([label, names]) => (names.length > 0 ? [`${label}: ${names.join(', ')}`] : [])),
    ...warnings,
    ...problems.map(describe),
    ...(problems.length > 0 ? ['To repair these files: /agents fix'] : []),
  ].join('\n');
}
