/** A session with agents defined in code, and a model that answers each agent from its own script. */
import { createTestConfig } from '@gemini-cli/test-utils';
import type { AgentDefinition, LocalAgentDefinition } from '../agents/types.js';
import type { ConfigParameters } from '../engine/parameters.js';
import type { GenerateRequest } from '../model/content-generator.js';
import { type FakeAnswer, FakeModel } from '../model/wrappers/fake.js';
import type { AgentEvent } from '../protocol/agent-events.js';
import { textOf } from '../protocol/messages.js';
import type { Config } from './config.js';

export const call = (name: string, args: Record<string, unknown>): FakeAnswer => ({
  calls: [{ name, args }],
});

export const invoke = (agent_name: string, prompt = 'look'): FakeAnswer =>
  call('invoke_agent', { agent_name, prompt });

export const complete = (result: unknown, name = 'result'): FakeAnswer =>
  call('complete_task', { [name]: result });

export function agentOf(name: string, more: Partial<LocalAgentDefinition> = {}): LocalAgentDefinition {
  return {
    kind: 'local',
    name,
    description: `Does what ${name} does.`,
    inputConfig: { inputs: { query: { description: 'The task', type: 'string', required: true } } },
    promptConfig: { systemPrompt: `You are ${name}.`, query: '${query}' },
    modelConfig: { model: 'inherit' },
    runConfig: { maxTimeMinutes: 5, maxTurns: 10 },
    ...more,
  };
}

export interface Scripts {
  main: readonly FakeAnswer[];
  /** By the agent's name, which its system prompt begins with. */
  [agent: string]: readonly FakeAnswer[];
}

export async function sessionWith(
  agents: readonly AgentDefinition[],
  scripts: Scripts,
  parameters: Partial<ConfigParameters> = {},
) {
  const waiting = new Map(Object.entries(scripts).map(([name, answers]) => [name, [...answers]]));
  const speakerOf = ({ systemInstruction = '' }: GenerateRequest) =>
    /^You are (\w+)\./.exec(systemInstruction)?.[1] ?? 'main';
  const answer = (request: GenerateRequest): FakeAnswer => {
    const script = waiting.get(speakerOf(request));
    return script?.shift() ?? `no answer for ${speakerOf(request)}`;
  };
  const model = new FakeModel(Array.from({ length: 1000 }, () => answer));
  const config = await createTestConfig({
    model: 'gemini-2.5-flash',
    contentGenerator: model,
    ...parameters,
  });
  for (const agent of agents) config.getAgentRegistry().registerAgent(agent);
  const events: AgentEvent[] = [];
  config.getEvents().subscribe((event) => events.push(event));
  const send = async (prompt = 'go', signal?: AbortSignal): Promise<AgentEvent[]> => {
    const seen: AgentEvent[] = [];
    for await (const event of config.getSession().send(prompt, { ...(signal && { signal }) }))
      seen.push(event);
    return seen;
  };
  const requestsOf = (name: string) => model.requests.filter((request) => speakerOf(request) === name);
  return { config, model, events, send, requestsOf };
}

/** What the main model got as answers to its calls, in order. */
export function answersTo(config: Config): string[] {
  const history = config.getGeminiClient().getChat().getHistory();
  return history.flatMap(({ parts }) =>
    parts.flatMap(({ functionResponse }) => {
      if (!functionResponse) return [];
      const { output, error } = functionResponse.response;
      return [String(output ?? error)];
    }),
  );
}

/** The first message of an agent, context included. */
export function firstMessages(request: GenerateRequest | undefined): string[] {
  return request?.messages.map(({ parts }) => textOf(parts)) ?? [];
}
