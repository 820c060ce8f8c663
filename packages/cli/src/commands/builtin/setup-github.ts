/** `/setup-github`: writes workflow files for GitHub Actions into the repository, after a question. */
import { existsSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { CommandContext, SlashCommandActionReturn } from '../types.js';
import { type Action, failure, info } from './define.js';
import { WORKFLOWS } from './github-workflows.js';

/** The key file that Google's sign-in action leaves in the folder. */
const IGNORED = 'gha-creds-*.json';

interface Change {
  path: string;
  text: string;
  isNew: boolean;
}

export const setupGithub: Action = async (context) => {
  const root = await context.services.git?.root();
  if (!root) return failure('/setup-github needs a git repository, and this folder is not in one.');
  const link = linkIn(root);
  if (link) return failure(`${link} is a link; nothing was written. Replace it with a folder or file.`);
  const changes = [...workflowChanges(root), ...ignoreChange(root)];
  if (changes.length === 0) return info('The workflow files are already there; nothing was changed.');
  if (!context.overwriteConfirmed) return question(context, root, changes);
  for (const { path, text } of changes) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  return info(
    [
      `Wrote ${names(root, changes)}. Before you push them, on GitHub under Settings, "Secrets and variables", "Actions":`,
      '  secret    GEMINI_API_KEY      your key',
      '  variable  GEMINI_CLI_PACKAGE  the tarball that "npm run pack" makes: a path in the repository or an address',
    ].join('\n'),
  );
};

function workflowChanges(root: string): Change[] {
  return Object.entries(WORKFLOWS).flatMap(([name, text]) => {
    const path = join(root, '.github/workflows', name);
    const current = readIfThere(path);
    return current === text ? [] : [{ path, text, isNew: current === undefined }];
  });
}

function ignoreChange(root: string): Change[] {
  const path = join(root, '.gitignore');
  const current = readIfThere(path) ?? '';
  if (current.split(/\r?\n/).includes(IGNORED)) return [];
  const separator = current === '' || current.endsWith('\n') ? '' : '\n';
  return [{ path, text: `${current}${separator}${IGNORED}\n`, isNew: current === '' }];
}

function question(
  { invocation }: CommandContext,
  root: string,
  changes: readonly Change[],
): SlashCommandActionReturn {
  const added = changes.filter(({ isNew }) => isNew);
  const extended = changes.filter(({ path, isNew }) => !isNew && path.endsWith('.gitignore'));
  const replaced = changes.filter((change) => !change.isNew && !extended.includes(change));
  const parts = [
    added.length > 0 && `Write ${names(root, added)}`,
    extended.length > 0 && `add ${IGNORED} to ${names(root, extended)}`,
    replaced.length > 0 && `REPLACE your ${names(root, replaced)}`,
  ].filter(Boolean);
  return {
    type: 'confirm_action',
    prompt: `In ${root}: ${parts.join('; ')}?`,
    originalInvocation: { raw: invocation?.raw ?? '/setup-github' },
  };
}

/** A link could lead the files out of the repository. */
function linkIn(root: string): string | undefined {
  const files = Object.keys(WORKFLOWS).map((name) => `.github/workflows/${name}`);
  return ['.github', '.github/workflows', ...files, '.gitignore']
    .map((name) => join(root, name))
    .find((path) => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink());
}

function names(root: string, changes: readonly Change[]): string {
  return changes.map(({ path }) => relative(root, path)).join(', ');
}

function readIfThere(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
