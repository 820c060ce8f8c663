/** A whole session over a scripted model and tools that are one function each. */
import { EventStream } from '../bus/event-stream.js';
import { type DecisionSource, MessageBus } from '../bus/message-bus.js';
import { deriveBus } from '../bus/subagent-bus.js';
import type { ContentGenerator } from '../model/content-generator.js';
import { Ledger } from '../model/ledger.js';
import { type FakeAnswer, FakeModel } from '../model/wrappers/fake.js';
import { type AgentEvent, MAIN_AGENT } from '../protocol/agent-events.js';
import { PolicyDecision } from '../protocol/confirmation.js';
import { type PartListUnion, textOf } from '../protocol/messages.js';
import type { JsonSchema } from '../protocol/tool-declaration.js';
import { ToolRegistry } from '../tools/tool-registry.js';
import {
  BaseDeclarativeTool,
  BaseToolInvocation,
  type ExecuteOptions,
  Kind,
  type ToolInvocation,
  type ToolResult,
} from '../tools/tools.js';
import { AgentSession, type SessionOptions } from './agent-session.js';
import { plainParts } from './client-parts.test-helper.js';
import { type ClientOptions, GeminiClient } from './gemini-client.js';
import type { HookPorts } from './hook-ports.js';
import { RunLimits } from './limits.js';
import { Scheduler } from './scheduler/scheduler.js';

type Params = Record<string, unknown>;
export type Work = (params: Params, options: ExecuteOptions) => Promise<ToolResult> | ToolResult;

const OPEN: JsonSchema = { type: 'object', properties: { n: { type: 'integer' } } };

export const result = (text: string): ToolResult => ({ llmContent: text, returnDisplay: text });
export const callOf = (name: string, args: Params = {}): FakeAnswer => ({ calls: [{ name, args }] });

class WorkTool extends BaseDeclarativeTool<Params, ToolResult> {
  constructor(
    name: string,
    private readonly work: Work,
    bus: MessageBus,
    kind = Kind.Other,
  ) {
    super(name, name, 'test', kind, OPEN, bus);
  }

  protected createInvocation(
    params: Params,
    bus: MessageBus,
    name?: string,
  ): ToolInvocation<Params, ToolResult> {
    return new WorkInvocation(this.work, params, bus, name, name);
  }
}

class WorkInvocation extends BaseToolInvocation<Params, ToolResult> {
  constructor(
    private readonly work: Work,
    ...rest: ConstructorParameters<typeof BaseToolInvocation<Params, ToolResult>>
  ) {
    super(...rest);
  }

  getDescription(): string {
    return `work ${JSON.stringify(this.params)}`;
  }

  protected async run(options: ExecuteOptions): Promise<ToolResult> {
    return this.work(this.params, options);
  }
}

export interface RigOptions {
  answers?: readonly FakeAnswer[];
  /** Instead of the answers. */
  generator?: ContentGenerator;
  tools?: Record<string, Work>;
  hooks?: HookPorts;
  check?: DecisionSource['check'];
  maxSessionTurns?: number;
  client?: Partial<ClientOptions>;
  session?: Partial<SessionOptions>;
  /** Runs this agent inside a call of that one, with the same events, policy and user. */
  parent?: SessionRig;
}

export class SessionRig {
  readonly events: EventStream;
  readonly bus: MessageBus;
  readonly registry = new ToolRegistry({ isAlwaysDenied: () => false });
  readonly model: FakeModel;
  readonly client: GeminiClient;
  readonly session: AgentSession;

  constructor({ answers = [], tools = {}, hooks = {}, ...options }: RigOptions) {
    const { check = async () => ({ decision: PolicyDecision.ALLOW }), generator } = options;
    const agent = options.session?.agent ?? MAIN_AGENT;
    this.events = options.parent?.events ?? new EventStream();
    this.bus = options.parent
      ? deriveBus(options.parent.bus, agent.name)
      : new MessageBus({ check }, this.events.questions);
    this.model = new FakeModel(answers);
    for (const [name, work] of Object.entries(tools)) {
      this.registry.registerTool(new WorkTool(name, work, this.bus));
    }
    const scheduler = new Scheduler({
      registry: this.registry,
      messageBus: this.bus,
      now: Date.now,
      outputLimits: () => ({ threshold: 0, directory: '', redact: same, redactForDisk: same }),
      hooks,
      agent,
      approvals: { acceptsEditorAnswer: () => true },
    });
    const ledger = new Ledger({ priceOf: () => undefined });
    this.client = new GeminiClient(generator ?? this.model, {
      scheduler,
      limits: new RunLimits(options.maxSessionTurns ?? -1, {}, Date.now, ledger),
      clock: { now: Date.now, sleep: async () => undefined },
      random: () => 0,
      maxAttempts: 3,
      hooks,
      agent,
      ...plainParts(this.registry),
      ...options.client,
    });
    this.session = new AgentSession({
      agent,
      client: this.client,
      events: this.events,
      sessionId: () => 'session',
      model: () => 'm',
      hooks,
      ...options.session,
    });
  }

  /** All events of one prompt. */
  async send(prompt: PartListUnion = 'go'): Promise<AgentEvent[]> {
    const events: AgentEvent[] = [];
    for await (const event of this.session.send(prompt)) events.push(event);
    return events;
  }

  /** The history as `role: text`, calls and responses by their names. */
  history(): string[] {
    const messages = this.client.isInitialized() ? this.client.getChat().getHistory() : [];
    return messages.map(({ role, parts }) => {
      const names = parts.flatMap(({ functionCall, functionResponse }) => [
        ...(functionCall ? [`call ${functionCall.name}`] : []),
        ...(functionResponse ? [`result ${functionResponse.name}`] : []),
      ]);
      return `${role}: ${[textOf(parts), ...names].filter(Boolean).join(' + ')}`;
    });
  }
}

/** Events of one type. */
export function only<T extends AgentEvent['type']>(
  events: readonly AgentEvent[],
  type: T,
): Extract<AgentEvent, { type: T }>[] {
  return events.filter((event): event is Extract<AgentEvent, { type: T }> => event.type === type);
}

function same(text: string): string {
  return text;
}
