/** Remote agents of a project. Nothing of them is loaded before one is used. */
import type { A2aRemoteAgents, LoadProblem } from '../agents/remote/remote-agents.js';
import type { AgentDefinition, RemoteAgentDefinition, RemoteAgents } from '../agents/types.js';
import type { EventStream } from '../bus/event-stream.js';
import type { Clock } from '../platform/clock.js';
import type { Environment } from '../platform/environment.js';

export interface RemoteAgentPorts {
  environment: Environment;
  clock: Clock;
  events: EventStream;
  redactor: { redact(text: string): string; addSecret(secret: string): void };
  notice: (message: string) => void;
}

export interface ComposedRemoteAgents extends RemoteAgents {
  /**
   * Loads the cards of all definitions that it has not seen yet, at once, for at most ten seconds, and tells the user
   * which failed: they are tried again when they are used. Descriptions have the words of the cards afterwards.
   */
  load(definitions: readonly AgentDefinition[], signal: AbortSignal): Promise<readonly LoadProblem[]>;
  close(): void;
}

export function composeRemoteAgents(ports: RemoteAgentPorts): ComposedRemoteAgents {
  let loaded: A2aRemoteAgents | undefined;
  const seen = new WeakSet<AgentDefinition>();
  /** A prompt that comes while cards are loaded waits for them. */
  let loading: Promise<unknown> = Promise.resolve();
  const agents = async () => {
    loaded ??= await make(ports);
    return loaded;
  };
  return {
    describe: (definition) => loaded?.describe(definition) ?? definition.description,
    invoke: async (definition, query, options) => (await agents()).invoke(definition, query, options),
    load: async (definitions, signal) => {
      const unseen = definitions.filter(
        (definition): definition is RemoteAgentDefinition =>
          definition.kind === 'remote' && !seen.has(definition),
      );
      const others = loading;
      if (unseen.length === 0) {
        await others;
        return [];
      }
      for (const definition of unseen) seen.add(definition);
      const own = agents().then((loader) => loader.load(unseen, signal));
      loading = Promise.allSettled([others, own]);
      const problems = await own;
      for (const { name, message } of problems) {
        ports.notice(
          `The remote agent ${name} is not available yet: ${message} It is tried again when it is used.`,
        );
      }
      return problems;
    },
    close: () => loaded?.close(),
  };
}

async function make({
  environment,
  clock,
  events,
  redactor,
  notice,
}: RemoteAgentPorts): Promise<A2aRemoteAgents> {
  const [{ A2aRemoteAgents }, { credentialPartsFrom }, { oauthPrompts }] = await Promise.all([
    import('../agents/remote/remote-agents.js'),
    import('../agents/remote/auth/credential-parts.js'),
    import('./oauth-prompts.js'),
  ]);
  const credentialParts = credentialPartsFrom({
    environment,
    clock,
    prompts: () => oauthPrompts(events, environment.variables),
    warn: notice,
    onSecret: (secret) => redactor.addSecret(secret),
  });
  return new A2aRemoteAgents({
    proxies: environment,
    clock,
    credentialParts,
    warn: notice,
    redact: (text) => redactor.redact(text),
  });
}
