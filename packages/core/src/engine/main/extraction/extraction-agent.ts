/** The agent behind auto memory: it runs without a user, so its host decides what it may do. */
import { EXTRACTION_AGENT } from '../../../agent/extraction/definition.js';
import type { ExtractionRequest } from '../../../agent/extraction/request.js';
import { ReviewedAnswers } from '../../../agent/extraction/reviewed-answers.js';
import { registerExtractionTools } from '../../../agent/extraction/tools.js';
import { FixedModel } from '../../../agent/fixed-model.js';
import { PolicyDecision } from '../../../protocol/confirmation.js';
import { composeAgent } from '../../compose-agent.js';
import type { Engine } from '../../compose-engine.js';

const MAX_ATTEMPTS = 3;
const MAX_CALLS_PER_TURN = 20;

/** @throws what ended it: the signal's reason, or the model's failure */
export async function runExtractionAgent(
  engine: Engine,
  request: ExtractionRequest,
  signal: AbortSignal,
): Promise<'completed' | 'max_turns'> {
  const { model, systemInstruction, prompt, review } = request;
  const agent = await composeAgent(engine, {
    name: EXTRACTION_AGENT.name,
    model: new FixedModel(model.model, model.standIns),
    settings: () => model.settings,
    systemInstruction: () => systemInstruction,
    registerTools: (registry, bus) => registerExtractionTools(registry, bus, request),
    bounds: { maxTurns: EXTRACTION_AGENT.runConfig.maxTurns, maxCallsPerTurn: MAX_CALLS_PER_TURN },
    finalAnswerCheck: new ReviewedAnswers(review),
    // Hooks, rules and answers of the user's session do not apply: its host is stricter than all of them.
    hooks: {},
    decisions: { check: async () => ({ decision: PolicyDecision.ALLOW }) },
    // The tools limit their own output; the agent could not read a file with the rest.
    outputThreshold: 0,
    alwaysMasks: true,
    maxAttempts: MAX_ATTEMPTS,
  });
  try {
    for await (const event of agent.session.send(prompt, { signal })) {
      if (event.type !== 'turn_finished') continue;
      if (event.reason === 'completed' || event.reason === 'max_turns') return event.reason;
      signal.throwIfAborted();
      throw new Error(event.error?.message ?? `The agent ended: ${event.reason}.`);
    }
    throw new Error('The agent ended without a result.');
  } finally {
    agent.close();
  }
}
