/** Commands about the conversation and what it changed. */
import { builtIn, lazy, lazyCompletion, opens } from '../builtin/define.js';
import type { SlashCommand } from '../types.js';

const chat = () => import('../builtin/chat.js');
const resume = () => import('../builtin/resume.js');
const restore = () => import('../builtin/restore.js');
const copy = () => import('../builtin/copy.js');

/** The same under /resume and /chat. */
function chatCommands(): SlashCommand[] {
  const tag = lazyCompletion(chat, 'completeTag');
  return [
    builtIn('list', '-- checkpoints -- List saved checkpoints', { action: lazy(chat, 'list') }),
    builtIn('save', '-- checkpoints -- Save the conversation: save <tag>', {
      action: lazy(chat, 'save'),
      autoExecute: false,
    }),
    builtIn('resume', '-- checkpoints -- Continue from one: resume <tag>', {
      altNames: ['load'],
      action: lazy(chat, 'resume'),
      completion: tag,
      autoExecute: false,
    }),
    builtIn('delete', '-- checkpoints -- Delete one: delete <tag>', {
      action: lazy(chat, 'remove'),
      completion: tag,
      autoExecute: false,
    }),
    builtIn('share', '-- checkpoints -- Write the conversation to a .json or .md file', {
      action: lazy(chat, 'share'),
    }),
    builtIn('debug', 'Write the last API request to a file', { action: lazy(chat, 'debug') }),
  ];
}

function sessionCommand(name: string, more: Partial<SlashCommand>): SlashCommand {
  return builtIn(name, 'Browse and resume earlier sessions and saved checkpoints', {
    action: lazy(resume, 'resume'),
    ownEntry: { name: 'list', description: '-- auto -- Browse earlier sessions' },
    subCommands: [
      ...chatCommands(),
      builtIn('checkpoints', 'Saved chat checkpoints', {
        altNames: ['checkpoint'],
        hidden: true,
        subCommands: chatCommands(),
      }),
    ],
    ...more,
  });
}

export const clearCommand = builtIn('clear', 'Start a new conversation and clear the screen', {
  altNames: ['new'],
  action: lazy(() => import('../builtin/clear.js'), 'clear'),
});

export const CONVERSATION: readonly SlashCommand[] = [
  sessionCommand('resume', { altNames: ['sessions'] }),
  sessionCommand('chat', { description: 'Save, list, resume and share conversations' }),
  clearCommand,
  builtIn('compress', 'Replace the conversation with a summary', {
    altNames: ['summarize', 'compact'],
    action: lazy(() => import('../builtin/compress.js'), 'compress'),
  }),
  builtIn('uncompress', 'Undo the last compression', {
    yields: true,
    action: lazy(() => import('../builtin/compress.js'), 'uncompress'),
  }),
  builtIn('copy', 'Copy the last answer, or its n-th code block: copy [n]', { action: lazy(copy, 'copy') }),
  builtIn('export', 'Write the conversation to a .json or .md file', {
    yields: true,
    action: lazy(chat, 'share'),
  }),
  builtIn('export-session', 'Write the whole session as JSON: export-session <file>', {
    action: lazy(() => import('../builtin/export-session.js'), 'exportSession'),
    autoExecute: false,
  }),
  builtIn('checkpoint', 'Save files and conversation: checkpoint [tag]', {
    yields: true,
    action: lazy(restore, 'checkpoint'),
  }),
  builtIn('restore', 'Restore a checkpoint: restore [name]', {
    action: lazy(restore, 'restore'),
    completion: lazyCompletion(restore, 'completeCheckpoint'),
  }),
  builtIn('rewind', 'Go back to an earlier prompt', { action: opens('rewind') }),
  builtIn('diff', 'Show what this session changed: diff [path]', {
    yields: true,
    action: lazy(() => import('../builtin/diff.js'), 'diff'),
    completion: lazyCompletion(() => import('../builtin/diff.js'), 'completePath'),
  }),
  builtIn('undo', 'Undo file changes: undo [turn] [id]', {
    yields: true,
    action: lazy(() => import('../builtin/undo.js'), 'undo'),
    completion: lazyCompletion(() => import('../builtin/undo.js'), 'completeId'),
  }),
];
