/** `/directory`: folders beside the project root that tools may work in. */
import { readdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { decideTrust, TrustedFolders, visibleName } from '@gemini-cli/core';
import type { CommandContext, SlashCommandActionReturn } from '../types.js';
import { type Action, type Completion, failure } from './define.js';
import { engineOf } from './needs.js';

export const add: Action = (context, args) => {
  const config = engineOf(context);
  const paths = splitPaths(args).map((path) => resolve(context.ui.app.cwd, expandHome(path)));
  if (paths.length === 0) return failure('Name the folders: /directory add <path>,<path>');
  const wrong = paths.filter((path) => !isDirectory(path));
  if (wrong.length > 0) return failure(`No such folder: ${wrong.join(', ')}. Nothing was added.`);
  const untrusted = context.overwriteConfirmed ? [] : paths.filter((path) => !isTrusted(path, context));
  if (untrusted.length > 0) return askForTrust(untrusted, context);
  const workspace = config.getWorkspaceContext();
  const known = new Set(workspace.getDirectories());
  for (const path of paths) workspace.addDirectory(path);
  const added = workspace.getDirectories().filter((path) => !known.has(path));
  config.getChatRecordingService()?.setMetadata({ directories: workspace.getDirectories().slice(1) });
  return {
    type: 'items',
    items: [
      {
        type: 'list',
        title: 'Added to the workspace',
        rows: added.map((name) => ({ name })),
        empty: 'These folders are in the workspace already.',
      },
    ],
  };
};

export const show: Action = (context) => {
  const [root, ...others] = engineOf(context).getWorkspaceContext().getDirectories();
  return {
    type: 'items',
    items: [
      {
        type: 'list',
        title: 'Workspace folders',
        rows: [...(root ? [{ name: root, note: 'project' }] : []), ...others.map((name) => ({ name }))],
        empty: 'The workspace has no folders.',
      },
    ],
  };
};

/** Completes the last of the comma-separated paths. */
export const completeDirectory: Completion = ({ ui }, partialArg) => {
  const comma = partialArg.lastIndexOf(',') + 1;
  const [before, typed] = [partialArg.slice(0, comma), partialArg.slice(comma).trimStart()];
  const isInside = typed === '' || typed.endsWith('/');
  const parent = isInside ? typed : join(dirname(typed), '/');
  const start = isInside ? '' : basename(typed);
  const shown = typed.includes('/') ? typed.slice(0, typed.lastIndexOf('/') + 1) : '';
  return foldersIn(resolve(ui.app.cwd, expandHome(parent || '.')))
    .filter((name) => name.startsWith(start) && (start.startsWith('.') || !name.startsWith('.')))
    .map((name) => `${before}${shown}${name}/`);
};

/** Applies the rules that also decide about the session folder. */
function isTrusted(folder: string, { services: { settings, config } }: CommandContext): boolean {
  const env = config?.getEnvironment().variables ?? process.env;
  // Project settings must not decide what is trusted.
  const [system, user] = [settings.layer('system'), settings.layer('user')];
  const trustedFolders = [...(user.trustedFolders ?? []), ...(system.trustedFolders ?? [])];
  const folders = TrustedFolders.load(env, { tolerant: true, trustedFolders });
  const featureEnabled = system.security?.folderTrust?.enabled ?? user.security?.folderTrust?.enabled ?? true;
  return decideTrust({ folder, env, skipTrust: false, featureEnabled, folders }).trusted;
}

function askForTrust(folders: readonly string[], context: CommandContext): SlashCommandActionReturn {
  const { invocation, services } = context;
  const env = services.config?.getEnvironment().variables ?? process.env;
  const names = folders.map((path) => `  ${visibleName(path)}`).join('\n');
  return {
    type: 'confirm_action',
    prompt: `These folders are not trusted yet:\n${names}\nUse them in this session?`,
    originalInvocation: { raw: invocation?.raw ?? '' },
    remember: {
      label: 'Yes, and remember the directories as trusted',
      save: async () => {
        const trusted = TrustedFolders.load(env);
        for (const folder of folders) await trusted.setRule(folder, 'TRUST_FOLDER');
      },
    },
  };
}

/** A comma in a name is written `\,`. */
function splitPaths(args: string): string[] {
  return args
    .split(/(?<!\\),/)
    .map((path) =>
      path
        .trim()
        .replaceAll('\\,', ',')
        .replace(/^"(.*)"$/, '$1'),
    )
    .filter((path) => path !== '');
}

function expandHome(path: string): string {
  return path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : path;
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function foldersIn(path: string): string[] {
  try {
    return readdirSync(path, { withFileTypes: true })
      .filter(
        (entry) => entry.isDirectory() || (entry.isSymbolicLink() && isDirectory(join(path, entry.name))),
      )
      .map(({ name }) => name)
      .sort();
  } catch {
    return [];
  }
}
