/** Agents that run other agents from inside a tool call: own context and limits, shared ledger, budget and policy. */
import { createTestConfig } from '@gemini-cli/test-utils';
import { describe, expect, it } from 'vitest';
import { FixedModel } from '../agent/fixed-model.js';
import type { HookPorts } from '../agent/hook-ports.js';
import type { MessageBus } from '../bus/message-bus.js';
import type { Config } from '../config/config.js';
import type { GenerateRequest, GenerateResponse } from '../model/content-generator.js';
import { FakeModel } from '../model/wrappers/fake.js';
import type { AgentEvent } from '../protocol/agent-events.js';
import { ApprovalMode, ToolConfirmationOutcome } from '../protocol/confirmation.js';
import { textOf } from '../protocol/messages.js';
import { registerBuiltinTools } from '../tools/catalog.js';
import {
  BaseDeclarativeTool,
  BaseToolInvocation,
  type ExecuteOptions,
  Kind,
  type ToolResult,
} from '../tools/tools.js';
import { type Agent, type AgentSetup, composeAgent } from './compose-agent.js';
import type { ConfigParameters } from './parameters.js';

interface HelperParams {
  task: string;
}

/** A tool whose call is a whole agent. */
class HelperTool extends BaseDeclarativeTool<HelperParams, ToolResult> {
  readonly agents: Agent[] = [];

  constructor(
    private readonly config: Config,
    private readonly parent: () => Pick<Agent, 'ref' | 'bus'>,
    bus: MessageBus,
    private readonly more: Partial<AgentSetup> = {},
  ) {
    super(
      'ask_helper',
      'Helper',
      'Runs a helper.',
      Kind.Agent,
      { type: 'object', properties: { task: { type: 'string' } }, required: ['task'] },
      bus,
    );
  }

  protected createInvocation(params: HelperParams, bus: MessageBus) {
    return new HelperInvocation(this, params, bus, this.name);
  }

  async compose(): Promise<Agent> {
    const { config, more } = this;
    const agent: Agent = await composeAgent(config.getEngine(), {
      name: 'helper',
      parent: this.parent(),
      model: new FixedModel('gemini-2.5-flash'),
      settings: () => ({}),
      systemInstruction: () => 'You help.',
      registerTools: (registry, bus) => {
        registerBuiltinTools(registry, config, bus, config.parameters);
        registry.registerTool(new HelperTool(config, () => agent, bus, more));
      },
      ...more,
    });
    this.agents.push(agent);
    return agent;
  }
}

class HelperInvocation extends BaseToolInvocation<HelperParams, ToolResult> {
  constructor(
    private readonly tool: HelperTool,
    params: HelperParams,
    bus: MessageBus,
    name: string,
  ) {
    super(params, bus, name);
  }

  getDescription(): string {
    return this.params.task;
  }

  protected async run({ abortSignal }: ExecuteOptions): Promise<ToolResult> {
    const agent = await this.tool.compose();
    let said = '';
    let reason = '';
    for await (const event of agent.session.send(this.params.task, { signal: abortSignal })) {
      if (event.type === 'content') said += event.text;
      if (event.type === 'turn_finished') reason = event.reason;
    }
    agent.close();
    return { llmContent: `${reason}: ${said}`, returnDisplay: said };
  }
}

/** The fake model obeys the last message: `call <tool> <json>`, `help <task> | <task>`, or plain text. */
function answer(request: GenerateRequest): readonly GenerateResponse[] {
  const last = request.messages.at(-1);
  const said = textOf(last?.parts ?? []);
  const responses = last?.parts.flatMap(({ functionResponse }) => functionResponse ?? []) ?? [];
  const parts =
    responses.length > 0
      ? [{ text: `got ${JSON.stringify(responses.map(({ response }) => response))}` }]
      : said.startsWith('help ')
        ? said
            .slice(5)
            .split(' | ')
            .map((task) => ({ functionCall: { name: 'ask_helper', args: { task } } }))
        : said.startsWith('call ')
          ? [{ functionCall: JSON.parse(said.slice(5)) as { name: string; args: Record<string, unknown> } }]
          : [{ text: `done: ${said}` }];
  const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 };
  return [{ candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }], usageMetadata }];
}

async function engineWith(parameters: Partial<ConfigParameters> = {}, more: Partial<AgentSetup> = {}) {
  const model = new FakeModel(Array.from({ length: 200 }, () => answer));
  const config = await createTestConfig({
    model: 'gemini-2.5-flash',
    contentGenerator: model,
    ...parameters,
  });
  const main = { ref: { id: 'main', name: 'main' }, bus: config.getMessageBus() };
  const helper = new HelperTool(config, () => main, config.getMessageBus(), more);
  config.getToolRegistry().registerTool(helper);
  const events: AgentEvent[] = [];
  config.getEvents().subscribe((event) => events.push(event));
  const send = async (prompt: string, signal?: AbortSignal) => {
    const seen: AgentEvent[] = [];
    for await (const event of config.getSession().send(prompt, { signal })) seen.push(event);
    return seen;
  };
  return { config, model, helper, events, send };
}

const ids = (events: readonly AgentEvent[]) => [...new Set(events.map(({ agent }) => agent.id))];

describe('an agent inside a tool call', () => {
  it('runs to its end without waiting for its parent, which gets its answer', async () => {
    const { send } = await engineWith();
    const events = await send('help look around');
    const text = events.flatMap((event) =>
      event.type === 'content' && event.agent.id === 'main' ? [event.text] : [],
    );
    expect(text.join('')).toContain('completed: done: look around');
  });

  it('may run another one, and each event names its agent and its parent', async () => {
    const { send } = await engineWith();
    const events = await send('help help look deeper');
    expect(ids(events)).toEqual(['main', 'helper-1', 'helper-2']);
    const deepest = events.find(({ agent }) => agent.id === 'helper-2');
    expect(deepest?.agent).toEqual({ id: 'helper-2', name: 'helper', parentId: 'helper-1' });
  });

  it('works beside others, each with its own conversation', async () => {
    const { send, helper, model } = await engineWith();
    await send('help one | two | three');
    expect(helper.agents).toHaveLength(3);
    const histories = helper.agents.map(({ client }) => JSON.stringify(client.getChat().getHistory()));
    expect(histories.map((text) => /one|two|three/.exec(text)?.[0])).toEqual(['one', 'two', 'three']);
    expect(model.requests.filter(({ role }) => role === 'subagent')).toHaveLength(3);
    for (const { role, systemInstruction } of model.requests)
      expect(systemInstruction === 'You help.').toBe(role === 'subagent');
  });

  it('counts in the same ledger, and stops at the same budget', async () => {
    const { send, config } = await engineWith({ budget: { maxTokens: 40 } });
    const events = await send('help one | help two');
    expect(config.getLedger().totalTokens).toBeGreaterThanOrEqual(40);
    expect(config.getLedger().totalTokens).toBeLessThan(80);
    expect(events.at(-1)).toMatchObject({ type: 'turn_finished', reason: 'budget' });
  });

  it('obeys the same policy, which knows its name', async () => {
    const { send } = await engineWith({ approvalMode: ApprovalMode.YOLO, excludeTools: ['write_file'] });
    const call = { name: 'write_file', args: { file_path: 'a.txt', content: 'x' } };
    const events = await send(`help call ${JSON.stringify(call)}`);
    const finished = events.flatMap((event) => (event.type === 'tool_finished' ? [event] : []));
    expect(finished[0]).toMatchObject({
      agent: { name: 'helper' },
      call: { status: 'error', response: { error: { type: 'policy_violation' } } },
    });
  });

  it('asks the user over the same stream, and the question names it', async () => {
    const { send, config } = await engineWith({ approvalMode: ApprovalMode.DEFAULT, interactive: true });
    const asked: AgentEvent[] = [];
    config.getEvents().subscribe(
      (event) => {
        if (event.type !== 'question' || event.question.kind !== 'tool_confirmation') return;
        asked.push(event);
        const { ProceedOnce, Cancel } = ToolConfirmationOutcome;
        const outcome = event.question.toolName === 'ask_helper' ? ProceedOnce : Cancel;
        config.getSession().answer(event.id, { outcome });
      },
      { answers: true },
    );
    const call = { name: 'write_file', args: { file_path: 'a.txt', content: 'x' } };
    await send(`help call ${JSON.stringify(call)}`);
    const ofHelper = asked.filter(({ agent }) => agent.name === 'helper');
    expect(ofHelper).toMatchObject([{ question: { toolName: 'write_file', subagent: 'helper' } }]);
  });

  it('offers no "always" answer where the session allows none', async () => {
    const { send, config } = await engineWith({
      approvalMode: ApprovalMode.DEFAULT,
      interactive: true,
      disableAlwaysAllow: true,
    });
    const offered: unknown[] = [];
    config.getEvents().subscribe(
      (event) => {
        if (event.type !== 'question' || event.question.kind !== 'tool_confirmation') return;
        offered.push(event.question.details?.offeredOutcomes);
        config.getSession().answer(event.id, { outcome: ToolConfirmationOutcome.ProceedOnce });
      },
      { answers: true },
    );
    const call = { name: 'write_file', args: { file_path: 'a.txt', content: 'x' } };
    await send(`help call ${JSON.stringify(call)}`);
    expect(offered).toEqual([
      ['proceed_once', 'cancel'],
      ['proceed_once', 'cancel'],
    ]);
  });

  it("obeys the session's hooks unless it has its own", async () => {
    const seen: string[] = [];
    const hooks: HookPorts = {
      beforeTool: async ({ agent, call }) => {
        seen.push(`${agent.name}: ${call.name}`);
        return call.name === 'list_directory' ? { deny: 'not here' } : undefined;
      },
    };
    const prompt = `help call ${JSON.stringify({ name: 'list_directory', args: { dir_path: '.' } })}`;
    await (await engineWith({ hooks })).send(prompt);
    expect(seen).toEqual(['main: ask_helper', 'helper: list_directory']);
    await (await engineWith({ hooks }, { hooks: {} })).send(prompt);
    expect(seen.slice(2)).toEqual(['main: ask_helper']);
  });

  it('has its own turn limit', async () => {
    const { send } = await engineWith({}, { bounds: { maxTurns: 1 } });
    const call = { name: 'list_directory', args: { dir_path: '.' } };
    const events = await send(`help call ${JSON.stringify(call)}`);
    const ended = events.filter((event) => event.type === 'turn_finished');
    expect(ended).toMatchObject([
      { agent: { name: 'helper' }, reason: 'max_turns' },
      { agent: { name: 'main' }, reason: 'completed' },
    ]);
  });

  it('ends with the request that started it', async () => {
    const { send, config, helper } = await engineWith();
    const controller = new AbortController();
    config.getEvents().subscribe(({ type, agent }) => {
      if (type === 'model_turn_started' && agent.name === 'helper') controller.abort();
    });
    const events = await send('help wait', controller.signal);
    const ends = events.filter((event) => event.type === 'turn_finished');
    expect(ends.map((event) => event.reason)).toEqual(['cancelled', 'cancelled']);
    expect(helper.agents[0]?.session.isBusy).toBe(false);
  });

  it('is not part of the recorded conversation', async () => {
    const { send, config } = await engineWith({ sessions: {} });
    await send('help keep a secret word');
    const record = config.getGeminiClient().getChat().getHistory();
    expect(record.filter(({ origin }) => origin === 'prompt')).toHaveLength(1);
  });
});
