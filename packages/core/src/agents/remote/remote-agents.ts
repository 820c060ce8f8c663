/**
 * Agents on other servers, over A2A: their cards, and one request at a time to each of their tasks. What a server sends is
 * data for the model, never trusted.
 */
import { mapLimited } from '../../base/concurrency.js';
import { messageOf } from '../../base/errors.js';
import type { Clock } from '../../platform/clock.js';
import type { ProxySource } from '../../platform/environment.js';
import { createLog } from '../../platform/log.js';
import type { RemoteAgentDefinition, RemoteAgents, RemoteAnswer } from '../types.js';
import type { CredentialParts } from './auth/credentials.js';
import { describeAgent } from './card/describe-card.js';
import { REMOTE_LIMITS, type RemoteLimits } from './limits.js';
import { RemoteAgent } from './remote-agent.js';

export interface RemoteAgentsParts {
  proxies: ProxySource;
  clock: Clock;
  /** Made for each agent: what its secrets may come from depends on where it was defined. */
  credentialParts: (definition: RemoteAgentDefinition) => CredentialParts;
  /** One line for the user. */
  warn: (message: string) => void;
  /** Takes secrets out of texts of servers. */
  redact: (text: string) => string;
  limits?: Partial<RemoteLimits>;
}

export interface LoadProblem {
  name: string;
  message: string;
}

const log = createLog('remote-agents');
const LOADED_AT_ONCE = 16;

export class A2aRemoteAgents implements RemoteAgents {
  private readonly agents = new Map<string, RemoteAgent>();
  private readonly limits: RemoteLimits;

  constructor(private readonly parts: RemoteAgentsParts) {
    this.limits = { ...REMOTE_LIMITS, ...parts.limits };
  }

  /**
   * Loads the cards of all agents at once, for at most ten seconds. An agent without a card stays usable: the card is
   * loaded when it is used.
   */
  async load(definitions: readonly RemoteAgentDefinition[], signal: AbortSignal): Promise<LoadProblem[]> {
    const { startMs } = this.limits;
    const loaded = new Set<string>();
    const problems: LoadProblem[] = [];
    const loading = mapLimited(definitions, LOADED_AT_ONCE, async (definition) => {
      const { name } = definition;
      try {
        await this.agentFor(definition).loadCard({ timeoutMs: startMs, mayAsk: false }, signal);
      } catch (error) {
        log.warn(`card of ${name} not loaded`, error);
        if (!isLate) problems.push({ name, message: this.parts.redact(messageOf(error)) });
      }
      loaded.add(name);
    });
    let isLate = false;
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, startMs);
    });
    await Promise.race([loading, limit]);
    clearTimeout(timer);
    isLate = true;
    const late = definitions.filter(({ name }) => !loaded.has(name));
    return [
      ...problems,
      ...late.map(({ name }) => ({ name, message: `no card within ${startMs / 1000} s` })),
    ];
  }

  describe(definition: RemoteAgentDefinition): string {
    return describeAgent(definition.description, this.agentFor(definition).card);
  }

  invoke(
    definition: RemoteAgentDefinition,
    query: string,
    options: { signal: AbortSignal; onUpdate?: (text: string) => void },
  ): Promise<RemoteAnswer> {
    return this.agentFor(definition).invoke(query, options);
  }

  close(): void {
    for (const agent of this.agents.values()) agent.close();
    this.agents.clear();
  }

  /** A changed definition is another agent, with a conversation of its own. */
  private agentFor(definition: RemoteAgentDefinition): RemoteAgent {
    const { name, agentCardUrl, agentCardJson, auth } = definition;
    const key = JSON.stringify([name, agentCardUrl, agentCardJson, auth]);
    const known = this.agents.get(key);
    if (known) return known;
    const agent = new RemoteAgent(definition, { ...this.parts, limits: this.limits });
    this.agents.set(key, agent);
    return agent;
  }
}
