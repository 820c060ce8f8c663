/** What Google's service says about an account, and the questions it leads to. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AuthAnswer, startOAuthServer, tempDir } from '@gemini-cli/test-utils';
import { expect, it, onTestFinished } from 'vitest';
import { EventStream } from '../bus/event-stream.js';
import { openProject } from '../project/open-project.js';
import type { AgentEvent } from '../protocol/agent-events.js';
import { ApprovalMode } from '../protocol/confirmation.js';
import type { Answer, Question } from '../protocol/questions.js';
import { setting } from '../settings/schema/index.js';
import { Config } from './config.js';

const ANSWER: AuthAnswer = {
  status: 200,
  headers: { 'content-type': 'text/event-stream' },
  body: `data: ${JSON.stringify({
    response: {
      candidates: [{ content: { role: 'model', parts: [{ text: 'done' }] }, finishReason: 'STOP' }],
    },
    remainingCredits: [{ creditType: 'GOOGLE_ONE_AI', creditAmount: '90' }],
  })}\n\n`,
};
const DOMAIN = 'cloudcode-pa.googleapis.com';

function refusal(status: number, reason: string, link?: string): AuthAnswer {
  const details = [
    { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: DOMAIN },
    ...(link ? [{ '@type': 'type.googleapis.com/google.rpc.Help', links: [{ url: link }] }] : []),
  ];
  return { status, body: { error: { code: status, message: 'refused', details } } };
}

interface Given {
  tier?: string;
  credits?: string;
  /** The first answer refuses the account. */
  ineligible?: unknown;
  admin?: readonly AuthAnswer[];
  answers?: readonly AuthAnswer[];
  settings?: Record<string, unknown>;
  approvalMode?: string;
  model?: string;
  reply?: (question: Question) => Answer;
}

async function signedIn({ tier = 'standard-tier', credits, ...given }: Given) {
  const server = await startOAuthServer();
  const root = tempDir('account-');
  const [home, cwd] = [join(root.path, 'home'), join(root.path, 'work')];
  for (const path of [join(home, '.gemini'), cwd]) mkdirSync(path, { recursive: true });
  const settings = { security: { auth: { selectedType: 'oauth-personal' } }, ...given.settings };
  writeFileSync(join(home, '.gemini/settings.json'), JSON.stringify(settings));
  const paidTier = credits && {
    availableCredits: [{ creditType: 'GOOGLE_ONE_AI', creditAmount: credits }],
  };
  const loaded = { currentTier: { id: tier }, cloudaicompanionProject: 'my-project', paidTier };
  const first = given.ineligible ? [{ status: 200, body: { ineligibleTiers: [given.ineligible] } }] : [];
  server.codeAssist.set('loadCodeAssist', [...first, { status: 200, body: loaded }]);
  server.codeAssist.set('streamGenerateContent', [...(given.answers ?? [ANSWER])]);
  if (given.admin) server.codeAssist.set('fetchAdminControls', [...given.admin]);
  const env = {
    HOME: home,
    GEMINI_CLI_HOME: home,
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
    GEMINI_FORCE_FILE_STORAGE: 'true',
    GOOGLE_GENAI_USE_GCA: 'true',
    GOOGLE_CLOUD_ACCESS_TOKEN: server.issue().access_token,
    GOOGLE_CLOUD_PROJECT: 'my-project',
    CODE_ASSIST_ENDPOINT: server.url,
    GEMINI_MODEL: given.model ?? 'gemini-2.5-flash',
  };
  const events = new EventStream();
  const questions: Question[] = [];
  events.subscribe(
    (event) => {
      if (event.type !== 'question') return;
      questions.push(event.question);
      const answer = given.reply?.(event.question);
      if (answer !== undefined) events.answer(event.id, answer);
    },
    { answers: true },
  );
  const overrides = given.approvalMode === undefined ? {} : { approvalMode: given.approvalMode };
  const project = await openProject({ cwd, env, overrides, frontEnd: { interactive: true, events } });
  const config = new Config(project);
  onTestFinished(async () => {
    await config.shutdown();
    await server.close();
    root.cleanup();
  });
  const sent = () => server.to('/v1internal:streamGenerateContent').map(({ json }) => json);
  return { config, project, server, questions, sent };
}

async function ask(config: Config): Promise<AgentEvent[]> {
  await config.initialize();
  const events: AgentEvent[] = [];
  for await (const event of config.getSession().send('hello')) events.push(event);
  return events;
}

it('asks whether credits may pay once the quota is used up, and spends them after a yes', async () => {
  const { config, questions, sent } = await signedIn({
    credits: '100',
    answers: [refusal(429, 'QUOTA_EXHAUSTED'), ANSWER],
    reply: () => 'retry_with_credits',
  });
  const events = await ask(config);
  expect(questions).toMatchObject([{ kind: 'model_fallback', credits: 'usable', errorClass: 'quota' }]);
  expect(events.at(-1)).toMatchObject({ type: 'turn_finished', reason: 'completed' });
  const types = sent().map((body) => (body as { enabled_credit_types?: string[] }).enabled_credit_types);
  expect(types).toEqual([undefined, ['GOOGLE_ONE_AI']]);
});

it('spends credits unasked with overageStrategy always, and offers none with never', async () => {
  const always = await signedIn({ credits: '100', settings: strategy('always') });
  await ask(always.config);
  expect(always.sent()).toMatchObject([{ enabled_credit_types: ['GOOGLE_ONE_AI'] }]);
  const never = await signedIn({
    credits: '100',
    tier: 'free-tier',
    settings: strategy('never'),
    answers: [refusal(429, 'QUOTA_EXHAUSTED')],
    reply: () => 'stop',
  });
  await ask(never.config);
  expect(never.questions).toMatchObject([{ kind: 'model_fallback', canUpgrade: true }]);
  expect(never.questions[0]).not.toHaveProperty('credits');
});

it('says that the wallet is empty when the server refuses for lack of credits', async () => {
  const { config, questions } = await signedIn({
    credits: '3',
    answers: [refusal(429, 'INSUFFICIENT_G1_CREDITS_BALANCE')],
    reply: () => 'stop',
  });
  await ask(config);
  expect(questions).toMatchObject([{ kind: 'model_fallback', credits: 'empty' }]);
});

it.each([
  ['VALIDATION_REQUIRED', 'verification'],
  ['TOS_VIOLATION', 'blocked'],
])('asks about an account that is refused with %s', async (reason, problem) => {
  const link = 'https://accounts.example/solve';
  const { config, questions, sent } = await signedIn({
    answers: [refusal(403, reason, link), ANSWER],
    reply: () => (problem === 'blocked' ? 'stop' : 'retry'),
  });
  const events = await ask(config);
  expect(questions).toMatchObject([{ kind: 'account_problem', problem, link }]);
  expect(sent()).toHaveLength(problem === 'blocked' ? 1 : 2);
  const reasonOfEnd = problem === 'blocked' ? 'error' : 'completed';
  expect(events.at(-1)).toMatchObject({ type: 'turn_finished', reason: reasonOfEnd });
});

it('asks to verify an account that the service does not accept yet, and starts afterwards', async () => {
  const link = 'https://accounts.example/verify';
  const reason = { reasonCode: 'VALIDATION_REQUIRED', reasonMessage: 'Verify first.', validationUrl: link };
  const { config, questions } = await signedIn({ ineligible: reason, reply: () => 'retry' });
  expect((await ask(config)).at(-1)).toMatchObject({ reason: 'completed' });
  expect(questions).toEqual([
    { kind: 'account_problem', problem: 'verification', reason: 'Verify first.', link },
  ]);
  const refused = await signedIn({ ineligible: reason, reply: () => 'stop' });
  await expect(refused.config.initialize()).rejects.toThrow(`Verify first. ${link}`);
});

const STRICT = { adminControlsApplicable: true, mcpSetting: { mcpEnabled: true } };

it("applies the organisation's controls before the first request", async () => {
  const { config, project, server } = await signedIn({ admin: [{ status: 200, body: STRICT }] });
  await config.initialize();
  expect(server.to('/v1internal:fetchAdminControls')).toMatchObject([{ json: { project: 'my-project' } }]);
  expect(project.parameters).toMatchObject({ disableYoloMode: true, disableAlwaysAllow: true });
  const { settings } = project.parameters;
  const keys = ['admin.mcp.enabled', 'admin.skills.enabled', 'admin.extensions.enabled'] as const;
  expect(keys.map((key) => setting(settings?.merged ?? {}, key))).toEqual([true, false, false]);
  project.setTrusted(true);
  expect(project.parameters.disableYoloMode).toBe(true);
});

it('refuses yolo mode when they forbid it, and to start when they cannot be read', async () => {
  const yolo = await signedIn({ admin: [{ status: 200, body: STRICT }], approvalMode: 'yolo' });
  await expect(yolo.config.initialize()).rejects.toThrow('Yolo mode is disabled by your organisation.');
  const broken = await signedIn({ admin: [{ status: 500, body: {} }] });
  await expect(broken.config.initialize()).rejects.toThrow(
    'The controls of your organisation cannot be read',
  );
});

it('applies them to a session that began with another model, before the first request with the account', async () => {
  const admin = [{ status: 200, body: STRICT }];
  const { config, project, sent } = await signedIn({ admin, approvalMode: 'yolo', model: 'offline' });
  await config.initialize();
  const switched = () => config.setModel('gemini-2.5-pro');
  await expect(switched()).rejects.toThrow('Yolo mode is disabled by your organisation.');
  expect(config.getModel()).toBe('offline');
  config.setApprovalMode(ApprovalMode.DEFAULT);
  await switched();
  expect(() => config.setApprovalMode(ApprovalMode.YOLO)).toThrow('Yolo mode is disabled');
  expect(project.parameters).toMatchObject({ disableAlwaysAllow: true });
  expect(sent()).toEqual([]);
});

it('applies them to a request that goes to the account without a switch of the model', async () => {
  const admin = [{ status: 200, body: STRICT }];
  const { config, sent } = await signedIn({ admin, approvalMode: 'yolo', model: 'offline' });
  await config.initialize();
  await expect(config.listModels('gemini-2.5-pro')).rejects.toThrow('disabled by your organisation');
  expect(sent()).toEqual([]);
});

function strategy(overageStrategy: string) {
  const auth = { selectedType: 'oauth-personal' };
  return { security: { auth }, billing: { overageStrategy } };
}
