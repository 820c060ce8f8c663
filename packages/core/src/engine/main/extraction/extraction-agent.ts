/** The agent behind auto memory: it runs without a user, so its host decides what it may do. */
import { EXTRACTION_AGENT } from '../../../agent/extraction/definition.js';
import type { ExtractionRequest, RunExtraction } from '../../../agent/extraction/request.js';
import { registerExtractionTools } from '../../../agent/extraction/tools.js';
import { FixedModel } from '../../../agent/fixed-model.js';
import { LocalAgentExecutor } from '../../../agents/run/local-executor.js';
import type { RunPorts } from '../../../agents/run/ports.js';
import { AgentTerminateMode, type LocalAgentDefinition } from '../../../agents/types.js';
import { randomHex } from '../../../platform/random.js';
import { PolicyDecision } from '../../../protocol/confirmation.js';
import { composeAgent } from '../../compose-agent.js';
import type { Engine } from '../../engine.js';

const MAX_ATTEMPTS = 3;
const MAX_CALLS_PER_TURN = 20;
const MAX_CORRECTIONS = 2;

/** @throws what ended it: the signal's reason, or the model's failure */
export async function runExtractionAgent(
  engine: Engine,
  request: ExtractionRequest,
  signal: AbortSignal,
): ReturnType<RunExtraction> {
  const executor = new LocalAgentExecutor(definitionOf(request), portsOf(engine, request), {
    isBackground: () => true,
  });
  const { result, terminate_reason: reason } = await executor.run({}, signal);
  signal.throwIfAborted();
  switch (reason) {
    case AgentTerminateMode.GOAL:
    case AgentTerminateMode.ERROR_NO_COMPLETE_TASK_CALL:
      return 'completed';
    case AgentTerminateMode.MAX_TURNS:
      return 'max_turns';
    case AgentTerminateMode.TIMEOUT:
      return 'timeout';
    default:
      throw new Error(result);
  }
}

function definitionOf({ systemInstruction, prompt, model, review }: ExtractionRequest): LocalAgentDefinition {
  const { name, displayName, description, runConfig, toolConfig } = EXTRACTION_AGENT;
  let corrections = 0;
  return {
    kind: 'local',
    name,
    displayName,
    description,
    inputConfig: {},
    promptConfig: { systemPrompt: systemInstruction, query: prompt },
    modelConfig: { model: model.model },
    runConfig,
    toolConfig: { tools: [...toolConfig.tools] },
    outputConfig: {
      outputName: 'response',
      description: 'What you wrote, in one or two sentences.',
      schema: { type: 'string' },
    },
    reviewOutput: async () => (corrections++ < MAX_CORRECTIONS ? review() : undefined),
  };
}

/** Nothing of the user's session: no hooks, rules, memory, transcript, or words of the user. Its host is stricter. */
function portsOf(engine: Engine, request: ExtractionRequest): RunPorts {
  const { events, clock } = engine;
  const { model } = request;
  return {
    events,
    clock,
    compose: (setup) =>
      composeAgent(engine, {
        ...setup,
        bounds: Object.assign(setup.bounds, { maxCallsPerTurn: MAX_CALLS_PER_TURN }),
        hooks: {},
        decisions: { check: async () => ({ decision: PolicyDecision.ALLOW }) },
        // The tools limit their own output; the agent could not read a file with the rest.
        outputThreshold: 0,
        alwaysMasks: true,
        maxAttempts: MAX_ATTEMPTS,
      }),
    registerTools: (registry, bus) => registerExtractionTools(registry, bus, request),
    modelFor: async () => ({
      model: new FixedModel(model.model, model.standIns),
      settings: () => model.settings,
    }),
    facts: async () => ({
      environment: '',
      userMemory: '',
      projectMemory: '',
      skills: '',
      isPlanMode: false,
      values: {},
    }),
    transcript: () => undefined,
    agentNames: () => [],
    mask: (value) => value,
    newId: () => randomHex(4),
    hints: { pending: () => [], subscribe: () => () => undefined },
  };
}
