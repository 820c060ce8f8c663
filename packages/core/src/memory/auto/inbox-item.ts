/** Reads the suggestions on disk for the inbox: checked, grouped, safe to print. */
import { createHash } from 'node:crypto';
import { lstatSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { visibleName, visibleText } from '../../base/visible-text.js';
import { toFileError } from '../../platform/files/file-error.js';
import { readFileBytes } from '../../platform/files/safe-read.js';
import { onlyItself } from '../add-fact.js';
import { type CheckedPatch, checkPatch } from './patch-check.js';
import { MAX_PATCH_BYTES } from './patch-format.js';
import { type AutoMemoryPlaces, PATCH_SCOPES, type PatchScope } from './places.js';
import { installedSkill, listDrafts, type SkillDraft } from './skill-drafts.js';

export type InboxGroupTitle = 'New Skills' | 'Skill Updates' | 'Memory Updates';

/** `promote_*`: install a new skill. */
export type InboxAction = 'apply' | 'promote_user' | 'promote_workspace' | 'edit' | 'dismiss';

export interface InboxItem {
  id: string;
  /** `name [origin]`. */
  title: string;
  /** `files · date`. */
  subtitle: string;
  /** ISO time of the suggestion. */
  date: string;
  /** Absolute paths that would be written; empty when unknown. */
  files: string[];
  /** A unified diff of the real change, or the text of a new skill. */
  preview: string;
  isDiff: boolean;
  /** Why it cannot be applied; it can still be edited or dismissed. */
  problem?: string;
  actions: InboxAction[];
  /** The raw text, only for an editor: it may contain characters that must not reach a terminal. */
  editableText: string;
  /** A hash of the suggestion. An action with an outdated version is refused. */
  version: string;
}

export interface InboxGroup {
  title: InboxGroupTitle;
  items: InboxItem[];
}

/** An item with the data needed to apply it. */
export type Entry = { item: InboxItem; group: InboxGroupTitle } & (
  | { kind: 'patch'; file: string; scope: PatchScope; checked: CheckedPatch }
  | { kind: 'skill'; draft: SkillDraft }
);

export async function readEntries(places: AutoMemoryPlaces): Promise<Entry[]> {
  const skills = await Promise.all((await listDrafts(places)).map((draft) => skillEntry(draft, places)));
  const patches = await Promise.all(
    patchFiles(places).map(({ file, scope }) => patchEntry(file, scope, places)),
  );
  return [...skills, ...patches];
}

/** Lists the files without reading them. */
function patchFiles({ inboxDir }: AutoMemoryPlaces): { file: string; scope: PatchScope }[] {
  return PATCH_SCOPES.flatMap((scope) => {
    const folder = join(inboxDir, scope);
    // A link in place of the folder would make us read and remove other files.
    if (![inboxDir, folder].every((path) => lstatSync(path, { throwIfNoEntry: false })?.isDirectory()))
      return [];
    return readdirSync(folder)
      .filter((name) => name.endsWith('.patch'))
      .sort()
      .map((name) => ({ file: join(folder, name), scope }));
  });
}

async function patchEntry(file: string, scope: PatchScope, places: AutoMemoryPlaces): Promise<Entry> {
  const { text, modifiedMs, failure } = readPatch(file);
  const checked = failure ? { paths: [], problem: failure } : await checkPatch(text, scope, places);
  const { problem } = checked;
  const targets = 'files' in checked ? checked.files.map(({ patch }) => patch.path) : checked.paths;
  const files = targets.map(visibleName);
  const shownFiles =
    files.length > 0 ? [...new Set(files.map((path) => basename(path)))].join(', ') : 'no files';
  const item: InboxItem = {
    id: `memory/${scope}/${basename(file)}`,
    title: `${nameOf(file, files)} [${scope}]`,
    subtitle: `${shownFiles} · ${dayOf(modifiedMs)}`,
    date: new Date(modifiedMs).toISOString(),
    files,
    preview: visibleText('diff' in checked ? checked.diff : text),
    isDiff: true,
    ...(problem !== undefined && { problem: visibleName(`This suggestion cannot be applied: ${problem}.`) }),
    actions: problem === undefined ? ['apply', 'edit', 'dismiss'] : ['edit', 'dismiss'],
    editableText: text,
    version: versionOf(text),
  };
  return { kind: 'patch', group: 'Memory Updates', item, file, scope, checked };
}

function nameOf(file: string, targets: readonly string[]): string {
  return targets[0] ? basename(targets[0], '.md') : visibleName(basename(file, '.patch'));
}

function readPatch(file: string): { text: string; modifiedMs: number; failure?: string } {
  try {
    const { bytes, version } = readFileBytes(file, { limit: MAX_PATCH_BYTES, authorize: onlyItself(file) });
    return { text: bytes.toString('utf8'), modifiedMs: version.modifiedMs };
  } catch (error) {
    const modifiedMs = lstatSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    return { text: '', modifiedMs, failure: toFileError(error, file).message.replace(/\.$/, '') };
  }
}

async function skillEntry(draft: SkillDraft, places: AutoMemoryPlaces): Promise<Entry> {
  const { name, text, modifiedMs } = draft;
  const installed = installedSkill(name, places);
  const isUpdate = installed !== undefined;
  const before = installed ? readText(installed.file) : '';
  const problem =
    draft.problem ??
    (installed && installed.modifiedMs > modifiedMs
      ? 'the installed skill was changed after this was suggested; edit the suggestion to continue with it'
      : before === undefined
        ? 'the installed skill cannot be read'
        : isUpdate && before === text
          ? 'nothing would change'
          : undefined);
  const item: InboxItem = {
    id: `skill/${encodeURIComponent(name)}`,
    title: `${visibleName(name)} [${installed?.scope ?? 'draft'}]`,
    subtitle: `SKILL.md · ${dayOf(modifiedMs)}`,
    date: new Date(modifiedMs).toISOString(),
    files: installed ? [installed.file] : [],
    preview: visibleText(installed ? await diffOf(installed.file, before ?? '', text) : text),
    isDiff: isUpdate,
    ...(problem !== undefined && { problem: visibleName(`This suggestion cannot be used: ${problem}.`) }),
    actions: actionsFor(isUpdate, problem !== undefined, draft),
    editableText: text,
    version: versionOf(`${name}\n${text}`),
  };
  return { kind: 'skill', group: isUpdate ? 'Skill Updates' : 'New Skills', item, draft };
}

function actionsFor(isUpdate: boolean, isInvalid: boolean, { text }: SkillDraft): InboxAction[] {
  if (isInvalid) return text === '' ? ['dismiss'] : ['edit', 'dismiss'];
  return isUpdate ? ['apply', 'edit', 'dismiss'] : ['promote_user', 'promote_workspace', 'edit', 'dismiss'];
}

const DIFF_TIME_MS = 500;

async function diffOf(path: string, before: string, after: string): Promise<string> {
  const { createTwoFilesPatch } = await import('diff');
  const options = { context: 3, timeout: DIFF_TIME_MS };
  return createTwoFilesPatch(path, path, before, after, undefined, undefined, options) ?? after;
}

function readText(path: string): string | undefined {
  try {
    return readFileBytes(path, { authorize: onlyItself(path) }).bytes.toString('utf8');
  } catch {
    return undefined;
  }
}

function versionOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
