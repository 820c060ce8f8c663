/** Follows a run's events: activity events for programs, and the progress that front ends draw. */
import { headOf } from '../../base/cut-text.js';
import type { AgentEventBody } from '../../protocol/agent-events.js';
import type { CompletedToolCall } from '../../protocol/tool-calls.js';
import type { SubagentActivity, SubagentProgress } from '../../protocol/tool-display.js';
import { COMPLETE_TASK } from '../../protocol/tool-names.js';
import { AgentTerminateMode, type OutputObject, type SubagentActivityEvent } from '../types.js';
import { maskArguments } from './mask-arguments.js';

export interface ActivityPorts {
  agentName: string;
  agentId: string;
  mask<T>(value: T): T;
  onActivity?: (event: SubagentActivityEvent) => void;
  onProgress?: (progress: SubagentProgress) => void;
}

/** Kept of a long run; older ones are only counted. */
const MAX_ACTIVITIES = 60;
const MAX_TEXT = 300;
/** Of the result, for the screen and the recording; the caller gets all of it. */
const MAX_SHOWN_RESULT = 20_000;

export class AgentActivity {
  private readonly activities: SubagentActivity[] = [];
  private text = '';
  private count = 0;
  private turns = 0;
  private toolCalls = 0;
  private tokens = 0;
  private readonly seen = new Map<string, { name: string; args: Record<string, unknown> }>();

  constructor(private readonly ports: ActivityPorts) {}

  observe(event: AgentEventBody): void {
    switch (event.type) {
      case 'model_turn_started':
        this.turns++;
        this.text = '';
        break;
      case 'content':
        this.text += event.text;
        break;
      case 'thought':
        this.thought([event.subject, event.description].filter(Boolean).join(': '));
        break;
      case 'model_turn_finished':
        if (this.text.trim() !== '') this.thought(this.text);
        this.text = '';
        break;
      case 'usage':
        this.tokens += event.usage.total;
        break;
      case 'tool_requested':
        if (event.request.name !== COMPLETE_TASK)
          this.seen.set(event.request.callId, { name: event.request.name, args: event.request.args });
        break;
      case 'tool_status':
        this.onStatus(event);
        break;
      case 'tool_finished':
        this.onFinished(event.call);
        break;
      case 'error':
        this.emit('ERROR', { error: event.error.message, errorType: 'GENERIC' });
        break;
    }
  }

  /** The last word of a run. */
  finished({ result, terminate_reason: reason }: OutputObject): SubagentProgress {
    const state =
      reason === AgentTerminateMode.GOAL
        ? 'completed'
        : reason === AgentTerminateMode.ABORTED
          ? 'cancelled'
          : 'error';
    for (const activity of this.activities)
      if (activity.status === 'running') activity.status = state === 'completed' ? 'completed' : 'cancelled';
    const shown = this.ports.mask(shorten(result, MAX_SHOWN_RESULT));
    const progress: SubagentProgress = { ...this.progress(state), result: shown, terminateReason: reason };
    this.ports.onProgress?.(progress);
    return progress;
  }

  progress(state: SubagentProgress['state'] = 'running'): SubagentProgress {
    const { agentName, agentId } = this.ports;
    return {
      isSubagentProgress: true,
      agentName,
      agentId,
      state,
      recentActivity: this.activities.map((activity) => ({ ...activity })),
      turns: this.turns,
      toolCalls: this.toolCalls,
      tokens: this.tokens,
    };
  }

  private thought(text: string): void {
    const content = this.ports.mask(shorten(text.trim(), MAX_TEXT));
    this.emit('THOUGHT_CHUNK', { text: content });
    this.add({ id: `thought-${++this.count}`, type: 'thought', content, status: 'completed' });
  }

  private onStatus(event: Extract<AgentEventBody, { type: 'tool_status' }>): void {
    const { callId, status, displayName = '', description = '' } = event;
    const call = this.seen.get(callId);
    if (!call) return;
    const known = this.find(callId);
    const shown = {
      content: [displayName || call.name, shorten(description, MAX_TEXT)].filter(Boolean).join(' '),
      displayName: displayName || call.name,
      description: this.ports.mask(shorten(description, MAX_TEXT)),
    };
    const state = status === 'awaiting_approval' ? 'waiting' : 'running';
    if (known) {
      if (known.status === state && known.content === this.ports.mask(shown.content)) return;
      Object.assign(known, { ...shown, content: this.ports.mask(shown.content), status: state });
      this.show();
      return;
    }
    const args = maskArguments(this.ports.mask(call.args));
    this.emit('TOOL_CALL_START', {
      name: call.name,
      displayName: shown.displayName,
      description: shown.description,
      args,
      callId,
    });
    this.add({
      id: callId,
      type: 'tool_call',
      ...shown,
      content: this.ports.mask(shown.content),
      args,
      status: state,
    });
  }

  private onFinished({ request, status, response, decision }: CompletedToolCall): void {
    const { callId, name } = request;
    if (!this.seen.delete(callId)) return;
    this.toolCalls++;
    const output = this.ports.mask(shorten(outputOf(response), MAX_TEXT));
    if (status === 'success') this.emit('TOOL_CALL_END', { name, id: callId, output, data: response.data });
    else {
      const errorType = decision === 'reject' ? 'REJECTED' : status === 'cancelled' ? 'CANCELLED' : 'GENERIC';
      const error = this.ports.mask(response.error?.message ?? output);
      this.emit('ERROR', { error, context: 'tool_call', errorType, name, callId });
    }
    const known = this.find(callId);
    const state = status === 'success' ? 'completed' : status;
    if (known) {
      known.status = state;
      this.show();
    } else this.add({ id: callId, type: 'tool_call', content: name, status: state });
  }

  private find(id: string): SubagentActivity | undefined {
    return this.activities.findLast((activity) => activity.id === id);
  }

  private add(activity: SubagentActivity): void {
    this.activities.push(activity);
    if (this.activities.length > MAX_ACTIVITIES) this.activities.shift();
    this.show();
  }

  private show(): void {
    this.ports.onProgress?.(this.progress());
  }

  private emit(type: SubagentActivityEvent['type'], data: Record<string, unknown>): void {
    const { agentName, onActivity } = this.ports;
    onActivity?.({ isSubagentActivityEvent: true, agentName, type, data });
  }
}

function outputOf({ responseParts }: CompletedToolCall['response']): string {
  const response = responseParts.find((part) => part.functionResponse)?.functionResponse?.response;
  const { output, error } = response ?? {};
  return typeof output === 'string' ? output : typeof error === 'string' ? error : '';
}

function shorten(text: string, limit: number): string {
  return text.length > limit ? `${headOf(text, limit)}…` : text;
}
