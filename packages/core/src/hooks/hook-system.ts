/** Fires events: plans, runs, merges, tells front ends, and records. One per engine. */

import type { SessionEndReason, SessionStartSource } from '../agent/hook-ports.js';
import { visibleName } from '../base/visible-text.js';
import type { Variables } from '../platform/environment.js';
import { createLog } from '../platform/log.js';
import { type AgentEventBody, type AgentRef, MAIN_AGENT } from '../protocol/agent-events.js';
import type { TelemetryRecorder } from '../telemetry/record.js';
import { type MergedOutput, mergeOutputs } from './aggregator.js';
import { mayRunHere } from './command/command-environment.js';
import { isDenial } from './decision.js';
import { HookMessages } from './hook-messages.js';
import { recordHookCall } from './hook-telemetry.js';
import type { LLMRequest, LLMResponse } from './llm-types.js';
import { HookPlanner, type HookSubject } from './planner.js';
import { type HookRegistry, hookName } from './registry.js';
import type { HookRunner } from './runner.js';
import type { TrustedHooks } from './trust/trusted-hooks.js';
import { HookEventName, type HookExecutionResult, type HookInput, type McpToolContext } from './types.js';

const log = createLog('hooks');

/** The longest that hooks may delay the end of the program, which gives up after 5 s and must still tell about it. */
const MAX_END_MS = 4500;

export interface HookSystemOptions {
  registry: HookRegistry;
  runner: HookRunner;
  variables: Variables;
  /** Of the session now. */
  session: () => { sessionId: string; transcriptPath: string; cwd: string };
  emit: (body: AgentEventBody, agent: AgentRef) => void;
  notice: (message: string) => void;
  /** Front ends may show that a hook runs (`hooksConfig.notifications`). */
  showsRunning: () => boolean;
  /** A user can answer questions, which then show a hook's message. */
  canAsk: () => boolean;
  redact: (text: string) => string;
  recorder: TelemetryRecorder;
  trustedHooks: TrustedHooks;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** Where an event happens. */
export interface HookScope {
  agent?: AgentRef;
  signal?: AbortSignal;
  /** Events of one object, such as the chunks of an answer, tell each message once. */
  once?: object;
}

export class HookSystem {
  readonly registry: HookRegistry;
  private readonly planner: HookPlanner;
  private readonly messages: HookMessages;
  private runs = 0;

  constructor(private readonly options: HookSystemOptions) {
    const { registry, variables } = options;
    this.registry = registry;
    this.messages = new HookMessages(options);
    const mayRun = mayRunHere(variables);
    this.planner = new HookPlanner({
      registry,
      mayRun: ({ config }) => mayRun(config),
      onSlowMatcher: ({ name, matcher }) =>
        options.notice(
          `The matcher of the hook ${visibleName(name)} takes too long: ${visibleName(matcher ?? '')}. It counts as a match.`,
        ),
    });
  }

  getRegistry(): HookRegistry {
    return this.registry;
  }

  /** True: an enabled hook waits for this event. */
  has(event: HookEventName): boolean {
    return this.planner.has(event);
  }

  fireSessionStartEvent(source: SessionStartSource, scope?: HookScope) {
    return this.fire(HookEventName.SessionStart, { source }, { names: [source] }, scope);
  }

  fireSessionEndEvent(reason: SessionEndReason, scope?: HookScope) {
    return this.fire(HookEventName.SessionEnd, { reason }, { names: [reason] }, scope);
  }

  fireBeforeAgentEvent(prompt: string, scope?: HookScope) {
    return this.fire(HookEventName.BeforeAgent, { prompt }, {}, scope);
  }

  fireAfterAgentEvent(prompt: string, promptResponse: string, stopHookActive = false, scope?: HookScope) {
    const input = { prompt, prompt_response: promptResponse, stop_hook_active: stopHookActive };
    return this.fire(HookEventName.AfterAgent, input, {}, scope);
  }

  fireBeforeModelEvent(llmRequest: LLMRequest, scope?: HookScope) {
    return this.fire(HookEventName.BeforeModel, { llm_request: llmRequest }, {}, scope);
  }

  fireBeforeToolSelectionEvent(llmRequest: LLMRequest, scope?: HookScope) {
    return this.fire(HookEventName.BeforeToolSelection, { llm_request: llmRequest }, {}, scope);
  }

  fireAfterModelEvent(llmRequest: LLMRequest, llmResponse: LLMResponse, scope?: HookScope) {
    const input = { llm_request: llmRequest, llm_response: llmResponse };
    return this.fire(HookEventName.AfterModel, input, {}, scope);
  }

  fireBeforeToolEvent(tool: HookedTool, scope?: HookScope) {
    return this.fire(HookEventName.BeforeTool, toolInput(tool), { names: namesOf(tool) }, scope);
  }

  fireAfterToolEvent(tool: HookedTool, toolResponse: object, scope?: HookScope) {
    const input = { ...toolInput(tool), tool_response: toolResponse };
    return this.fire(HookEventName.AfterTool, input, { names: namesOf(tool) }, scope);
  }

  firePreCompressEvent(trigger: 'auto' | 'manual', isCompressing = false, scope?: HookScope) {
    return this.fire(HookEventName.PreCompress, { trigger }, { names: [trigger], isCompressing }, scope);
  }

  fireNotificationEvent(message: string, details: Record<string, unknown>, scope?: HookScope) {
    const input = { notification_type: 'ToolPermission', message, details };
    return this.fire(HookEventName.Notification, input, {}, scope);
  }

  /** Names project hooks that are new or changed to the user, once. To be called before hooks run. */
  async announceNewHooks(): Promise<void> {
    const { trustedHooks, notice } = this.options;
    const added = await trustedHooks.takeNew(this.registry.getAllHooks());
    if (added.length > 0) notice(this.options.redact(newHooksText(added)));
  }

  /** @returns the merged output; undefined: no hook was for this event */
  private async fire(
    eventName: HookEventName,
    payload: object,
    subject: HookSubject,
    { agent = MAIN_AGENT, signal, once }: HookScope = {},
  ): Promise<MergedOutput | undefined> {
    const plan = this.planner.plan(eventName, subject);
    if (!plan) return undefined;
    await this.announceNewHooks();
    const { runner, emit, recorder } = this.options;
    const input = { ...this.common(eventName), ...payload };
    const first = this.runs;
    const { entries } = plan;
    this.runs += entries.length;
    const options = {
      ...(signal && { signal }),
      ...(eventName === HookEventName.SessionEnd && { maxTimeoutMs: MAX_END_MS }),
      onStart: (_: unknown, index: number) =>
        emit(
          {
            type: 'hook_started',
            ...this.place(entries, first, index),
            isShown: this.isShown(entries[index]),
          },
          agent,
        ),
      onEnd: (result: HookExecutionResult, index: number) => {
        const { id, name, event } = this.place(entries, first, index);
        const { success, duration: durationMs } = result;
        emit({ type: 'hook_finished', id, name, event, success, durationMs }, agent);
        recordHookCall(recorder, result, input);
      },
    };
    const configs = entries.map(({ config }) => config);
    const results = plan.sequential
      ? await runner.executeHooksSequential(configs, eventName, input, options)
      : await runner.executeHooksParallel(configs, eventName, input, options);
    if (signal?.aborted) return undefined;
    this.messages.tell(eventName, results, agent, once);
    const outputs = results.flatMap(({ success, output }) => (success && output ? [output] : []));
    log.debug(`${eventName}: ${results.length} hooks`);
    return { ...mergeOutputs(eventName, outputs), ...this.refusedBy(results) };
  }

  private refusedBy(results: readonly HookExecutionResult[]): Pick<MergedOutput, 'refusedBy'> {
    const refusing = results.filter(({ success, output }) => success && isDenial(output?.decision));
    if (refusing.length === 0) return {};
    const names = refusing.map(({ hookConfig }) => visibleName(this.options.redact(hookName(hookConfig))));
    return { refusedBy: names.join(', ') };
  }

  private common(eventName: HookEventName): HookInput {
    const { session, now } = this.options;
    const { sessionId, transcriptPath, cwd } = session();
    return {
      session_id: sessionId,
      transcript_path: transcriptPath,
      cwd,
      hook_event_name: eventName,
      timestamp: new Date(now()).toISOString(),
    };
  }

  private place(entries: readonly Entry[], first: number, index: number) {
    const { name = '', eventName = '' } = entries[index] ?? {};
    return {
      id: `hook-${first + index + 1}`,
      name,
      event: eventName,
      index: index + 1,
      total: entries.length,
    };
  }

  private isShown(entry: Entry | undefined): boolean {
    return entry !== undefined && entry.source !== 'system' && this.options.showsRunning();
  }
}

type Entry = ReturnType<HookRegistry['getAllHooks']>[number];

/** A tool call as hooks see it. */
export interface HookedTool {
  name: string;
  args: Record<string, unknown>;
  mcpContext?: McpToolContext | undefined;
  /** For a tail call: the tool that the model called. */
  originalName?: string | undefined;
}

function toolInput({ name, args, mcpContext, originalName }: HookedTool) {
  return {
    tool_name: name,
    tool_input: args,
    ...(mcpContext && { mcp_context: mcpContext }),
    ...(originalName !== undefined && { original_request_name: originalName }),
  };
}

/** A call of an agent is matched by the tool's name and by the agent's own. */
function namesOf({ name, args }: HookedTool): string[] {
  const agent = name === 'invoke_agent' ? args['agent_name'] : undefined;
  return typeof agent === 'string' ? [name, agent] : [name];
}

const MAX_LISTED = 20;
const MAX_COMMAND = 120;

/** With the commands: a name can say anything. */
function newHooksText(entries: readonly Entry[]): string {
  const shown = entries.slice(0, MAX_LISTED).map(({ name, config }) => {
    const command = config.type === 'command' && config.command !== name ? ` (${cut(config.command)})` : '';
    return `${cut(name)}${command}`;
  });
  const more = entries.length - shown.length;
  const list = `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return `This project has new or changed hooks, which run from now on: ${list}. Disable one with /hooks disable <name>.`;
}

function cut(text: string): string {
  return visibleName(text.length > MAX_COMMAND ? `${text.slice(0, MAX_COMMAND)}…` : text);
}
