/** The agents of a session by name: built in, from files and extensions, and registered by programs. */
import type { AgentDefinition, LocalAgentDefinition } from '../types.js';
import { type AgentRules, isEnabled, isSameAgent, NO_RULES, withOverride } from './agent-rules.js';

export interface AgentRegistryOptions {
  /** The settings as they are now: a change takes effect at the next look-up. */
  rules?: () => AgentRules;
  /** Told once about each replacement. */
  warn?: (message: string) => void;
}

/** An agent as lists show it. */
export interface RegisteredAgent {
  definition: AgentDefinition;
  isEnabled: boolean;
}

export class AgentRegistry {
  private agents = new Map<string, AgentDefinition>();
  private readonly listeners = new Set<() => void>();
  private readonly rules: () => AgentRules;
  private readonly tell: (message: string) => void;
  private readonly told = new Set<string>();

  constructor({ rules = () => NO_RULES, warn = () => {} }: AgentRegistryOptions = {}) {
    this.rules = rules;
    this.tell = warn;
  }

  /** Replaces an agent with the same name; extensions cannot replace built-in ones. */
  registerAgent(definition: AgentDefinition): void {
    if (this.add(this.agents, definition)) this.changed();
  }

  /** An enabled agent, with the changes of the settings. `-` and `_` are equal if no name matches exactly. */
  getAgent(name: string): AgentDefinition | undefined {
    const known = this.agents.get(name) ?? this.findSimilar(name);
    const rules = this.rules();
    return known && isEnabled(known, rules) ? withOverride(known, rules) : undefined;
  }

  /** All enabled agents, with the changes of the settings. */
  getAllAgents(): AgentDefinition[] {
    const rules = this.rules();
    return [...this.agents.values()]
      .filter((definition) => isEnabled(definition, rules))
      .map((definition) => withOverride(definition, rules));
  }

  /** Disabled agents too, for lists and settings; empty while agents are off altogether. */
  getAgentStates(): RegisteredAgent[] {
    const rules = this.rules();
    if (!rules.enableAgents) return [];
    return [...this.agents.values()].map((definition) => ({
      definition: withOverride(definition, rules),
      isEnabled: isEnabled(definition, rules),
    }));
  }

  /** The name under which `modelConfigs` sets the agent's model. */
  getModelConfigAlias(definition: LocalAgentDefinition): string {
    return `${definition.name}-config`;
  }

  /** Replaces what was loaded from files: `definitions` in registration order. Agents of other sources stay. */
  replaceLoaded(definitions: readonly AgentDefinition[]): void {
    const next = new Map<string, AgentDefinition>();
    const others = [...this.agents.values(), ...this.hidden.values()].filter((agent) => !isFromFile(agent));
    this.hidden.clear();
    for (const definition of others.filter(isBuiltIn)) next.set(definition.name, definition);
    for (const definition of definitions) this.add(next, definition);
    for (const definition of others.filter((agent) => !isBuiltIn(agent))) this.add(next, definition);
    this.agents = next;
    this.changed();
  }

  /** @returns a function that ends the subscription */
  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** The settings, the trust of the folder or the main model has changed. */
  changed(): void {
    for (const listener of this.listeners) listener();
  }

  /** Built-in agents that a file has replaced: they return when the file is gone. */
  private readonly hidden = new Map<string, AgentDefinition>();

  private add(agents: Map<string, AgentDefinition>, definition: AgentDefinition): boolean {
    const earlier = agents.get(definition.name);
    if (earlier && isBuiltIn(earlier)) {
      if (definition.source?.kind === 'extension') {
        this.warn(`${placeOf(definition)} cannot replace the built-in agent "${definition.name}".`);
        return false;
      }
      if (!isBuiltIn(definition)) this.hidden.set(earlier.name, earlier);
    }
    if (earlier && placeOf(earlier) !== placeOf(definition))
      this.warn(`Agent "${definition.name}" of ${placeOf(definition)} replaces that of ${placeOf(earlier)}.`);
    // Deleted first: a replacement takes the place of its own source in the order.
    agents.delete(definition.name);
    agents.set(definition.name, definition);
    return true;
  }

  /** Each message once: files are loaded again and again. */
  private warn(message: string): void {
    if (!this.told.has(message)) this.tell(message);
    this.told.add(message);
  }

  private findSimilar(name: string): AgentDefinition | undefined {
    return [...this.agents.values()].find((agent) => isSameAgent(agent.name, name));
  }
}

function isBuiltIn({ source }: AgentDefinition): boolean {
  return source?.kind === 'builtin';
}

function isFromFile({ source }: AgentDefinition): boolean {
  return source?.kind === 'user' || source?.kind === 'project' || source?.kind === 'extension';
}

/** Where a definition comes from, for messages. */
function placeOf({ source }: AgentDefinition): string {
  if (source?.file) return source.file;
  if (source?.extensionName) return `the extension "${source.extensionName}"`;
  return source?.kind === 'builtin' ? 'the program itself' : 'another program';
}
