/** From `subagent()` to the definition that the engine registers. */
import type { AgentEvent, LocalAgentDefinition, ProgramWork } from '@gemini-cli/core';
import type { GeminiCliSession } from '../agent/session.js';
import type { SessionContext } from '../context/types.js';
import { untilAborted } from '../context/until-aborted.js';
import { readSchema } from '../tools/schema.js';
import type { AnyTool } from '../tools/tool.js';
import type { AgentSubagent, PromptSubagent, SubagentDefinition } from './subagent.js';

export interface DefinitionParts {
  session: GeminiCliSession;
  contextOf: (signal: AbortSignal) => SessionContext;
}

const MAX_TURNS = 30;
const TIMEOUT_MINUTES = 10;

export async function agentDefinition(
  definition: SubagentDefinition,
  parts: DefinitionParts,
): Promise<LocalAgentDefinition> {
  return definition.agent ? ofAgent(definition, parts) : ofPrompt(definition, parts);
}

async function ofPrompt(
  definition: PromptSubagent,
  { contextOf }: DefinitionParts,
): Promise<LocalAgentDefinition> {
  const { name, instructions, tools, model = 'inherit', inputSchema, outputSchema } = definition;
  const input = inputSchema && (await readSchema(inputSchema, `subagent("${name}")`));
  const output = outputSchema && (await readSchema(outputSchema, `subagent("${name}")`));
  return {
    ...common(definition),
    inputConfig: input ? { inputSchema: input.json } : PROMPT_INPUT,
    promptConfig: typeof instructions === 'string' ? { systemPrompt: instructions } : {},
    modelConfig: { model },
    ...(tools && { toolConfig: { tools: tools.map(nameOf) } }),
    ...(output && {
      outputConfig: { outputName: 'result', description: 'The report.', schema: output.json },
    }),
    ...(typeof instructions === 'function' && {
      load: async (inputs, signal) => {
        const prompt = Object.values(inputs).map(String).join('\n');
        const asked = (async () => instructions(prompt, contextOf(signal)))();
        return { promptConfig: { systemPrompt: await untilAborted(asked, signal) } };
      },
    }),
  };
}

function ofAgent(definition: AgentSubagent, { session }: DefinitionParts): LocalAgentDefinition {
  return {
    ...common(definition),
    inputConfig: PROMPT_INPUT,
    promptConfig: {},
    modelConfig: { model: 'inherit' },
    runByProgram: (work) => runInAgent(definition, session, work),
  };
}

const PROMPT_INPUT = {
  inputs: { prompt: { type: 'string' as const, description: 'The task.', required: true } },
};

function common({
  name,
  description,
  maxTurns = MAX_TURNS,
  timeoutMinutes = TIMEOUT_MINUTES,
}: SubagentDefinition) {
  return {
    kind: 'local' as const,
    name,
    description,
    source: { kind: 'program' as const },
    runConfig: { maxTurns, maxTimeMinutes: timeoutMinutes },
  };
}

/** A new session of the agent, whose own sub-agents are off: agents do not nest. */
async function runInAgent(
  { agent, name, maxTurns, timeoutMinutes = TIMEOUT_MINUTES }: AgentSubagent,
  parent: GeminiCliSession,
  { prompt, signal, onEvent }: ProgramWork,
): Promise<string> {
  const { openSession } = await import('../agent/open-session.js');
  const opened = await openSession(agent, {
    parent: { sessionId: parent.id, agentName: name },
    prepare: (project) => project.change({ enableAgents: false }),
  });
  const limit = AbortSignal.timeout(timeoutMinutes * 60_000);
  const stop = opened.events.subscribe((event) => {
    if (isForParent(event)) {
      const { agent: _, ...body } = event;
      onEvent(body);
    }
  });
  try {
    const both = AbortSignal.any([signal, limit]);
    const { text, finishReason } = await opened.session.send(prompt, {
      signal: both,
      ...(maxTurns !== undefined && { maxTurns }),
    });
    if (limit.aborted && !signal.aborted) throw new Error(`It did not end within ${timeoutMinutes} minutes.`);
    if (finishReason === 'cancelled') throw new Error('The agent was cancelled.');
    return text.trim() || `The agent reported nothing (${finishReason}).`;
  } finally {
    stop();
    await opened.close();
  }
}

/** Its questions are answered by its own handlers, and its beginning and end are those of the run. */
function isForParent({ type, agent }: AgentEvent): boolean {
  if (agent.parentId !== undefined) return false;
  return !['question', 'question_settled', 'turn_started', 'turn_finished', 'notice'].includes(type);
}

function nameOf(entry: string | AnyTool): string {
  return typeof entry === 'string' ? entry : entry.name;
}
