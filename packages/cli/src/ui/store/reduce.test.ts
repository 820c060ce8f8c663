import { type AgentEventBody, ApprovalMode, type ErrorRemedy } from '@gemini-cli/core';
import { describe, expect, it } from 'vitest';
import type { HistoryItemWithoutId } from '../../history/item.js';
import { reduce, type UiEvent } from './reduce.js';
import { initialState, type UiState } from './state.js';

type RetryEvent = Extract<AgentEventBody, { type: 'retry' }>;

const START = initialState(
  {
    cwd: '/project',
    sandbox: 'no sandbox',
    model: 'auto',
    sessionId: 's',
    contextFiles: 0,
    contextFileName: 'GEMINI.md',
    skills: 0,
    mcpServers: 0,
    backgroundTasks: 0,
    trusted: true,
  },
  ApprovalMode.DEFAULT,
);

function after(events: readonly UiEvent[], state: UiState = START): UiState {
  return events.reduce<UiState>((current, event) => reduce(current, event, 1000), state);
}

const started: AgentEventBody = {
  type: 'turn_started',
  sessionId: 's',
  promptId: 'p',
  model: 'm',
  parts: [{ text: 'hi' }],
};
const finished: AgentEventBody = { type: 'turn_finished', reason: 'completed' };
const request = (callId: string, name = 'read_file') => ({ callId, name, args: {}, promptId: 'p' });

describe('Hooks', () => {
  const start = (id: string, isShown = true): AgentEventBody => ({
    type: 'hook_started',
    id,
    name: `hook ${id}`,
    event: 'BeforeTool',
    index: 1,
    total: 2,
    isShown,
  });
  const end = (id: string): AgentEventBody => ({
    type: 'hook_finished',
    id,
    name: `hook ${id}`,
    event: 'BeforeTool',
    success: true,
    durationMs: 1,
  });

  it('are known while they run; those that are not shown are not', () => {
    const names = (...events: AgentEventBody[]) => after(events).hooks.map(({ name }) => name);
    expect(names(start('a'), start('b'), start('c', false))).toEqual(['hook a', 'hook b']);
    expect(names(start('a'), start('a'), start('b'), end('a'), end('c'))).toEqual(['hook b']);
  });

  it('speak in the history, between the parts of an answer', () => {
    const message = (level: 'info' | 'warning'): AgentEventBody => ({
      type: 'hook_message',
      name: 'lint',
      event: 'AfterTool',
      message: 'two problems',
      level,
    });
    const { history } = after([
      started,
      { type: 'content', text: 'Before' },
      message('info'),
      message('warning'),
    ]);
    expect(history).toMatchObject([
      { type: 'gemini', text: 'Before' },
      { type: 'info', text: 'lint: two problems' },
      { type: 'warning', text: 'lint: two problems' },
    ]);
  });
});

describe('An answer', () => {
  it('is live while it grows and settles when the request ends', () => {
    const live = after([started, { type: 'content', text: 'Hel' }, { type: 'content', text: 'lo' }]);
    expect(live.pending).toEqual([{ type: 'gemini', text: 'Hello' }]);
    expect(live.streaming).toBe('responding');
    const settled = after([finished], live);
    expect(settled.pending).toEqual([]);
    expect(settled.history).toEqual([{ type: 'gemini', text: 'Hello', id: 1 }]);
    expect(settled.streaming).toBe('idle');
  });

  it('settles paragraph by paragraph; only the first part has the mark', () => {
    const { history, pending } = after([
      started,
      { type: 'content', text: 'One.\n\nTwo.\n\nThree\ngoes on' },
    ]);
    expect(history).toEqual([{ type: 'gemini', text: 'One.\n\nTwo.', id: 1 }]);
    expect(pending).toEqual([{ type: 'gemini', text: 'Three\ngoes on', isContinued: true }]);
  });

  it('never splits inside a code fence', () => {
    const { history, pending } = after([started, { type: 'content', text: '```js\na\n\nb\n\nc' }]);
    expect(history).toEqual([]);
    expect(pending).toEqual([{ type: 'gemini', text: '```js\na\n\nb\n\nc' }]);
  });

  it('is removed when the request is retried', () => {
    const state = after([
      started,
      { type: 'content', text: 'wrong' },
      {
        type: 'retry',
        attempt: 1,
        maxAttempts: 3,
        delayMs: 2000,
        message: 'Broken stream',
        discardsOutput: true,
      },
    ]);
    expect(state.pending).toEqual([]);
    expect(state.retry).toMatchObject({ what: 'Broken stream', count: '2/3', details: 'Broken stream' });
  });
});

describe('Tool calls', () => {
  it('that start together are one group, which settles when the last one has ended', () => {
    const call = (callId: string) => ({
      type: 'tool_finished' as const,
      call: {
        request: request(callId),
        status: 'success' as const,
        response: { callId, responseParts: [], resultDisplay: 'ok' },
        durationMs: 5,
        decision: 'auto_accept' as const,
      },
    });
    const half = after([
      started,
      { type: 'tool_requested', request: request('1') },
      { type: 'tool_requested', request: request('2') },
      {
        type: 'tool_status',
        callId: '1',
        status: 'executing',
        description: 'a.txt',
        displayName: 'ReadFile',
      },
      call('1'),
    ]);
    expect(half.history).toEqual([]);
    expect(half.pending).toMatchObject([
      { tools: [{ status: 'success', display: 'ok' }, { status: 'validating' }] },
    ]);
    const whole = after([call('2')], half);
    expect(whole.pending).toEqual([]);
    expect(whole.history).toMatchObject([
      {
        type: 'tool_group',
        tools: [{ displayName: 'ReadFile', description: 'a.txt' }, { status: 'success' }],
      },
    ]);
  });

  it('that have not ended are cancelled with the request, and the user is told', () => {
    const { history } = after([
      started,
      { type: 'tool_requested', request: request('1') },
      { type: 'turn_finished', reason: 'cancelled' },
    ]);
    expect(history).toMatchObject([
      { type: 'tool_group', tools: [{ status: 'cancelled' }] },
      { type: 'info', text: 'Request cancelled.' },
    ]);
  });

  it('with a topic put its intent into the status line', () => {
    const { thought } = after([
      started,
      {
        type: 'tool_finished',
        call: {
          request: request('1', 'update_topic'),
          status: 'success',
          response: { callId: '1', responseParts: [], resultDisplay: 'Read the grammar.' },
          durationMs: 1,
          decision: 'auto_accept',
        },
      },
    ]);
    expect(thought).toBe('Read the grammar.');
  });

  it('with todos fill the todo tray', () => {
    const todos = [{ description: 'one', status: 'in_progress' as const }];
    const { todos: shown } = after([
      started,
      { type: 'tool_requested', request: request('1', 'write_todos') },
      {
        type: 'tool_finished',
        call: {
          request: request('1', 'write_todos'),
          status: 'success',
          response: { callId: '1', responseParts: [], resultDisplay: { todos } },
          durationMs: 1,
          decision: 'auto_accept',
        },
      },
    ]);
    expect(shown).toEqual(todos);
  });

  it('of earlier work leave the todo tray with the next prompt, and with a resumed conversation', () => {
    const todos = [{ description: 'one', status: 'in_progress' as const }];
    const prompt = { type: 'user', text: 'x' } as const;
    const tool = { callId: '1', name: 'write_todos', displayName: 'WriteTodos', description: '' };
    const list = { type: 'tool_group', tools: [{ ...tool, status: 'success', display: { todos } }] } as const;
    const resumed = (...items: HistoryItemWithoutId[]) =>
      reduce(START, { type: 'history_loaded', items }, 0).todos;
    expect(resumed(prompt, list)).toEqual(todos);
    expect(resumed(prompt, list, prompt)).toEqual([]);
    const open = reduce(START, { type: 'history_loaded', items: [prompt, list] }, 0);
    expect(reduce(open, { type: 'item_added', item: prompt }, 0).todos).toEqual([]);
  });

  it('tell whether their text is Markdown', () => {
    const { history } = after([
      started,
      {
        type: 'tool_finished',
        call: {
          request: request('1', 'ask_user'),
          status: 'success',
          response: { callId: '1', responseParts: [], resultDisplay: '**User answered:**\n- a → b' },
          isMarkdown: true,
          durationMs: 1,
          decision: 'auto_accept',
        },
      },
    ]);
    expect(history).toMatchObject([{ tools: [{ isMarkdown: true }] }]);
  });
});

it.each<[ErrorRemedy, string]>([
  [{ kind: 'quota' }, 'Quota used up. Switch models with /model; /stats model shows usage.'],
  [
    { kind: 'quota', until: new Date(2026, 0, 2, 14, 5).getTime() },
    'Quota used up until 2026-01-02 14:05. Switch models with /model; /stats model shows usage.',
  ],
  [{ kind: 'later' }, 'Try again later, or switch models with /model.'],
  [{ kind: 'rephrase' }, 'Rephrase the prompt, or switch models with /model.'],
])('an error with the remedy %j gives its advice once, in the words of the screen', (remedy, advice) => {
  const error = {
    type: 'ApiError',
    message: '[API Error: no. Advice with --model.]',
    reason: '[API Error: no.]',
    remedy,
  };
  const { history } = after([started, { type: 'error', error }]);
  expect(history).toMatchObject([{ type: 'error', text: '[API Error: no.]', advice }]);
});

it.each<[Partial<RetryEvent>, string, string]>([
  [{ cause: 'request', code: 503 }, 'Server error 503', '2/10'],
  [{ cause: 'request', code: 429 }, 'Too many requests', '2/10'],
  [{ cause: 'request', code: 'ECONNREFUSED' }, 'No connection', '2/10'],
  [{ cause: 'stream', code: 502, attempt: 3 }, 'Incomplete answer', '4/10'],
  [{ cause: 'request', code: 503, attempt: 12, maxAttempts: 0 }, 'Server error 503', 'try 13'],
])('a retry after %j is called %s (%s)', (event, what, count) => {
  const retry = { type: 'retry', attempt: 1, maxAttempts: 10, delayMs: 6_000, message: 'long' } as const;
  const { retry: shown } = after([started, { ...retry, discardsOutput: false, ...event }]);
  expect(shown).toMatchObject({ what, count, details: 'long' });
});

it("an error that is not the server's is shown as it is, whatever numbers it contains", () => {
  const error = { type: 'TypeError', message: 'Port 403 is taken', code: 'EADDRINUSE' };
  expect(after([started, { type: 'error', error }]).history).toMatchObject([
    { type: 'error', text: 'Port 403 is taken' },
  ]);
  expect(after([started, { type: 'error', error }]).history[0]).not.toHaveProperty('advice');
});

describe('A question', () => {
  const details = { type: 'info', title: 'Sign in', prompt: 'Sign in?', onConfirm: async () => {} } as const;
  const opened: UiEvent = {
    type: 'confirmation_opened',
    confirmation: { correlationId: 'c', toolName: 'sign-in', details },
  };
  const closed: UiEvent = { type: 'confirmation_closed' };

  it('during a request leaves it running, and one without a request leaves the session idle', () => {
    expect(after([started, opened]).streaming).toBe('waiting_for_confirmation');
    expect(after([started, opened, closed]).streaming).toBe('responding');
    expect(after([opened, opened, closed]).streaming).toBe('idle');
    expect(after([opened, closed, started, opened, closed]).streaming).toBe('responding');
    expect(after([opened, started, closed]).streaming).toBe('responding');
  });
});

it('a model change is announced and shown', () => {
  const state = after([started, { type: 'warning', message: 'quota', from: 'a', to: 'b' }]);
  expect(state.history).toMatchObject([{ type: 'model_change', model: 'b', reason: 'quota' }]);
  expect(state.facts.model).toBe('b');
});

it('a loaded history replaces the todos with its own last ones', () => {
  const todos = (description: string) => ({ todos: [{ description, status: 'pending' as const }] });
  const tool = (display: ReturnType<typeof todos>) => ({
    callId: '1',
    name: 'write_todos',
    displayName: 'Todos',
    description: '',
    status: 'success' as const,
    display,
  });
  const items = ['a', 'b'].map((text) => ({ type: 'tool_group' as const, tools: [tool(todos(text))] }));
  const state = after([{ type: 'history_loaded', items }]);
  expect(state.todos).toEqual(todos('b').todos);
  const next = after([
    { type: 'history_loaded', items },
    { type: 'history_loaded', items: [{ type: 'info', text: 'x' }] },
  ]);
  expect(next.todos).toEqual([]);
});

it('the history keeps only its newest items, and ids continue', () => {
  const items = Array.from({ length: 1500 }, (_, index) => ({ type: 'info' as const, text: String(index) }));
  const state = after([{ type: 'history_loaded', items }]);
  expect(state.history).toHaveLength(1000);
  expect(state.history.at(-1)).toEqual({ type: 'info', text: '1499', id: 1500 });
});

it('a steering message is shown after the text that came before it', () => {
  const state = after([started, { type: 'content', text: 'first' }, { type: 'steered', text: 'hurry' }]);
  expect(state.history.map((item) => ('text' in item ? item.text : item.type))).toEqual(['first', 'hurry']);
  expect(state.pending).toEqual([]);
});

it('the same notice is shown once', () => {
  const state = after([
    { type: 'notice', message: 'x' },
    { type: 'notice', message: 'x' },
  ]);
  expect(state.notices).toEqual(['x']);
});
