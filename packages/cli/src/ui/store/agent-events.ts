/** Reduces the engine's events to the state of the screen. */
import type { AgentEventBody, CompletedToolCall, Todo, ToolResultDisplay } from '@gemini-cli/core';
import type { HistoryItemWithoutId, ToolView } from '../../history/item.js';
import { fileLabels } from '../../output/open-files.js';
import { splitAtSafePoint } from '../markdown/split.js';
import { errorItem } from './error-item.js';
import { retryOf } from './retry.js';
import { settle } from './settle.js';
import { NO_COMMAND, type RunningHook, type UiState } from './state.js';

type GeminiItem = Extract<HistoryItemWithoutId, { type: 'gemini' }>;
type ToolGroup = Extract<HistoryItemWithoutId, { type: 'tool_group' }>;

export function onAgentEvent(state: UiState, event: AgentEventBody, now: number): UiState {
  switch (event.type) {
    case 'turn_started':
      return { ...state, streaming: 'responding', startedAt: now, thought: undefined, retry: undefined };
    case 'model_turn_started':
      return withModel({ ...settleAll(state), retry: undefined }, event.model);
    case 'content':
      return onContent(state, event.text);
    case 'thought':
      return onThought(state, event);
    case 'citation':
      return settle(settleAll(state), [{ type: 'info', text: event.text }]);
    case 'retry':
      return onRetry(state, event, now);
    case 'tool_requested':
      return withTool(state, newView(event.request));
    case 'tool_status':
      return changeTool(state, event.callId, (tool) => ({
        ...tool,
        status: event.status,
        ...(event.description !== undefined && { description: event.description }),
        ...(event.displayName !== undefined && { displayName: event.displayName }),
      }));
    case 'tool_output':
      return changeTool(state, event.callId, (tool) => ({ ...tool, display: event.output }));
    case 'tool_finished':
      return onToolFinished(state, event.call);
    case 'chat_compressed':
      return settle(settleAll(state), [
        {
          type: 'compression',
          isPending: false,
          status: event.status,
          originalTokens: event.originalTokens,
          newTokens: event.newTokens,
        },
      ]);
    case 'context_window_will_overflow':
      return settle(settleAll(state), [{ type: 'error', text: overflowText(event) }]);
    case 'usage':
      return {
        ...state,
        tokens: {
          ...state.tokens,
          ...(event.role === 'main' && { prompt: event.usage.prompt }),
          total: state.tokens.total + event.usage.total,
        },
      };
    case 'notice':
      if (event.isOver)
        return { ...state, notices: state.notices.filter((message) => message !== event.message) };
      return state.notices.includes(event.message)
        ? state
        : { ...state, notices: [...state.notices, event.message] };
    case 'steered':
      return settle({ ...settleAll(state), notices: [] }, [{ type: 'user', text: event.text }]);
    case 'agent_started':
    case 'agent_recovery':
    case 'agent_moved':
    case 'agent_finished':
    case 'question':
    case 'question_settled':
    case 'background_completed':
      return state;
    case 'warning':
      return onWarning(state, event);
    case 'error':
      return settle(settleAll(state), [errorItem(event.error, now)]);
    case 'turn_finished':
      return finish(state, event.reason);
    case 'hook_message':
      return onHookMessage(state, event);
    case 'hook_started':
      return event.isShown ? { ...state, hooks: [...without(state.hooks, event.id), running(event)] } : state;
    case 'hook_finished':
      return { ...state, hooks: without(state.hooks, event.id) };
    case 'mcp_changed': {
      const { servers, blocked, prompts } = event;
      const facts = {
        ...state.facts,
        mcpServers: servers,
        mcpBlocked: blocked,
        mcpPrompts: prompts.join('\n'),
      };
      return { ...state, facts };
    }
    case 'ide_changed': {
      const editor = event.status === 'connected' ? event.name : undefined;
      const openFiles = fileLabels(editor === undefined ? [] : event.files);
      return { ...state, facts: { ...state.facts, editor, openFiles } };
    }
    case 'model_routed':
    case 'api_failure':
    case 'model_turn_finished':
      return state;
  }
}

function withModel(state: UiState, model: string): UiState {
  if (state.facts.model === model) return state;
  return { ...state, facts: { ...state.facts, model } };
}

/** Finished paragraphs settle at once; only the last one can still change. */
function onContent(state: UiState, text: string): UiState {
  const open = state.pending.at(-1);
  const isOpen = open?.type === 'gemini';
  const base = isOpen ? state : settleAll(state);
  const before: GeminiItem = isOpen ? open : { type: 'gemini', text: '' };
  const whole = before.text + text;
  const safe = splitAtSafePoint(whole);
  const settled = whole.slice(0, safe).trimEnd();
  const rest = whole.slice(safe);
  const cleared = { ...base, thought: undefined, retry: undefined };
  if (settled === '') return { ...cleared, pending: [{ ...before, text: rest }] };
  const done = settle(cleared, [{ ...before, text: settled }]);
  return { ...done, pending: [{ type: 'gemini', text: rest, isContinued: true }] };
}

function onThought(
  state: UiState,
  { subject, description }: { subject: string; description: string },
): UiState {
  const thought = subject || state.thought;
  return settle({ ...settleAll(state), thought }, [{ type: 'thinking', subject, text: description }]);
}

function onRetry(state: UiState, event: Extract<AgentEventBody, { type: 'retry' }>, now: number): UiState {
  const retry = retryOf(event, now);
  if (!event.discardsOutput) return { ...state, retry };
  // Settled output is already in the scrollback; only live output can be removed.
  const pending = state.pending.filter(({ type }) => type !== 'gemini');
  return { ...state, retry, pending };
}

function newView(request: { callId: string; name: string; args: Record<string, unknown> }): ToolView {
  const { callId, name } = request;
  return { callId, name, displayName: name, description: '', status: 'validating' };
}

function withTool(state: UiState, tool: ToolView): UiState {
  const open = state.pending.at(-1);
  if (open?.type === 'tool_group' && !open.tools.every(isFinished)) {
    return { ...state, pending: [...state.pending.slice(0, -1), { ...open, tools: [...open.tools, tool] }] };
  }
  return { ...settleAll(state), pending: [{ type: 'tool_group', tools: [tool] }] };
}

function changeTool(state: UiState, callId: string, change: (tool: ToolView) => ToolView): UiState {
  const pending = state.pending.map((item): HistoryItemWithoutId => {
    if (item.type !== 'tool_group' || !item.tools.some((tool) => tool.callId === callId)) return item;
    const group: ToolGroup = {
      ...item,
      tools: item.tools.map((tool) => (tool.callId === callId ? change(tool) : tool)),
    };
    return group;
  });
  return { ...state, pending };
}

function onToolFinished(state: UiState, call: CompletedToolCall): UiState {
  const { request, response, status, durationMs } = call;
  const known = state.pending.some(
    (item) => item.type === 'tool_group' && item.tools.some(({ callId }) => callId === request.callId),
  );
  const base = known ? state : withTool(state, newView(request));
  const next = changeTool(base, request.callId, (tool) => ({
    ...tool,
    status,
    durationMs,
    displayName: call.displayName ?? tool.displayName,
    description: call.description ?? tool.description,
    display: response.resultDisplay ?? tool.display,
    ...(call.isMarkdown && { isMarkdown: true }),
    ...(response.error && { error: response.error.message }),
  }));
  return settleTools({
    ...next,
    todos: todosOf(response.resultDisplay) ?? state.todos,
    thought: intentOf(call) ?? state.thought,
    linesChanged: addLines(state.linesChanged, response.resultDisplay),
  });
}

/** While the model works on, the status line shows what for. */
function intentOf({ request, response, status }: CompletedToolCall): string | undefined {
  const { resultDisplay } = response;
  const isTopic = request.name === 'update_topic' && status === 'success';
  return isTopic && typeof resultDisplay === 'string' ? resultDisplay : undefined;
}

/** The todos of the last prompt of a resumed conversation. */
export function lastTodos(items: readonly HistoryItemWithoutId[]): readonly Todo[] {
  const start = items.findLastIndex(({ type }) => type === 'user');
  const displays = items.slice(start + 1).flatMap((item) => (item.type === 'tool_group' ? item.tools : []));
  return todosOf(displays.findLast(({ display }) => todosOf(display))?.display) ?? [];
}

function todosOf(display: ToolResultDisplay | undefined): readonly Todo[] | undefined {
  return display && typeof display === 'object' && 'todos' in display ? display.todos : undefined;
}

function addLines(sum: UiState['linesChanged'], display: ToolResultDisplay | undefined) {
  const isDiff = display && typeof display === 'object' && 'diffStat' in display;
  const stat = isDiff ? display.diffStat : undefined;
  if (!stat) return sum;
  return {
    added: sum.added + stat.model_added_lines + stat.user_added_lines,
    removed: sum.removed + stat.model_removed_lines + stat.user_removed_lines,
  };
}

function isFinished({ status }: ToolView): boolean {
  return status === 'success' || status === 'error' || status === 'cancelled';
}

/** A group settles when its last call has ended. */
function settleTools(state: UiState): UiState {
  const open = state.pending.at(-1);
  return open?.type === 'tool_group' && open.tools.every(isFinished) ? settleAll(state) : state;
}

function settleAll(state: UiState): UiState {
  const items = state.pending.filter((item) => item.type !== 'gemini' || item.text.trim() !== '');
  return settle({ ...state, pending: [] }, items);
}

function onWarning(state: UiState, event: Extract<AgentEventBody, { type: 'warning' }>): UiState {
  if (event.to !== undefined) {
    const change = { type: 'model_change', model: event.to, reason: event.message } as const;
    return withModel(settle(settleAll(state), [change]), event.to);
  }
  return settle(settleAll(state), [{ type: 'warning', text: event.message }]);
}

function running({ id, name, index, total }: RunningHook): RunningHook {
  return { id, name, index, total };
}

function without(hooks: readonly RunningHook[], id: string): readonly RunningHook[] {
  return hooks.filter((hook) => hook.id !== id);
}

function onHookMessage(state: UiState, event: Extract<AgentEventBody, { type: 'hook_message' }>): UiState {
  const { level, name, message } = event;
  return settle(settleAll(state), [{ type: level, text: `${name}: ${message}` }]);
}

function finish(state: UiState, reason: string): UiState {
  const ended = state.pending.map((item): HistoryItemWithoutId => {
    if (item.type !== 'tool_group') return item;
    const tools = item.tools.map(
      (tool): ToolView => (isFinished(tool) ? tool : { ...tool, status: 'cancelled' }),
    );
    return { ...item, tools };
  });
  const settled = settleAll({ ...state, pending: ended });
  const told =
    reason === 'cancelled' ? settle(settled, [{ type: 'info', text: 'Request cancelled.' }]) : settled;
  return {
    ...told,
    streaming: 'idle',
    thought: undefined,
    retry: undefined,
    confirmation: undefined,
    ...NO_COMMAND,
  };
}

function overflowText(event: { estimatedRequestTokenCount: number; remainingTokenCount: number }): string {
  return (
    `The message was not sent: it needs about ${event.estimatedRequestTokenCount} tokens, and ` +
    `${event.remainingTokenCount} are left in the context window. Use /compress, or make it shorter.`
  );
}
