import { describe, expect, it } from 'vitest';
import { EventStream } from '../../bus/event-stream.js';
import { PolicyDecision, ToolConfirmationOutcome } from '../../protocol/confirmation.js';
import type { Answers, QuestionKind } from '../../protocol/questions.js';
import { elicitHandler } from './elicit.js';
import { rootsOf } from './roots.js';
import { sampleHandler } from './sample.js';

const server = { name: 'srv' };
const signal = new AbortController().signal;
const FORM = {
  message: 'Who?',
  requestedSchema: {
    type: 'object' as const,
    properties: { name: { type: 'string' as const } },
    required: ['name'],
  },
};

/** A front end that gives this answer to every question. */
function answering(answer?: Answers[QuestionKind]) {
  const events = new EventStream();
  const asked: unknown[] = [];
  if (answer !== undefined)
    events.subscribe(
      (event) => {
        if (event.type !== 'question') return;
        asked.push(event.question);
        events.answer(event.id, answer);
      },
      { answers: true },
    );
  return { events, asked };
}

describe('A form of a server', () => {
  it('is shown with the name of the server, and its answer is checked', async () => {
    const { events, asked } = answering({ action: 'accept', content: { name: 'Ada', extra: true } });
    expect(await elicitHandler(events)(server, FORM, signal)).toEqual({
      action: 'accept',
      content: { name: 'Ada' },
    });
    expect(asked).toMatchObject([
      { kind: 'mcp_elicitation', serverName: 'srv', message: 'Who?', mode: 'form' },
    ]);
  });

  it.each([
    [{ action: 'decline' as const }, 'decline'],
    [{ action: 'accept' as const, content: {} }, 'cancel'],
    [undefined, 'decline'],
  ])('answered with %j is %s', async (answer, action) => {
    expect(await elicitHandler(answering(answer).events)(server, FORM, signal)).toEqual({ action });
  });

  it('is cancelled with the request of the server', async () => {
    const events = new EventStream();
    events.subscribe(() => undefined, { answers: true });
    const controller = new AbortController();
    const reply = elicitHandler(events)(server, FORM, controller.signal);
    controller.abort();
    expect(await reply).toEqual({ action: 'cancel' });
  });

  it('is refused while another of the same server is open', async () => {
    const events = new EventStream();
    events.subscribe(() => undefined, { answers: true });
    const elicit = elicitHandler(events);
    const controller = new AbortController();
    const first = elicit(server, FORM, controller.signal);
    await expect(elicit(server, FORM, signal)).rejects.toThrow('still open');
    controller.abort();
    await first;
  });
});

describe('A page that a server wants to open', () => {
  const page = (url: string) => ({ mode: 'url' as const, message: 'Look', url, elicitationId: '1' });

  it('is shown with its whole address', async () => {
    const { events, asked } = answering({ action: 'accept' });
    expect(await elicitHandler(events)(server, page('https://a.example/x?y=1'), signal)).toEqual({
      action: 'accept',
    });
    expect(asked).toMatchObject([{ mode: 'url', url: 'https://a.example/x?y=1' }]);
  });

  it.each([
    'file:///etc/passwd',
    'javascript:alert(1)',
    'https://bank.example@evil.example/',
    'nonsense',
    `https://a/${'x'.repeat(5_000)}`,
  ])('is refused for %.40s without asking the user', async (url) => {
    const { events, asked } = answering({ action: 'accept' });
    await expect(elicitHandler(events)(server, page(url), signal)).rejects.toThrow('cannot be opened');
    expect(asked).toEqual([]);
  });
});

describe('A request for an answer of the model', () => {
  const params = {
    messages: [{ role: 'user' as const, content: { type: 'text' as const, text: 'Hi' } }],
    maxTokens: 10,
  };
  const { ProceedOnce, Cancel } = ToolConfirmationOutcome;

  function sampling(
    { isInteractive = true, decision = PolicyDecision.ASK_USER, isNamed = false } = {},
    outcome: ToolConfirmationOutcome = ProceedOnce,
  ) {
    const { events, asked } = answering({ outcome });
    const requests: unknown[] = [];
    const sample = sampleHandler({
      isInteractive,
      events,
      decide: async () => decision,
      isNamedByRule: () => isNamed,
      generate: async (request) => {
        requests.push(request);
        return { text: 'Hello', model: 'm', isCut: true };
      },
    });
    return { sample, asked, requests };
  }

  it('is shown with all of its text, and answered when the user allows it', async () => {
    const { sample, asked, requests } = sampling();
    expect(await sample(server, { ...params, systemPrompt: 'Be brief' }, signal)).toEqual({
      role: 'assistant',
      content: { type: 'text', text: 'Hello' },
      model: 'm',
      stopReason: 'maxTokens',
    });
    expect(asked).toMatchObject([
      {
        kind: 'tool_confirmation',
        details: { serverName: 'srv', toolArgs: { systemPrompt: 'Be brief', messages: ['user: Hi'] } },
      },
    ]);
    expect(requests).toMatchObject([{ systemInstruction: 'Be brief', maxTokens: 10 }]);
  });

  it.each([
    ['the user refuses', {}, Cancel],
    ['a rule denies it', { decision: PolicyDecision.DENY }, ProceedOnce],
    [
      'a headless run has a rule for all tools of the server only',
      { isInteractive: false, decision: PolicyDecision.ALLOW },
      ProceedOnce,
    ],
    ['a headless run has a rule that is overruled', { isInteractive: false, isNamed: true }, ProceedOnce],
  ])('is refused when %s', async (_when, scene, outcome) => {
    const { sample, requests } = sampling(scene, outcome);
    await expect(sample(server, params, signal)).rejects.toThrow('did not allow');
    expect(requests).toEqual([]);
  });

  it('is answered in a headless run where a rule names it', async () => {
    const { sample, asked } = sampling({
      isInteractive: false,
      decision: PolicyDecision.ALLOW,
      isNamed: true,
    });
    expect(await sample(server, params, signal)).toMatchObject({ model: 'm' });
    expect(asked).toEqual([]);
  });

  it('is refused when it is too large or contains what no model reads', async () => {
    const { sample } = sampling();
    const content = (value: object) => ({
      ...params,
      messages: [{ role: 'user' as const, content: value as never }],
    });
    await expect(
      sample(server, content({ type: 'text', text: 'x'.repeat(500_000) }), signal),
    ).rejects.toThrow('too large');
    await expect(sample(server, content({ type: 'tool_use' }), signal)).rejects.toThrow('Only text');
    await expect(sample(server, { ...params, messages: [] }, signal)).rejects.toThrow('no messages');
  });
});

it('roots are addresses of the workspace directories', () => {
  expect(rootsOf(['/work/my project', '/'])).toEqual([
    { uri: 'file:///work/my%20project', name: 'my project' },
    { uri: 'file:///', name: '/' },
  ]);
});
