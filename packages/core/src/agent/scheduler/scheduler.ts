/** Runs the calls of one model turn: read-only ones in parallel, all others alone and in order. */
import { mapLimited } from '../../base/concurrency.js';
import { messageOf } from '../../base/errors.js';
import { invalidArguments } from '../../base/unrun-calls.js';
import type { MessageBus } from '../../bus/message-bus.js';
import { type AgentRef, MAIN_AGENT } from '../../protocol/agent-events.js';
import type { CompletedToolCall, ToolCallRequest } from '../../protocol/tool-calls.js';
import { UPDATE_TOPIC } from '../../protocol/tool-names.js';
import { ToolCallError, ToolErrorType } from '../../tools/tool-error.js';
import { type ToolRegistry, WAIT_FOR_PREVIOUS } from '../../tools/tool-registry.js';
import { Kind } from '../../tools/tools.js';
import type { AroundCalls } from '../call-snapshots.js';
import type { HookPorts } from '../hook-ports.js';
import { type ApprovalContext, type ApprovalPorts, approve } from './approve.js';
import type { CallJournal } from './call-journal.js';
import { CallState, type Emit } from './state.js';
import { type ContextFor, type OutputLimits, type Summarize, ToolExecutor } from './tool-executor.js';

export interface SchedulerOptions {
  registry: ToolRegistry;
  messageBus: MessageBus;
  outputLimits: () => OutputLimits;
  now: () => number;
  /** Whose calls these are; absent: the main agent's. */
  agent?: AgentRef;
  hooks?: HookPorts;
  approvals?: ApprovalPorts;
  snapshots?: AroundCalls;
  contextFor?: ContextFor;
  summarize?: Summarize;
  /** What arguments mean in the present mode; everything that judges the call sees them rewritten. */
  rewriteArgs?: (toolName: string, args: Record<string, unknown>) => Record<string, unknown>;
  /** What a call of an unknown tool means, e.g. one that is named like an agent; undefined: an error. */
  standIn?: StandIn;
  /** Absent: calls are not kept beyond this process. */
  journal?: CallJournal;
}

export type StandIn = (
  toolName: string,
  args: Record<string, unknown>,
) => Pick<ToolCallRequest, 'name' | 'args'> | undefined;

const SIDE_BY_SIDE: ReadonlySet<Kind> = new Set([Kind.Read, Kind.Search, Kind.Fetch, Kind.Think, Kind.Agent]);

/** Calls that run at the same time; a model may ask for a thousand at once. */
const MAX_PARALLEL = 16;

export class Scheduler {
  private queue: Promise<unknown> = Promise.resolve();
  private readonly approvals: ApprovalContext;
  private readonly executor: ToolExecutor;
  /** What ended a call of the last batch and ends the program. The caller throws it, with all answers in the history. */
  endsRequestWith: unknown;

  constructor(private readonly options: SchedulerOptions) {
    const { registry, outputLimits, snapshots, contextFor, summarize, messageBus } = options;
    const { agent = MAIN_AGENT, hooks = {}, approvals = {} } = options;
    this.approvals = { bus: messageBus, agent, hooks, ports: approvals };
    this.executor = new ToolExecutor({
      registry,
      limits: outputLimits,
      hooks,
      agent,
      snapshots,
      contextFor,
      summarize,
      approve: (call, signal) => approve(call, this.approvals, signal),
    });
  }

  /**
   * One batch at a time; later ones wait. Results come in the order of the requests.
   * @param limit how many of the requests may run; the others are answered as cancelled
   */
  schedule(
    requests: readonly ToolCallRequest[],
    signal: AbortSignal,
    emit: Emit,
    limit = requests.length,
  ): Promise<CompletedToolCall[]> {
    const batch = this.queue.then(() => this.runBatch(requests, signal, emit, limit));
    this.queue = batch.catch(() => undefined);
    return batch;
  }

  private async runBatch(
    requests: readonly ToolCallRequest[],
    signal: AbortSignal,
    emit: Emit,
    limit: number,
  ): Promise<CompletedToolCall[]> {
    const calls = requests.map((request) => this.build(request, emit));
    for (const call of calls) if (call.isOpen) call.announce();
    for (const group of groupsOf(topicFirst(calls.slice(0, limit)))) {
      if (signal.aborted) break;
      if (!(await this.approveAll(group, signal))) break;
      const ready = group.filter((call) => call.isOpen);
      await mapLimited(ready, MAX_PARALLEL, (call) => this.execute(call, signal));
      if (group.some((call) => call.endsBatch)) break;
    }
    calls.forEach((call, index) => {
      if (!call.isOpen) return;
      if (signal.aborted) call.cancel('The user cancelled the request.');
      else
        call.cancel(index < limit ? 'An earlier call was refused.' : 'The budget of tool calls is used up.');
    });
    this.endsRequestWith = calls.find((call) => call.endsRequestWith)?.endsRequestWith;
    return calls.map((call) => call.completed as CompletedToolCall);
  }

  /** The tool's name for users. */
  displayNameOf(toolName: string): string | undefined {
    return this.options.registry.getTool(toolName)?.displayName;
  }

  /** Invalid arguments are reported to the model, not thrown. */
  private build(request: ToolCallRequest, emit: Emit): CallState {
    const { registry, standIn, journal } = this.options;
    const { [WAIT_FOR_PREVIOUS]: wait, ...sent } = request.args;
    const meant = registry.getTool(request.name) ? undefined : standIn?.(request.name, sent);
    const { name, args: given } = meant ?? { name: request.name, args: sent };
    const args = this.options.rewriteArgs?.(name, given) ?? given;
    const call = new CallState({ ...request, name, args }, wait === true, emit, this.options.now);
    if (meant) call.calledAs = request.name;
    // A command the user typed is not a call of the model.
    const tool = request.isClientInitiated ? registry.getTool(name) : registry.getCallableTool(name);
    if (!tool) {
      call.fail(registry.describeMissing(name), ToolErrorType.TOOL_NOT_REGISTERED);
      return call;
    }
    call.tool = tool;
    const ended = journal?.recall(call.request);
    if (ended) {
      call.completed = ended;
      emit({ type: 'tool_finished', call: ended });
      return call;
    }
    try {
      call.invocation = tool.build(args);
    } catch (error) {
      if (error instanceof ToolCallError) call.fail(error.message, error.type);
      else call.fail(`${invalidArguments(tool.name)} ${messageOf(error)}`, ToolErrorType.INVALID_TOOL_PARAMS);
    }
    return call;
  }

  private execute(call: CallState, signal: AbortSignal): Promise<void> {
    const run = () => this.executor.execute(call, signal);
    return this.options.journal?.around(call.request, () => run().then(() => call.completed)) ?? run();
  }

  /** All calls of a group are decided before any starts. False: the user refused, the batch ends. */
  private async approveAll(group: readonly CallState[], signal: AbortSignal): Promise<boolean> {
    for (const call of group) {
      if (!call.isOpen) continue;
      if (call.settle(await approve(call, this.approvals, signal))) call.moveTo('scheduled');
      if (call.endsBatch) return false;
    }
    return true;
  }
}

/** A topic is a heading for the other calls of its turn. */
function topicFirst(calls: readonly CallState[]): CallState[] {
  return [...calls.filter(isTopic), ...calls.filter((call) => !isTopic(call))];
}

function isTopic({ toolName }: CallState): boolean {
  return toolName === UPDATE_TOPIC;
}

/** Neighbouring calls that may run in parallel form a group; every other call is a group of its own. */
function groupsOf(calls: readonly CallState[]): CallState[][] {
  const groups: CallState[][] = [];
  let open: CallState[] | undefined;
  for (const call of calls) {
    const harmless = !call.isOpen || mayRunBesideOthers(call);
    if (!harmless) {
      groups.push([call]);
      open = undefined;
    } else if (open && !call.waitsForPrevious) {
      open.push(call);
    } else {
      open = [call];
      groups.push(open);
    }
  }
  return groups;
}

function mayRunBesideOthers(call: CallState): boolean {
  const { tool } = call;
  return (
    tool !== undefined &&
    !isTopic(call) &&
    (SIDE_BY_SIDE.has(tool.kind) || tool.toolAnnotations?.['readOnlyHint'] === true)
  );
}
