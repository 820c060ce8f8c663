/** Loads the agents of files into the registry: the user's, the project's once acknowledged, those of extensions. */
import { messageOf } from '../../base/errors.js';
import { realPathOf } from '../../platform/files/real-path.js';
import { type AgentFolder, type LoadedFolder, loadAgentFolder } from '../definition/load-folder.js';
import type { AgentFileProblem } from '../definition/parse-agent-file.js';
import type { AgentDefinition } from '../types.js';
import type { AcknowledgmentState, Acknowledgments } from './acknowledgments.js';
import type { AgentRegistry } from './agent-registry.js';
import { loadMessages } from './load-messages.js';

/** An agent of the project that the user has not acknowledged in this form. */
export interface PendingAgent {
  name: string;
  description: string;
  file: string;
  state: 'new' | 'changed';
}

export interface AgentReload {
  total: number;
  local: number;
  remote: number;
  added: string[];
  updated: string[];
  deleted: string[];
  problems: AgentFileProblem[];
  warnings: string[];
  /** Agents of the project that stay off until they are acknowledged. */
  skipped: string[];
}

export interface AgentFilesOptions {
  registry: AgentRegistry;
  /** In registration order: user, project, extensions. Without the project while it is not trusted. */
  folders: () => readonly AgentFolder[];
  acknowledgments: Acknowledgments;
  /** Undefined: no user can answer. */
  askToEnable: (agents: readonly PendingAgent[]) => Promise<boolean | undefined>;
  notice: (message: string) => void;
  isKnownModel?: (model: string) => boolean;
}

export class AgentFiles {
  private loading: Promise<AgentReload> = Promise.resolve(NOTHING);
  private readonly said = new Set<string>();

  constructor(private readonly options: AgentFilesOptions) {}

  /** One after the other. Problems are said and returned, never thrown. */
  reload(): Promise<AgentReload> {
    this.loading = this.loading.then(
      () => this.load(),
      () => this.load(),
    );
    return this.loading;
  }

  private async load(): Promise<AgentReload> {
    const { registry, isKnownModel } = this.options;
    const loaded: LoadedFolder[] = [];
    for (const folder of withoutRepetition(this.options.folders()))
      loaded.push(await loadAgentFolder(folder, isKnownModel && { isKnownModel }));
    const before = fromFiles(registry);
    const pending = this.pendingIn(loaded);
    register(registry, loaded, pending);
    for (const message of loadMessages(loaded)) this.say(message);
    const skipped = await this.decide(loaded, pending);
    return {
      ...countOf(registry),
      ...changesBetween(before, fromFiles(registry)),
      ...problemsIn(loaded),
      skipped,
    };
  }

  /** Asks about the project's agents and registers them after a yes. @returns the names that stay off */
  private async decide(
    loaded: readonly LoadedFolder[],
    pending: ReadonlyMap<AgentDefinition, State>,
  ): Promise<string[]> {
    if (pending.size === 0) return [];
    const { registry, acknowledgments, askToEnable } = this.options;
    const definitions = [...new Map([...pending.keys()].map((one) => [one.name, one])).values()];
    const names = definitions.map(({ name }) => name);
    const answer = await askToEnable(definitions.map((one) => asPending(one, pending.get(one) ?? 'new')));
    if (!answer) {
      if (answer === undefined) this.say(notAcknowledged(names));
      return names;
    }
    try {
      await acknowledgments.acknowledge(definitions);
    } catch (error) {
      this.say(`The answer could not be saved, and will be asked again: ${messageOf(error)}`);
    }
    register(registry, loaded, new Map());
    return [];
  }

  private pendingIn(loaded: readonly LoadedFolder[]): Map<AgentDefinition, State> {
    const project = loaded
      .filter(({ folder }) => folder.kind === 'project')
      .flatMap(({ definitions }) => definitions);
    if (project.length === 0) return new Map();
    // Of several with one name only the last counts, so its state is that of all.
    const last = new Map(project.map((definition) => [definition.name, definition]));
    const winners = [...last.values()];
    const states = this.options.acknowledgments.statesOf(winners);
    const byName = new Map(winners.map(({ name }, index) => [name, states[index] ?? 'new']));
    return new Map(
      project.flatMap((definition) => {
        const state = byName.get(definition.name) ?? 'new';
        return state === 'acknowledged' ? [] : [[definition, state] as const];
      }),
    );
  }

  private say(message: string): void {
    if (!this.said.has(message)) this.options.notice(message);
    this.said.add(message);
  }
}

type State = Exclude<AcknowledgmentState, 'acknowledged'>;

const NOTHING: AgentReload = {
  total: 0,
  local: 0,
  remote: 0,
  added: [],
  updated: [],
  deleted: [],
  problems: [],
  warnings: [],
  skipped: [],
};

function register(
  registry: AgentRegistry,
  loaded: readonly LoadedFolder[],
  without: ReadonlyMap<AgentDefinition, unknown>,
): void {
  const definitions = loaded.flatMap((folder) => folder.definitions);
  registry.replaceLoaded(definitions.filter((definition) => !without.has(definition)));
}

/** In the home directory the project's folder is the user's. */
function withoutRepetition(folders: readonly AgentFolder[]): AgentFolder[] {
  const seen = new Set<string>();
  return folders.filter(({ dir, kind }) => {
    // Each extension has a folder of its own: there may be many, and links are slow to resolve.
    const path = kind === 'extension' ? dir : realPathOf(dir);
    return !seen.has(path) && seen.add(path);
  });
}

function fromFiles(registry: AgentRegistry): Map<string, string | undefined> {
  const agents = registry.getAgentStates().map(({ definition }) => definition);
  return new Map(
    agents
      .filter(({ source }) => source?.file)
      .map(({ name, source }) => [name, `${source?.file} ${source?.hash}`]),
  );
}

function countOf(registry: AgentRegistry): Pick<AgentReload, 'total' | 'local' | 'remote'> {
  const agents = registry.getAllAgents();
  const local = agents.filter(({ kind }) => kind === 'local').length;
  return { total: agents.length, local, remote: agents.length - local };
}

function changesBetween(
  before: ReadonlyMap<string, string | undefined>,
  after: ReadonlyMap<string, string | undefined>,
): Pick<AgentReload, 'added' | 'updated' | 'deleted'> {
  const names = [...after.keys()];
  return {
    added: names.filter((name) => !before.has(name)),
    updated: names.filter((name) => before.has(name) && before.get(name) !== after.get(name)),
    deleted: [...before.keys()].filter((name) => !after.has(name)),
  };
}

function problemsIn(loaded: readonly LoadedFolder[]): Pick<AgentReload, 'problems' | 'warnings'> {
  return {
    problems: loaded.flatMap(({ problems }) => problems),
    warnings: loaded.flatMap(({ warnings }) => warnings),
  };
}

function asPending({ name, description, source }: AgentDefinition, state: State): PendingAgent {
  return { name, description, file: source?.file ?? '', state };
}

function notAcknowledged(names: readonly string[]): string {
  const those = names.length === 1 ? 'The project agent' : 'The project agents';
  const are = names.length === 1 ? 'is' : 'are';
  return `${those} ${names.join(', ')} ${are} not enabled: start gemini here without -p and acknowledge ${names.length === 1 ? 'it' : 'them'} first.`;
}
