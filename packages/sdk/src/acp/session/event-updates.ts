/** The engine's events as updates: the one place that says what the client sees of each. */
import type { SessionUpdate } from '@agentclientprotocol/sdk';
import {
  type AgentEvent,
  type Config,
  createLog,
  type TodoList,
  type ToolResultDisplay,
} from '@gemini-cli/core';
import { thoughtText } from '../serialise/replay.js';
import type { ClientPort } from './client-port.js';
import { ToolCalls } from './tool-calls.js';

export interface EventUpdatesParts {
  config: Pick<Config, 'getToolRegistry' | 'getModelCatalog' | 'getLedger'>;
  port: ClientPort;
  /** The client shows notices; else they are thoughts. */
  showsNotices: boolean;
}

const log = createLog('acp');

export class EventUpdates {
  readonly toolCalls: ToolCalls;

  constructor(private readonly parts: EventUpdatesParts) {
    this.toolCalls = new ToolCalls({
      send: (update) => parts.port.update(update),
      registry: () => parts.config.getToolRegistry(),
    });
  }

  handle(event: AgentEvent): void {
    const { port } = this.parts;
    switch (event.type) {
      case 'content':
        port.say(event.text);
        break;
      case 'thought':
        port.think(thoughtText(event.subject, event.description));
        break;
      case 'citation':
        port.say(`\n${event.text}`);
        break;
      case 'tool_requested':
        this.toolCalls.requested(event);
        break;
      case 'tool_status':
        this.toolCalls.status(event);
        break;
      case 'tool_output':
        this.toolCalls.output(event);
        break;
      case 'tool_finished':
        this.toolCalls.finished(event);
        this.plan(event.call.response.resultDisplay);
        break;
      case 'usage':
        this.usage(event);
        break;
      case 'warning':
        this.notice('warning', event.message);
        break;
      case 'hook_message':
        this.notice(event.level, `${event.name}: ${event.message}`);
        break;
      case 'retry':
        this.notice('info', event.message);
        break;
      case 'chat_compressed':
        this.notice('info', `The conversation was shortened (${event.status}).`);
        break;
      case 'context_window_will_overflow':
        this.notice('error', 'The message was not sent: the conversation would not fit into the context.');
        break;
      case 'notice':
        if (!event.isOver) this.notice('info', event.message);
        break;
      default:
        break;
    }
  }

  private notice(severity: 'info' | 'warning' | 'error', message: string): void {
    const { port, showsNotices } = this.parts;
    log.debug(message);
    if (showsNotices) port.update({ sessionUpdate: 'notice', severity, title: message });
    else port.think(message);
  }

  private plan(display: ToolResultDisplay | undefined): void {
    if (!isTodoList(display)) return;
    const entries = display.todos
      .filter(({ status }) => status !== 'cancelled')
      .map(({ description, status }) => ({
        content: description,
        priority: 'medium' as const,
        status: status === 'in_progress' || status === 'completed' ? status : ('pending' as const),
      }));
    this.parts.port.update({ sessionUpdate: 'plan', entries });
  }

  private usage({ model, role, usage }: Extract<AgentEvent, { type: 'usage' }>): void {
    if (role !== 'main') return;
    const { config, port } = this.parts;
    const amount = config.getLedger().totalCost;
    const update: SessionUpdate = {
      sessionUpdate: 'usage_update',
      used: usage.total,
      size: config.getModelCatalog().contextWindow(model),
      ...(amount !== undefined && { cost: { amount, currency: 'USD' } }),
    };
    port.update(update);
  }
}

function isTodoList(display: ToolResultDisplay | undefined): display is TodoList {
  return typeof display === 'object' && 'todos' in display;
}
