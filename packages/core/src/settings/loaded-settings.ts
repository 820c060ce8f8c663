/** Reads and merges the settings of all files, and merges them again when trust, environment or a value changes. */
import { FatalConfigError, messageOf, UserError } from '../base/errors.js';
import { isObject } from '../base/objects.js';
import { fatalMessage } from './checking/format-problems.js';
import { takeNotices } from './checking/notices.js';
import { validateSettings } from './checking/validate.js';
import { formatPath, type KeyPath } from './key-path.js';
import { type Layer, type LayerSource, readLayer, resolveLayer } from './layer.js';
import { readHooksToml, readMcpSettings, resolveExtra } from './reading/extra-files.js';
import { mergeSettings } from './reading/merge.js';
import { type SettingsPaths, settingsPaths } from './reading/paths.js';
import { definitionAt, type Settings, valueAt } from './schema/index.js';
import type { FileProblem, SettingScope } from './types.js';

export interface ReadOptions {
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** Fatal errors become ordinary problems (for `gemini doctor`). */
  tolerant?: boolean;
  /** What the program that opens the project brings. */
  program?: ProgramSettings | undefined;
}

/** Settings of a program: above those of user and workspace, below the administrator's. */
export interface ProgramSettings {
  values?: Settings;
  /** True: the files of user and workspace are not read. */
  replacesFiles?: boolean;
}

/** Stands for the file in messages. */
const PROGRAM = 'the settings of this program';

export interface LoadOptions extends ReadOptions {
  trusted: boolean;
}

export interface SettingsFile {
  path: string;
  exists: boolean;
  /** As written: not expanded, not checked. */
  raw: unknown;
}

export type WritableScope = Extract<SettingScope, 'user' | 'workspace'>;

export class LoadedSettings {
  private readonly sources = new Map<SettingScope, LayerSource>();
  private readonly extras: { mcp?: LayerSource; user?: LayerSource; workspace?: LayerSource } = {};
  private readonly ofProgram: LayerSource | undefined;
  private readonly listeners = new Set<() => void>();
  private readonly resolved = new WeakMap<LayerSource, { environment: number; layer: Layer }>();
  private currentLayers: readonly Layer[] | undefined;
  private current: Settings | undefined;
  /** Number of the current environment; the same object may have got more variables. */
  private environment = 0;
  private trusted = false;
  private admin: Settings['admin'];
  private saving: Promise<void> = Promise.resolve();

  private constructor(
    private readonly paths: SettingsPaths,
    private env: NodeJS.ProcessEnv,
    private readonly tolerant: boolean,
    private readonly program: ProgramSettings,
  ) {
    const { values } = program;
    if (!values) return;
    const text = JSON.stringify(values);
    const file = { path: PROGRAM, exists: true, text, hasMark: false, isUtf8: true };
    this.ofProgram = { scope: 'user', file, raw: { ...values }, findings: [] };
  }

  static load({ trusted, ...options }: LoadOptions): LoadedSettings {
    const settings = LoadedSettings.read(options);
    settings.activate({ trusted });
    return settings;
  }

  /**
   * Reads the user and system files, enough to decide on trust and `.env`. A value may depend on variables of an `.env`
   * file, so wrong values do not end the program before `activate`.
   */
  static read({ cwd, env, tolerant = false, program = {} }: ReadOptions): LoadedSettings {
    const settings = new LoadedSettings(settingsPaths(cwd, env), env, tolerant, program);
    for (const scope of ['system-defaults', 'user', 'system'] as const) settings.readScope(scope);
    if (!program.replacesFiles) settings.extras.mcp = readMcpSettings(settings.paths.mcpSettings);
    settings.requireReadable();
    return settings;
  }

  /** Applies all files, once trust is decided and the environment complete. */
  activate({ trusted = this.trusted, env }: { trusted?: boolean; env?: NodeJS.ProcessEnv }): void {
    const wasTrusted = this.trusted;
    if (env) {
      this.env = env;
      this.environment++;
    }
    this.applyTrust(trusted);
    const fatal = this.problems.filter(({ severity }) => severity === 'fatal');
    if (fatal.length === 0 || this.tolerant) return;
    // A running session that catches this keeps its old settings.
    this.applyTrust(wasTrusted);
    throw new FatalConfigError(fatalMessage(fatal));
  }

  /** Reads `hooks.toml` of the user and, if trusted, of the workspace. Call it again after trust is granted. */
  async loadExtraFiles(): Promise<void> {
    if (this.program.replacesFiles) return;
    const before = [this.extras.user, this.extras.workspace];
    this.extras.user = await readHooksToml('user', this.paths.hooks.user);
    this.extras.workspace = this.workspaceCounts()
      ? await readHooksToml('workspace', this.paths.hooks.workspace)
      : undefined;
    if ([...before, this.extras.user, this.extras.workspace].some((file) => file !== undefined))
      this.changed();
  }

  /** Reads the files of user and workspace again. @throws UserError for one that does not parse; nothing has changed then */
  readAgain(): void {
    if (this.program.replacesFiles) return;
    const scopes: WritableScope[] = this.workspaceCounts() ? ['user', 'workspace'] : ['user'];
    const read = scopes.map((scope) => readLayer(scope, this.paths.files[scope]));
    const [failure] = read.flatMap((source) => source.failure ?? []);
    if (failure) throw new UserError(fatalMessage([failure]), { code: 'settings_read' });
    for (const source of read) this.sources.set(source.scope, source);
    this.extras.mcp = readMcpSettings(this.paths.mcpSettings);
    this.changed();
  }

  setTrusted(trusted: boolean): void {
    this.activate({ trusted });
  }

  /** The controls of the user's organisation, from its server. Files cannot set them. */
  setAdminControls(admin: Settings['admin']): void {
    this.admin = admin;
    this.changed();
  }

  /** The merged files, without defaults: see `setting`. */
  get merged(): Settings {
    this.current ??= {
      ...mergeSettings(this.layers.map(({ settings }) => settings)),
      ...(this.admin && { admin: this.admin }),
    };
    return this.current;
  }

  get problems(): readonly FileProblem[] {
    return this.layers.flatMap(({ problems }) => problems);
  }

  /** Per file: older names that are understood (`old -> new`), and keys of older versions that mean nothing any more. */
  get olderNames(): { file: string; renamed: readonly string[]; obsolete: readonly string[] }[] {
    return this.layers
      .filter(({ renamed, obsolete }) => renamed.length + obsolete.length > 0)
      .map(({ scope, renamed, obsolete }) => ({ file: this.paths.files[scope], renamed, obsolete }));
  }

  /** Notices about old names in writable files; each is returned only once, ever. */
  takeNotices(): string[] {
    const found = this.layers.flatMap(({ scope, renamed }) =>
      renamed.length > 0 && !this.isReadOnly(scope)
        ? [{ file: this.paths.files[scope], names: renamed }]
        : [],
    );
    return takeNotices(found, this.paths.shownNotices);
  }

  /** Includes an untrusted workspace file, to show what it would configure. */
  file(scope: SettingScope): SettingsFile {
    const path = this.paths.files[scope];
    if (scope === 'workspace' && this.paths.isHome) return { path, exists: false, raw: {} };
    const { file, raw } = this.sources.get(scope) ?? readLayer(scope, path);
    return { path, exists: file.exists, raw };
  }

  /** The settings of one scope, checked and expanded. */
  layer(scope: SettingScope): Settings {
    return mergeSettings(this.layers.filter((layer) => layer.scope === scope).map((layer) => layer.settings));
  }

  /** The highest scope that sets this key; undefined when it has its default. */
  scopeOf(keyPath: string | KeyPath): SettingScope | undefined {
    const keys = toKeys(keyPath);
    return this.layers.findLast(({ settings }) => valueAt(settings, keys) !== undefined)?.scope;
  }

  isReadOnly(scope: SettingScope): boolean {
    return scope === 'workspace' ? this.paths.isHome : scope !== 'user';
  }

  /**
   * Takes effect at once; the promise resolves when the file is saved. If saving fails it rejects, and the value holds
   * until the end of the process. Undefined removes the key.
   */
  async setValue(scope: WritableScope, keyPath: string | KeyPath, value: unknown): Promise<void> {
    const keys = toKeys(keyPath);
    if (this.isReadOnly(scope)) throw saveError('in the home directory there are no workspace settings');
    requireFitting(scope, keys, value);
    this.putInMemory(scope, keys, value);
    this.changed();
    const saved = this.saving.then(() => this.save(scope, keys, value));
    this.saving = saved.catch(() => {});
    await saved;
  }

  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  private async save(scope: WritableScope, keys: KeyPath, value: unknown): Promise<void> {
    const path = this.paths.files[scope];
    try {
      const { saveSetting } = await import('./writing/write.js');
      await saveSetting(path, { keys, value, isPrivate: scope === 'user' });
    } catch (error) {
      throw saveError(messageOf(error), error);
    }
    // The file may contain changes by other programs, which take effect now.
    if (scope === 'user' || this.workspaceCounts()) this.readScope(scope);
    this.changed();
  }

  private putInMemory(scope: WritableScope, keys: KeyPath, value: unknown): void {
    const source = this.sources.get(scope);
    // The settings of an untrusted workspace have no effect; only its file is changed.
    if (!source) return;
    this.sources.set(scope, { ...source, raw: withValue(source.raw, keys, value) });
  }

  private applyTrust(trusted: boolean): void {
    this.trusted = trusted;
    if (this.workspaceCounts()) this.readScope('workspace');
    else this.sources.delete('workspace');
    this.changed();
  }

  private workspaceCounts(): boolean {
    return this.trusted && !this.paths.isHome;
  }

  private readScope(scope: SettingScope): void {
    if (this.program.replacesFiles && (scope === 'user' || scope === 'workspace')) return;
    this.sources.set(scope, readLayer(scope, this.paths.files[scope]));
  }

  private requireReadable(): void {
    if (this.tolerant) return;
    const failures = [...this.sources.values()].flatMap(({ failure }) => failure ?? []);
    if (failures.length > 0) throw new FatalConfigError(fatalMessage(failures));
  }

  private changed(): void {
    this.refresh();
    for (const listener of [...this.listeners]) listener();
  }

  private get layers(): readonly Layer[] {
    this.currentLayers ??= this.resolveAll();
    return this.currentLayers;
  }

  private refresh(): void {
    this.currentLayers = undefined;
    this.current = undefined;
  }

  private resolveAll(): Layer[] {
    const { mcp, user, workspace } = this.extras;
    const own = (scope: SettingScope) => this.resolve(this.sources.get(scope), resolveLayer);
    const extra = (source: LayerSource | undefined) => this.resolve(source, resolveExtra);
    return [
      ...own('system-defaults'),
      ...extra(mcp),
      ...own('user'),
      ...extra(user),
      ...own('workspace'),
      ...(this.workspaceCounts() ? extra(workspace) : []),
      ...this.resolve(this.ofProgram, resolveLayer),
      ...own('system'),
    ];
  }

  /** A file without variables resolves the same in any environment. */
  private resolve(source: LayerSource | undefined, how: typeof resolveLayer): Layer[] {
    if (!source) return [];
    const known = this.resolved.get(source);
    if (known && (known.environment === this.environment || !source.file.text.includes('$')))
      return [known.layer];
    const layer = how(source, this.env);
    this.resolved.set(source, { environment: this.environment, layer });
    return [layer];
  }
}

function toKeys(keyPath: string | KeyPath): KeyPath {
  return typeof keyPath === 'string' ? keyPath.split('.') : keyPath;
}

/** Refuses a value that the next start would report. */
function requireFitting(scope: WritableScope, keys: KeyPath, value: unknown): void {
  if (!definitionAt(keys) || value === undefined) return;
  const [finding] = validateSettings(withValue({}, keys, value), scope).findings;
  if (finding) throw saveError(`${formatPath(finding.path)}: ${finding.message}`);
}

function withValue(root: unknown, keys: KeyPath, value: unknown): Record<string, unknown> {
  const result: Record<string, unknown> = isObject(root) ? { ...root } : {};
  const [key, ...rest] = keys.map(String);
  if (key === undefined) return result;
  if (rest.length > 0) result[key] = withValue(result[key], rest, value);
  else if (value === undefined) delete result[key];
  else result[key] = value;
  return result;
}

function saveError(reason: string, cause?: unknown): UserError {
  return new UserError(`Failed to save settings: ${reason}`, { code: 'settings_save', cause });
}
