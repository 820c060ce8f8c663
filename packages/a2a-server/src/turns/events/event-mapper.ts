/** Turns the events of an engine into A2A events, and keeps what the task's history says of them. */
import { type StreamResponse, TaskState } from '@a2a-js/sdk';
import {
  type AgentEvent,
  type AnyDeclarativeTool,
  isMainAgent,
  type TokenUsage,
  type ToolConfirmationQuestion,
} from '@gemini-cli/core';
import { dataPart, type EventFactory, textPart } from './event-factory.js';
import { HistoryKeeper } from './history-keeper.js';
import { type ToolCallData, ToolCalls } from './tool-calls.js';

const WORKING = TaskState.TASK_STATE_WORKING;

export class EventMapper {
  readonly history: HistoryKeeper;
  private readonly calls: ToolCalls;
  private usage: TokenUsage | undefined;

  constructor(
    private readonly factory: EventFactory,
    findTool: (name: string) => AnyDeclarativeTool | undefined,
  ) {
    this.history = new HistoryKeeper(factory);
    this.calls = new ToolCalls(findTool);
  }

  /** Events of sub-agents are part of the call that started them. */
  map(event: AgentEvent): StreamResponse[] {
    if (event.type === 'usage') this.count(event.usage);
    return isMainAgent(event.agent) ? this.mapMain(event) : [];
  }

  /** The call that the question is about, as it waits. */
  confirmation(question: ToolConfirmationQuestion): StreamResponse {
    return this.factory.status('tool-call-confirmation', WORKING, [dataPart(this.waitingCall(question))]);
  }

  waitingCall(question: ToolConfirmationQuestion): ToolCallData {
    const { callId = '', toolName, args, details } = question;
    const waiting = {
      status: 'awaiting_approval',
      ...(details && { confirmationDetails: details }),
    } as const;
    const request = { callId, name: toolName, args: { ...args }, promptId: '' };
    // A sub-agent's call was not requested here.
    return this.calls.update(callId, waiting) ?? { ...this.calls.request(request), ...waiting };
  }

  answered(callId: string, outcome: string): void {
    this.calls.update(callId, { outcome });
  }

  /** Tokens since the last call, for the last event of a turn. */
  takeUsage(): Record<string, number> | undefined {
    const { usage } = this;
    this.usage = undefined;
    return (
      usage && {
        promptTokenCount: usage.prompt,
        candidatesTokenCount: usage.candidates,
        cachedContentTokenCount: usage.cached,
        thoughtsTokenCount: usage.thoughts,
        toolUsePromptTokenCount: usage.tool,
        totalTokenCount: usage.total,
      }
    );
  }

  private mapMain(event: AgentEvent): StreamResponse[] {
    const { factory, history, calls } = this;
    switch (event.type) {
      case 'content':
        history.addText(event.text);
        return [factory.status('text-content', WORKING, [textPart(event.text)])];
      case 'thought': {
        const { subject, description } = event;
        history.addData('thought', { subject, description });
        return [factory.status('thought', WORKING, [dataPart({ subject, description })])];
      }
      case 'citation':
        history.add('citation', textPart(event.text));
        return [factory.status('citation', WORKING, [textPart(event.text)])];
      case 'retry':
        if (event.discardsOutput) history.discardAnswer();
        return this.said(event.message);
      case 'warning':
        return this.said(event.message);
      case 'tool_requested':
        history.endAnswer();
        return this.update(calls.request(event.request));
      case 'tool_status':
        // Where it waits for the user, the confirmation says so.
        if (event.status !== 'executing') return [];
        return this.update(calls.update(event.callId, { status: 'executing' }));
      case 'tool_output': {
        const { callId, output } = event;
        calls.update(callId, { liveOutput: output });
        const part = typeof output === 'string' ? textPart(output) : dataPart(output);
        return [factory.liveOutput(callId, [part])];
      }
      case 'tool_finished': {
        const data = calls.finish(event.call);
        if (data) history.addData('tool-call-update', data);
        return this.update(data);
      }
      default:
        return [];
    }
  }

  private update(data: ToolCallData | undefined): StreamResponse[] {
    return data ? [this.factory.status('tool-call-update', WORKING, [dataPart(data)])] : [];
  }

  private said(text: string): StreamResponse[] {
    return [this.factory.status('state-change', WORKING, [textPart(text)])];
  }

  private count(usage: TokenUsage): void {
    const sum = this.usage;
    if (!sum) this.usage = { ...usage };
    else for (const key of Object.keys(sum) as (keyof TokenUsage)[]) sum[key] += usage[key];
  }
}
