/** `/memory`: the context files the model reads. */
import { type InboxGroup, setting, visibleText } from '@gemini-cli/core';
import { type Action, failure, info, warning } from './define.js';
import { engineOf } from './needs.js';

export const show: Action = async (context) => {
  const groups = await engineOf(context).getMemory().show();
  const total = groups.reduce((sum, { files }) => sum + files.length, 0);
  if (total === 0) return info('No context files are read. /init creates one.');
  const text = groups
    .map(({ title, files }) =>
      [
        `${title} (${files.length})`,
        ...files.map(({ path, text }) => `--- ${path} ---\n${text.trimEnd()}`),
      ].join('\n'),
    )
    .join('\n\n');
  return info(visibleText(`${count(total)} read:\n\n${text}`));
};

export const list: Action = async (context) => {
  const paths = await engineOf(context).getMemory().list();
  return {
    type: 'items',
    items: [
      {
        type: 'list',
        title: 'Context files',
        rows: paths.map((name) => ({ name })),
        empty: 'No context files are read. /init creates one.',
      },
    ],
  };
};

export const reload: Action = async (context) => {
  const { characters, files } = await engineOf(context).getMemory().reload();
  return info(`Memory reloaded: ${characters} characters from ${count(files)}.`);
};

/** Earlier suggestions can still be reviewed after auto memory was disabled. */
export const inbox: Action = async (context) => {
  const isOn = setting(context.services.settings.merged, 'experimental.autoMemory');
  const groups = await (await engineOf(context).loadMemoryInbox()).list();
  if (!isOn && groups.length === 0)
    return warning('Automatic memory is disabled. Enable experimental.autoMemory in settings.json.');
  return { type: 'dialog', dialog: 'inbox', plain: inboxText(groups) };
};

/** What waits, where no dialog can show it. */
function inboxText(groups: readonly InboxGroup[]): string {
  if (groups.length === 0) return 'No suggestions wait.';
  const lines = groups.flatMap(({ title, items }) => [
    title,
    ...items.map((item) => `  ${item.title}  ${item.subtitle}${item.problem ? ` (${item.problem})` : ''}`),
  ]);
  return [...lines, 'To apply or dismiss them, use /memory inbox in a terminal.'].join('\n');
}

export const add: Action = async (context, text) => {
  if (text === '') return failure('Say what to remember: /memory add <text>');
  const path = await engineOf(context).getMemory().add(text);
  return info(`Added to ${path}.`);
};

function count(files: number): string {
  return `${files} ${files === 1 ? 'file' : 'files'}`;
}
