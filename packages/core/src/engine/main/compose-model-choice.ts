/** Which model answers the user: routing, fallbacks, and the question whether another one may take over. */
import { ModelChoice } from '../../agent/model-choice.js';
import { FULL_ACCESS } from '../../model/catalog/resolutions.js';
import { DEFAULT_MODEL } from '../../model/catalog.js';
import { FallbackPlanner } from '../../model/fallback/fallback.js';
import { createRouter, type RouterOptions } from '../../model/routing/create-router.js';
import type { HttpClient } from '../../platform/net/http.js';
import { ApprovalMode } from '../../protocol/confirmation.js';
import type { Engine } from '../engine.js';

export async function composeModelChoice({
  project,
  models,
  modes,
  clock,
  events,
  telemetry,
}: Pick<Engine, 'project' | 'models' | 'modes' | 'clock' | 'events' | 'telemetry'>): Promise<ModelChoice> {
  const { catalog, availability, fallbacks, chains, utility, http, first } = models;
  const { interactive, models: settings } = project.parameters;
  const gemma = settings.gemmaRouter;
  const requested = () => project.parameters.model || DEFAULT_MODEL;
  const access = () => FULL_ACCESS;
  const planner = new FallbackPlanner({
    catalog,
    availability,
    fallbacks,
    chains,
    requestedModel: requested,
    access,
    isInteractive: interactive,
    isPlanMode: () => modes.current === ApprovalMode.PLAN,
    now: clock.now,
  });
  const router = await createRouter({
    catalog,
    access,
    availability,
    current: (model) => planner.current(model),
    utility,
    settings: {
      classifier: settings.classifier,
      planModelRouting: settings.planModelRouting,
      gemma: { enabled: gemma.enabled, ...gemma.classifier },
    },
    askGemma: gemma.enabled ? await gemmaClient(http) : undefined,
    now: clock.now,
    onNote: (note) => telemetry?.note(note),
  });
  return new ModelChoice({
    first: first.model,
    requested,
    route: (context) => router.route(context),
    planner,
    approvalMode: () => modes.current,
    hasApprovedPlan: () => project.approvedPlan !== undefined,
    prepare: models.prepare,
    notice: project.notice,
    ask: async (offer, signal) => {
      const reply = await events.ask({ kind: 'model_fallback', ...offer }, { signal });
      return reply.status === 'answered' ? reply.answer : 'stop';
    },
    askAboutAccount: async (problem, signal) => {
      const reply = await events.ask({ kind: 'account_problem', ...problem }, { signal });
      return reply.status === 'answered' ? reply.answer : 'stop';
    },
    accountOf: async (model) => (await models.pool.prepare(model)).account,
  });
}

async function gemmaClient(http: HttpClient): Promise<RouterOptions['askGemma']> {
  const { createGemmaClient } = await import('../../model/routing/gemma-client.js');
  return createGemmaClient(http);
}
