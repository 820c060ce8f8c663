import { describe, expect, it } from 'vitest';
import { ApprovalMode } from '../../protocol/confirmation.js';
import type { Message } from '../../protocol/messages.js';
import { FULL_ACCESS } from '../catalog/resolutions.js';
import { ModelCatalog } from '../catalog.js';
import { ModelAvailability } from '../fallback/availability.js';
import { FallbackPlanner } from '../fallback/fallback.js';
import type { UtilityModel, UtilityRequest } from '../utility/utility-model.js';
import { createRouter, type RoutingSettings } from './create-router.js';
import type { AskGemma, GemmaQuestion } from './gemma-client.js';
import { ModelRouter } from './model-router.js';
import type { RoutingContext } from './strategy.js';

const PRO = 'gemini-3.1-pro-preview';
const FLASH = 'gemini-3.8-flash';
const HARD = 'design a plugin system for this editor';

interface Bed {
  requested?: string;
  settings?: Partial<RoutingSettings>;
  answer?: () => Record<string, unknown>;
  gemma?: string | Error;
  down?: string[];
  fallbacks?: { model: string }[];
}

function bed({ requested = 'auto', settings, answer, gemma, down = [], fallbacks = [] }: Bed = {}) {
  const asked: UtilityRequest[] = [];
  const questions: GemmaQuestion[] = [];
  const catalog = new ModelCatalog();
  let time = 0;
  const now = () => time++;
  const availability = new ModelAvailability(() => 0);
  for (const model of down) availability.markTerminal(model, 'quota');
  const access = () => FULL_ACCESS;
  const planner = new FallbackPlanner({
    catalog,
    availability,
    access,
    fallbacks,
    requestedModel: () => requested,
    isInteractive: false,
    now: () => 0,
  });
  const utility: UtilityModel = {
    generateText: () => Promise.reject(new Error('not expected')),
    generateJson: async (request) => {
      asked.push(request);
      return answer?.() ?? {};
    },
  };
  const askGemma: AskGemma = async (question) => {
    questions.push(question);
    if (gemma instanceof Error) throw gemma;
    return gemma ?? '';
  };
  const route = async (context: Partial<RoutingContext> = {}) => {
    const router = await createRouter({
      catalog,
      access,
      availability,
      current: (model) => planner.current(model),
      utility,
      askGemma,
      now,
      settings: {
        classifier: false,
        planModelRouting: true,
        ...(gemma !== undefined && { gemma: { enabled: true, host: 'http://h', model: 'm' } }),
        ...settings,
      },
    });
    return router.route({
      requestedModel: requested,
      parts: [{ text: 'hi' }],
      history: [],
      approvalMode: ApprovalMode.DEFAULT,
      hasApprovedPlan: false,
      failedTurns: 0,
      promptId: 'p',
      signal: new AbortController().signal,
      ...context,
    });
  };
  return { route, asked, questions };
}

const text = (prompt: string) => ({ parts: [{ text: prompt }] });
const throwing = () => {
  throw new Error('no answer');
};

describe('routing without a classifier', () => {
  it.each<[string, Bed, Partial<RoutingContext>, string, string]>([
    ['a named model', { requested: 'gemini-2.5-pro' }, text(HARD), 'gemini-2.5-pro', 'override'],
    ['an alias', { requested: 'pro' }, {}, PRO, 'override'],
    ['another provider', { requested: 'ollama/x' }, {}, 'ollama/x', 'override'],
    [
      'a named model in plan mode',
      { requested: 'flash' },
      { approvalMode: ApprovalMode.PLAN },
      FLASH,
      'override',
    ],
    ['plan mode', {}, { approvalMode: ApprovalMode.PLAN }, PRO, 'approval-mode'],
    ['an approved plan', {}, { hasApprovedPlan: true, ...text(HARD) }, FLASH, 'approval-mode'],
    ['planning without pro', { down: [PRO] }, { approvalMode: ApprovalMode.PLAN }, FLASH, 'local-rule'],
    [
      'plan routing disabled',
      { settings: { planModelRouting: false } },
      { hasApprovedPlan: true, ...text(HARD) },
      PRO,
      'local-rule',
    ],
    ['a simple prompt', {}, {}, FLASH, 'local-rule'],
    ['a hard prompt', {}, text(HARD), PRO, 'local-rule'],
    ['a hard prompt of 2.5', { requested: 'auto-gemini-2.5' }, text(HARD), 'gemini-2.5-pro', 'local-rule'],
    ['two failed turns', {}, { failedTurns: 2 }, PRO, 'local-rule'],
    ['a hard prompt without pro', { down: [PRO] }, text(HARD), FLASH, 'local-rule'],
    [
      'the same with a fallback',
      { down: [PRO], fallbacks: [{ model: 'a/x' }] },
      text(HARD),
      'a/x',
      'local-rule',
    ],
    ['no flash', { down: [FLASH] }, {}, PRO, 'fallback'],
    ['nothing at all', { down: [FLASH, PRO] }, {}, FLASH, 'local-rule'],
    ['a named model that is out stays', { requested: 'pro', down: [PRO] }, {}, PRO, 'override'],
    [
      'a named model with a fallback',
      { requested: 'pro', down: [PRO], fallbacks: [{ model: 'a/x' }] },
      {},
      'a/x',
      'fallback',
    ],
  ])('%s', async (_name, options, context, model, source) => {
    expect(await bed(options).route(context)).toMatchObject({ model, source });
  });

  it('asks no model, and reports its duration', async () => {
    const { route, asked } = bed();
    expect((await route()).latencyMs).toBe(1);
    expect(asked).toEqual([]);
  });
});

describe('routing with a classifier', () => {
  const settings = { classifier: true };
  const score = (complexity_score: unknown) => () => ({ complexity_score, complexity_reasoning: 'because' });
  const choice = (model_choice: unknown) => () => ({ model_choice, reasoning: 'because' });

  it.each<[string, Bed, string, string]>([
    ['a low score', { answer: score(89) }, FLASH, 'numerical_classifier'],
    ['a high score', { answer: score(90) }, PRO, 'numerical_classifier'],
    [
      'another threshold',
      { answer: score(50), settings: { ...settings, numericalThreshold: 50 } },
      PRO,
      'numerical_classifier',
    ],
    ['a score without meaning', { answer: score(0) }, FLASH, 'local-rule'],
    ['no score', { answer: score('high') }, FLASH, 'local-rule'],
    ['no answer', { answer: throwing }, FLASH, 'local-rule'],
    ['a high score without pro', { answer: score(99), down: [PRO] }, FLASH, 'local-rule'],
    [
      '2.5: flash',
      { requested: 'auto-gemini-2.5', answer: choice('flash') },
      'gemini-2.5-flash',
      'classifier',
    ],
    ['2.5: pro', { requested: 'auto-gemini-2.5', answer: choice('pro') }, 'gemini-2.5-pro', 'classifier'],
    [
      '2.5: nonsense',
      { requested: 'auto-gemini-2.5', answer: choice('both') },
      'gemini-2.5-flash',
      'local-rule',
    ],
    [
      'scores off',
      { answer: choice('pro'), settings: { ...settings, numericalThreshold: false } },
      PRO,
      'classifier',
    ],
  ])('%s', async (_name, options, model, source) => {
    expect(await bed({ settings, ...options }).route()).toMatchObject({ model, source });
  });

  it('skips the classifier for a named model and for tool results', async () => {
    const named = bed({ settings, requested: 'pro' });
    await named.route();
    const tools = bed({ settings, answer: score(99) });
    const parts = [{ functionResponse: { name: 'read', response: {} } }];
    expect((await tools.route({ parts })).source).toBe('local-rule');
    expect([...named.asked, ...tools.asked]).toEqual([]);
  });

  const user = (said: string): Message => ({ role: 'user', origin: 'prompt', parts: [{ text: said }] });
  const model = (said: string): Message => ({ role: 'model', origin: 'model', parts: [{ text: said }] });
  const call: Message = {
    role: 'model',
    origin: 'model',
    parts: [{ functionCall: { name: 'read', args: {} } }],
  };
  const result: Message = {
    role: 'user',
    origin: 'tool_response',
    parts: [{ functionResponse: { name: 'read', response: { output: 'secret' } } }],
  };
  const wordsOf = ({ messages }: UtilityRequest) =>
    messages.map(({ parts }) => parts.map((part) => part.text).join());

  it('shows the numerical classifier the last eight turns, from the first without a tool', async () => {
    const { route, asked } = bed({ settings, answer: score(1) });
    await route({
      history: [
        user('old'),
        model('older'),
        call,
        result,
        model('1'),
        user('2'),
        call,
        result,
        model('3'),
        user('4'),
      ],
      ...text('now'),
    });
    expect(asked[0]).toMatchObject({ alias: 'classifier', role: 'utility_router', promptId: 'p' });
    expect(wordsOf(asked[0] as UtilityRequest)).toEqual([
      '1',
      '2',
      '[calls the tool read]',
      '[result of the tool read]',
      '3',
      '4',
      'now',
    ]);
  });

  it('shows the other classifier the last four turns without tools', async () => {
    const { route, asked } = bed({ settings, requested: 'auto-gemini-2.5', answer: choice('pro') });
    await route({
      history: [user('0'), user('1'), call, result, model('2'), user('3'), call, result, model('4')],
      ...text('now'),
    });
    expect(wordsOf(asked[0] as UtilityRequest)).toEqual(['1', '2', '3', '4', 'now']);
  });
});

describe('routing with a local model', () => {
  it.each<[string, string | Error, string, string]>([
    ['its choice', '{"reasoning":"r","model_choice":"pro"}', PRO, 'gemma-classifier'],
    [
      'its choice in a fence',
      '```json\n{"reasoning":"r","model_choice":"flash"}\n```',
      FLASH,
      'gemma-classifier',
    ],
    ['prose', 'I think pro would be nice', FLASH, 'local-rule'],
    ['a failure', new Error('refused'), FLASH, 'local-rule'],
  ])('%s', async (_name, gemma, model, source) => {
    expect(await bed({ gemma }).route()).toMatchObject({ model, source });
  });

  it('falls back to the cloud classifier when it fails, if that is enabled', async () => {
    const answer = () => ({ complexity_score: 99, complexity_reasoning: 'r' });
    const decision = await bed({ gemma: new Error('x'), answer, settings: { classifier: true } }).route();
    expect(decision).toMatchObject({ model: PRO, source: 'numerical_classifier' });
  });

  it('sends the conversation as one message with a reminder', async () => {
    const { route, questions } = bed({ gemma: '{}' });
    await route({
      history: [{ role: 'model', origin: 'model', parts: [{ text: 'Hello.' }] }],
      ...text('Go!'),
    });
    expect(questions[0]).toMatchObject({ host: 'http://h', model: 'm' });
    expect(questions[0]?.text).toMatch(/^Assistant: Hello\.\n\nUser: Go!\n\nJudge /);
  });
});

it('throws when no strategy decides', async () => {
  const router = new ModelRouter([{ source: 'x', route: () => undefined }], () => 0);
  await expect(router.route({} as RoutingContext)).rejects.toThrow('no routing strategy');
});
