/** The user's review of auto memory suggestions: none takes effect before the user accepts it here. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { visibleName } from '../../base/visible-text.js';
import { replaceFile } from '../../platform/files/atomic-write.js';
import { toFileError } from '../../platform/files/file-error.js';
import { isInside, realPathOf } from '../../platform/files/real-path.js';
import { encodeText } from '../../platform/files/text-encoding.js';
import { onlyItself } from '../add-fact.js';
import { type Entry, type InboxAction, type InboxGroup, type InboxItem, readEntries } from './inbox-item.js';
import { formatPatch, MAX_PATCH_BYTES } from './patch-format.js';
import type { AutoMemoryPlaces } from './places.js';
import { installedSkill, MAX_SKILL_BYTES, SKILL_FILE, type SkillScope } from './skill-drafts.js';

export type { InboxAction, InboxGroup, InboxGroupTitle, InboxItem } from './inbox-item.js';
export type { SkillScope } from './skill-drafts.js';

export interface InboxPorts {
  places: AutoMemoryPlaces;
  /** Context files have changed. */
  reloadMemory(): Promise<unknown>;
  /** Skills have changed. */
  reloadSkills(): Promise<unknown>;
  /** False: nothing is written to the workspace. */
  isTrusted(): boolean;
}

/** `message` is one line for the user; after a failure it tells why, and the suggestion is kept. */
export interface InboxOutcome {
  ok: boolean;
  message: string;
  /** After `edit`: the changed suggestion. */
  item?: InboxItem;
}

type PatchEntry = Extract<Entry, { kind: 'patch' }>;
type SkillEntry = Extract<Entry, { kind: 'skill' }>;

const GROUPS = ['New Skills', 'Skill Updates', 'Memory Updates'] as const;

export class MemoryInbox {
  constructor(private readonly ports: InboxPorts) {}

  /** Only groups that are not empty. Never throws because of a suggestion. */
  async list(): Promise<InboxGroup[]> {
    const entries = await readEntries(this.ports.places);
    return GROUPS.map((title) => ({
      title,
      items: entries.filter(({ group }) => group === title).map(({ item }) => item),
    })).filter(({ items }) => items.length > 0);
  }

  /** Applies a memory update or an update of an installed skill. @param version of the item that the user saw */
  apply(id: string, version?: string): Promise<InboxOutcome> {
    return this.act(id, 'apply', version, (entry) =>
      entry.kind === 'patch' ? this.applyPatch(entry) : this.updateSkill(entry),
    );
  }

  promoteSkill(id: string, scope: SkillScope, version?: string): Promise<InboxOutcome> {
    return this.act(id, `promote_${scope}`, version, async (entry) => {
      if (entry.kind !== 'skill') return failed('Only skills can be moved.');
      if (scope === 'workspace' && !this.ports.isTrusted())
        return failed('The folder is not trusted, so no skill is put into it.');
      const { name } = entry.draft;
      const file = join(this.ports.places.skillDirs[scope], name, SKILL_FILE);
      this.writeSkill(file, scope, entry, 'absent');
      await this.ports.reloadSkills();
      return done(`The skill "${name}" is installed: ${file}`);
    });
  }

  dismiss(id: string, version?: string): Promise<InboxOutcome> {
    return this.act(id, 'dismiss', version, async (entry) => {
      // Removes a link, not its target.
      rmSync(entry.kind === 'patch' ? entry.file : entry.draft.folder, { recursive: true, force: true });
      return done(`Dismissed: ${entry.item.title}`);
    });
  }

  /** Replaces the suggestion itself; nothing is applied. */
  edit(id: string, text: string, version?: string): Promise<InboxOutcome> {
    return this.act(id, 'edit', version, async (entry) => {
      const most = entry.kind === 'patch' ? MAX_PATCH_BYTES : MAX_SKILL_BYTES;
      const bytes = Buffer.from(text);
      if (bytes.length > most) return failed(`The text is larger than ${most / 1024} KB.`);
      const file = entry.kind === 'patch' ? entry.file : entry.draft.file;
      replaceFile(file, bytes, { authorize: onlyItself(file) });
      const item = (await this.find(id))?.item;
      return { ...done(item?.problem ?? `Changed: ${entry.item.title}`), ...(item && { item }) };
    });
  }

  /** Reads all entries again: an id is never turned into a path. */
  private async act(
    id: string,
    action: InboxAction,
    version: string | undefined,
    work: (entry: Entry) => Promise<InboxOutcome>,
  ): Promise<InboxOutcome> {
    try {
      const entry = await this.find(id);
      if (!entry) return failed(`There is no such suggestion any more: ${visibleName(id)}`);
      const { item } = entry;
      if (version !== undefined && version !== item.version)
        return failed('The suggestion has changed since it was shown. Look at it again.');
      if (!item.actions.includes(action))
        return failed(item.problem ?? `This cannot be done with ${item.title}.`);
      return await work(entry);
    } catch (error) {
      return failed(visibleName(toFileError(error, id).message));
    }
  }

  private async find(id: string): Promise<Entry | undefined> {
    return (await readEntries(this.ports.places)).find(({ item }) => item.id === id);
  }

  /** File by file; a written file is removed from the suggestion, so that a retry after a failure repeats nothing. */
  private async applyPatch({ file, checked }: PatchEntry): Promise<InboxOutcome> {
    if (checked.problem !== undefined) return failed(checked.problem);
    const left = [...checked.files];
    const written: string[] = [];
    try {
      for (let next = left[0]; next; next = left[0]) {
        const { patch, after, format, base } = next;
        const { path } = patch;
        replaceFile(path, await encodeText(after, format), { authorize: onlyItself(path), expect: base });
        written.push(path);
        left.shift();
        if (left.length > 0)
          replaceFile(file, Buffer.from(formatPatch(left.map((item) => item.patch))), {
            authorize: onlyItself(file),
          });
      }
      rmSync(file, { force: true });
    } finally {
      if (written.length > 0) await this.ports.reloadMemory();
    }
    return done(`Written and loaded: ${written.map(visibleName).join(', ')}`);
  }

  private async updateSkill(entry: SkillEntry): Promise<InboxOutcome> {
    const installed = installedSkill(entry.draft.name, this.ports.places);
    if (!installed) return failed('The skill is not installed any more.');
    if (installed.scope === 'workspace' && !this.ports.isTrusted())
      return failed('The folder is not trusted, so its skills are not changed.');
    this.writeSkill(installed.file, installed.scope, entry);
    await this.ports.reloadSkills();
    return done(`The skill "${entry.draft.name}" is updated: ${installed.file}`);
  }

  private writeSkill(file: string, scope: SkillScope, { draft }: SkillEntry, expect?: 'absent'): void {
    const root = realPathOf(this.ports.places.targetDir);
    replaceFile(file, Buffer.from(draft.text), {
      authorize: (real) =>
        scope === 'workspace' && !isInside(real, root)
          ? `${file} leads out of the workspace; nothing is written there.`
          : onlyItself(file)(real),
      ...(expect && { expect }),
    });
    rmSync(draft.folder, { recursive: true, force: true });
  }
}

function done(message: string): InboxOutcome {
  return { ok: true, message };
}

function failed(message: string): InboxOutcome {
  return { ok: false, message };
}
