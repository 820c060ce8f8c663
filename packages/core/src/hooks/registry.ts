/** All configured hooks in order of priority, and which of them are enabled. */
import { type ConfigSource, type HookConfig, type HookDefinition, HookEventName } from './types.js';

export interface HookRegistryEntry extends Omit<HookDefinition, 'hooks'> {
  config: HookConfig;
  source: ConfigSource;
  eventName: HookEventName;
  enabled: boolean;
  /** The configured name, else the command. */
  name: string;
}

/** Why a hook, or a whole file, has no effect. */
export interface HookProblem {
  kind: 'unknown_event' | 'invalid_entry' | 'broken_file' | 'unsupported' | 'cannot_run';
  /** One sentence for the user; names the hook or the file. */
  message: string;
  source?: ConfigSource;
  /** `name` of the hook, if it is about one. */
  hook?: string;
  file?: string;
  line?: number;
}

/** The hooks of one place, in file order. */
export interface HookSource {
  source: ConfigSource;
  definitions: readonly (HookDefinition & { eventName: HookEventName })[];
  problems?: readonly HookProblem[];
}

const PRIORITIES: Readonly<Record<ConfigSource, number>> = {
  runtime: 0,
  project: 1,
  user: 2,
  system: 3,
  extensions: 4,
};

export class HookRegistry {
  private entries: HookRegistryEntry[] = [];
  private found: HookProblem[] = [];
  private disabled: ReadonlySet<string> = new Set();
  /** Choices of this session, by name. */
  private readonly chosen = new Map<string, boolean>();
  private byEvent = new Map<HookEventName, readonly HookRegistryEntry[]>();
  private readonly listeners = new Set<() => void>();

  /** Replaces all hooks. @param disabled names or commands (`hooksConfig.disabled`) */
  load(sources: readonly HookSource[], disabled: readonly string[] = []): void {
    this.disabled = new Set(disabled);
    this.entries = [...sources]
      .sort((a, b) => this.getSourcePriority(a.source) - this.getSourcePriority(b.source))
      .flatMap(({ source, definitions }) =>
        definitions.flatMap(({ hooks, ...definition }) =>
          hooks.map((config) => this.entry({ ...config, source }, { ...definition, source })),
        ),
      );
    this.found = sources.flatMap(({ problems = [] }) => problems);
    this.changed();
  }

  /** Every hook, enabled or not, in the order in which they run. */
  getAllHooks(): HookRegistryEntry[] {
    return [...this.entries];
  }

  /** The enabled hooks of an event. The same array until something changes. */
  getHooksForEvent(event: HookEventName): readonly HookRegistryEntry[] {
    return this.byEvent.get(event) ?? NONE;
  }

  /** Takes effect at once, for all hooks of this name or command. False: there is none. Saves nothing. */
  setHookEnabled(name: string, enabled: boolean): boolean {
    const named = this.entries.filter((entry) => isCalled(entry, name));
    if (named.length === 0) return false;
    for (const entry of named) {
      this.chosen.set(entry.name, enabled);
      entry.enabled = enabled;
    }
    this.changed();
    return true;
  }

  get problems(): readonly HookProblem[] {
    return this.found;
  }

  /** Lower runs first. */
  getSourcePriority(source: ConfigSource): number {
    return PRIORITIES[source] ?? 999;
  }

  /** Calls the listener after every change. */
  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  private entry(
    config: HookConfig,
    definition: Omit<HookDefinition, 'hooks'> & { eventName: HookEventName; source: ConfigSource },
  ): HookRegistryEntry {
    const entry = { ...definition, config, name: hookName(config), enabled: true };
    const isDisabled = [...this.disabled].some((name) => isCalled(entry, name));
    return { ...entry, enabled: this.chosen.get(entry.name) ?? !isDisabled };
  }

  private changed(): void {
    this.byEvent = new Map();
    for (const event of Object.values(HookEventName)) {
      const hooks = this.entries.filter(({ eventName, enabled }) => enabled && eventName === event);
      if (hooks.length > 0) this.byEvent.set(event, hooks);
    }
    for (const listener of [...this.listeners]) listener();
  }
}

const NONE: readonly HookRegistryEntry[] = [];

export function hookName(config: HookConfig): string {
  return config.name || (config.type === 'command' ? config.command : 'runtime hook');
}

/** Two hooks with the same identity are one. */
export function hookIdentity(config: HookConfig): string {
  return `${config.name ?? ''}:${config.type === 'command' ? config.command : ''}`;
}

function isCalled({ name, config }: Pick<HookRegistryEntry, 'name' | 'config'>, wanted: string): boolean {
  return name === wanted || (config.type === 'command' && config.command === wanted);
}
