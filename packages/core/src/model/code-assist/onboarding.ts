/** After the sign-in: the account's tier, and the project for its requests. */
import { FatalAuthenticationError } from '../../base/errors.js';
import type { Clock } from '../../platform/clock.js';
import { projectFromEnvironment } from '../auth/project.js';
import type { OnModelNote } from '../model-note.js';
import { type IneligibleTier, parseLoad, parseOperation, type Tier } from './answers.js';
import type { CodeAssistApi } from './api.js';

export interface CodeAssistUser {
  project: string;
  /** True: named by the user; false: assigned to the account. */
  isOwnProject: boolean;
  tier: Tier;
  /** Absent: this account has none. */
  credits?: number;
}

/** The account may not use the service; a front end can show the reasons and their links. */
export class IneligibleAccountError extends FatalAuthenticationError {
  override readonly name = 'IneligibleAccountError';
  constructor(readonly reasons: readonly IneligibleTier[]) {
    const texts = reasons.map(({ message, link }) => (link ? `${message} ${link}` : message));
    super(`This account cannot be used: ${[...new Set(texts)].join(' ')}`);
  }
}

export interface OnboardingOptions {
  api: CodeAssistApi;
  env: NodeJS.ProcessEnv;
  clock: Clock;
  signal: AbortSignal;
  onNote?: OnModelNote;
}

const POLL_MS = 5_000;
const MAX_POLLS = 60;

export async function setUpUser(options: OnboardingOptions): Promise<CodeAssistUser> {
  const { api, env, signal } = options;
  const wanted = projectFromEnvironment(env);
  const answer = await api.call('loadCodeAssist', withProject(wanted), signal);
  const { currentTier, project = wanted, allowed, ineligible, credits } = parseLoad(answer);
  if (currentTier) {
    const paid = credits === undefined ? {} : { credits };
    if (project) return { project, isOwnProject: project === wanted, tier: currentTier, ...paid };
    throw ineligible.length > 0 ? new IneligibleAccountError(ineligible) : projectMissing(currentTier);
  }
  const tier = allowed.find(({ isDefault }) => isDefault);
  if (!tier) throw new IneligibleAccountError(ineligible.length > 0 ? ineligible : [NO_TIER]);
  return onboard(tier, wanted, options);
}

async function onboard(
  tier: Tier,
  wanted: string | undefined,
  options: OnboardingOptions,
): Promise<CodeAssistUser> {
  // The free tier has its own project; naming another one is an error there.
  const project = tier.id === 'free-tier' ? undefined : wanted;
  if (!project && tier.needsProject) throw projectMissing(tier);
  const request = { tierId: tier.id, ...withProject(project) };
  const { onNote, clock } = options;
  const started = clock.now();
  onNote?.({ type: 'onboarding_started' });
  const assigned = (await finished(request, options)) ?? project;
  if (!assigned) throw projectMissing(tier);
  onNote?.({ type: 'onboarding_finished', tier: tier.id, durationMs: clock.now() - started });
  return { project: assigned, isOwnProject: assigned === wanted, tier };
}

/** The project assigned to the account. */
async function finished(
  request: unknown,
  { api, clock, signal }: OnboardingOptions,
): Promise<string | undefined> {
  let operation = parseOperation(await api.call('onboardUser', request, signal));
  for (let polls = 0; !operation.isDone; polls++) {
    if (polls >= MAX_POLLS) {
      throw new FatalAuthenticationError(
        'Google has not finished setting up this account. Try again in a few minutes.',
      );
    }
    await clock.sleep(POLL_MS, signal);
    signal.throwIfAborted();
    const { name } = operation;
    const answer = name ? await api.operation(name, signal) : await api.call('onboardUser', request, signal);
    operation = { name, ...parseOperation(answer) };
  }
  if (operation.error)
    throw new FatalAuthenticationError(`This account could not be set up: ${operation.error}`);
  return operation.project;
}

function withProject(project: string | undefined): Record<string, unknown> {
  const metadata = { ideType: 'IDE_UNSPECIFIED', platform: 'PLATFORM_UNSPECIFIED', pluginType: 'GEMINI' };
  if (!project) return { metadata };
  return { cloudaicompanionProject: project, metadata: { ...metadata, duetProject: project } };
}

const NO_TIER: IneligibleTier = {
  message: 'Google offers it no tier of the service. An API key works without one: GEMINI_API_KEY.',
};

function projectMissing({ name, id }: Tier): FatalAuthenticationError {
  return new FatalAuthenticationError(
    `The tier of this account (${name ?? id}) needs a Google Cloud project: set GOOGLE_CLOUD_PROJECT to its id.`,
  );
}
