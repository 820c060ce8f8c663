/** Manages a session's context files (GEMINI.md and others): loads them, sends them to the model, lists them. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { discoverAtStart, discoverLater, identityOf, type MemoryEnvironment } from './discover.js';
import { blockOf, readFound } from './load.js';
import { contextFileNames, DEFAULT_CONTEXT_FILE, mayBeGlobal } from './names.js';
import type { FoundFile, LoadedMemory, MemoryFile, MemoryProblem } from './types.js';

export interface MemoryPorts extends MemoryEnvironment {
  /** Hides secrets from the model. */
  mask(text: string): string;
  /** Tells the user that something was ignored. */
  notice(message: string): void;
}

const LATER_START = '--- Newly Discovered Project Context ---';
const LATER_END = '--- End Project Context ---';
const NOTHING: LoadedMemory = { userText: '', projectText: '', files: [], problems: [] };

export class MemoryContextManager {
  private loaded: LoadedMemory | undefined;
  private loading: Promise<LoadedMemory> | undefined;
  /** Fingerprint of the files and settings that the loaded text depends on. */
  private state = '';
  private watched: readonly string[] = [];
  private identities = new Set<string>();
  /** Files found since the start, by identity. */
  private readonly later = new Map<string, { path: string; version: string; block: string }>();
  /** The project text in the first message of the conversation. */
  private told: string | undefined;
  private directories: readonly string[];
  private readonly said = new Set<string>();

  constructor(private readonly ports: MemoryPorts) {
    this.directories = [...ports.directories()];
  }

  /** Reads at the first call only. */
  load(): Promise<LoadedMemory> {
    this.loading ??= this.read();
    return this.loading;
  }

  /** Reads again if a file or trust has changed, and returns whether it did. Cheap when nothing changed. */
  async refresh(): Promise<boolean> {
    await this.load();
    if (this.currentState() === this.state) return false;
    this.loading = this.read();
    await this.loading;
    return true;
  }

  /** `/memory reload`: also reads directories added since the start, if the settings allow it. */
  async reload(): Promise<{ characters: number; files: number }> {
    await this.loading;
    if (this.ports.settings().loadFromIncludeDirectories) this.directories = [...this.ports.directories()];
    this.loading = this.read();
    const { userText, projectText, files } = await this.loading;
    return { characters: userText.length + projectText.length, files: files.length };
  }

  /** The text for the first message of a new conversation. */
  async opening(): Promise<string> {
    if (this.loading) await this.refresh();
    else await this.load();
    this.later.clear();
    this.told = this.current.projectText;
    return this.told;
  }

  /** The text for the system prompt. Changes of the project text since the first message are added here. */
  systemText(): string {
    const { userText, projectText } = this.current;
    if (this.told === undefined || projectText === this.told) return userText;
    const change = projectText
      ? `The instructions of this project have changed since the conversation began. These hold now, not those:\n${projectText}`
      : 'The instructions of this project that stand at the beginning of the conversation do not hold any more.';
    return [userText, change].filter(Boolean).join('\n\n');
  }

  /** The text of context files between the workspace directory and these paths, each once. Undefined: nothing new. */
  async forPaths(paths: readonly string[]): Promise<string | undefined> {
    await this.load();
    const found = paths.flatMap((path) => {
      const { files, problems } = discoverLater(this.ports, path);
      this.tell(problems);
      // Marked at once: parallel calls may touch the same folder.
      return files.filter((file) => this.take(file));
    });
    if (found.length === 0) return undefined;
    const { files, problems } = await readFound(found, this.readRules());
    this.tell(problems);
    const blocks = files.map((file) => ({ path: file.path, block: blockOf(file) }));
    for (const file of found) {
      const entry = this.later.get(identityOf(file));
      const block = blocks.find(({ path }) => path === file.path)?.block;
      if (entry && block) entry.block = block;
    }
    if (blocks.length === 0) return undefined;
    return [LATER_START, ...blocks.map(({ block }) => block), LATER_END].join('\n');
  }

  /** After a compression: the texts that the removed turns contained. The first message and the system prompt stay. */
  reminders(): string[] {
    if (!this.ports.isTrusted()) return [];
    return [...this.later.values()].map(({ block }) => block).filter(Boolean);
  }

  /** `/memory list`. */
  async list(): Promise<string[]> {
    return (await this.load()).files.map(({ path }) => path);
  }

  /** `/memory show`: by tier, each only if it has files. */
  async show(): Promise<{ title: string; files: readonly MemoryFile[] }[]> {
    const { files } = await this.load();
    const ofTier = (tier: MemoryFile['tier']) => files.filter((file) => file.tier === tier);
    return [
      { title: 'Global', files: ofTier('global') },
      { title: 'Private Project Memory', files: ofTier('private') },
      { title: 'Extension', files: ofTier('extension') },
      { title: 'Project', files: ofTier('project') },
    ].filter(({ files }) => files.length > 0);
  }

  /** `/memory add`: one line in the global file. @throws FileError, with nothing written */
  async add(text: string): Promise<string> {
    const path = this.fileFor('global');
    const { addFact } = await import('./add-fact.js');
    await addFact(path, text);
    await this.refresh();
    return path;
  }

  /** The file for facts of this scope: the one that is read, else the one that would be. */
  fileFor(scope: 'global' | 'project'): string {
    const { names } = contextFileNames(this.ports.settings().fileName);
    const folder = scope === 'global' ? this.ports.globalDir : (this.ports.directories()[0] ?? '');
    const usable = scope === 'global' ? names.filter(mayBeGlobal) : names;
    const { files } = discoverAtStart(this.ports, [folder]);
    const tier = scope === 'global' ? 'global' : 'project';
    const existing = files.find((file) => file.tier === tier && join(file.path, '..') === folder);
    return existing?.path ?? join(folder, usable[0] ?? DEFAULT_CONTEXT_FILE);
  }

  /** False when the project's file would not be read. */
  readsProject(): boolean {
    return this.ports.isTrusted();
  }

  private get current(): LoadedMemory {
    return this.loaded ?? NOTHING;
  }

  private async read(): Promise<LoadedMemory> {
    const discovery = discoverAtStart(this.ports, this.directories);
    const { files, watched, problems } = await readFound(discovery.files, this.readRules());
    this.watched = watched;
    this.identities = new Set(discovery.files.map(identityOf));
    this.state = this.currentState(discovery);
    const blocksOf = (...tiers: MemoryFile['tier'][]) =>
      files
        .filter(({ tier }) => tiers.includes(tier))
        .map(blockOf)
        .join('\n\n');
    this.loaded = {
      userText: blocksOf('global', 'private'),
      projectText: blocksOf('extension', 'project'),
      files,
      problems: [...discovery.problems, ...problems],
    };
    this.tell(this.loaded.problems);
    return this.loaded;
  }

  private currentState(discovery = discoverAtStart(this.ports, this.directories)): string {
    const versions = this.watched.map((path) => {
      try {
        const stats = statSync(path, { throwIfNoEntry: false });
        return stats && [stats.ino, stats.size, stats.mtimeMs, stats.ctimeMs];
      } catch {
        return undefined;
      }
    });
    const { importFormat } = this.ports.settings();
    return JSON.stringify([
      discovery.files.map(({ path, version }) => [path, version]),
      versions,
      importFormat,
    ]);
  }

  /** False when the model already has the file. */
  private take(file: FoundFile): boolean {
    const identity = identityOf(file);
    const version = JSON.stringify(file.version);
    if (this.identities.has(identity) || this.later.get(identity)?.version === version) return false;
    // An editor may have replaced the known file by another one.
    for (const [known, { path }] of this.later) if (path === file.path) this.later.delete(known);
    this.later.set(identity, { path: file.path, version, block: '' });
    return true;
  }

  private readRules() {
    return { format: this.ports.settings().importFormat, mask: (text: string) => this.ports.mask(text) };
  }

  private tell(problems: readonly MemoryProblem[]): void {
    for (const { path, line, message, namesFile } of problems) {
      const place = line === undefined ? path : `${path}:${line}`;
      const text = namesFile ? message : `${place}: ${message}`;
      if (this.said.has(text)) continue;
      this.said.add(text);
      this.ports.notice(`Context file: ${text}`);
    }
  }
}

/** Changes our own marker in a tool's output, so that the output cannot pose as a context file. */
export function withoutFalseContext(text: string): string {
  return text.includes(LATER_START)
    ? text.replaceAll(LATER_START, '--- Newly Discovered Project Context (quoted from the output) ---')
    : text;
}
