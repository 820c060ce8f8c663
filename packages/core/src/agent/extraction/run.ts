/** One run of the extraction agent: model turns and its few tools in alternation, until it is done or must end. */
import { MessageBus } from '../../bus/message-bus.js';
import type { ContentGenerator, GenerationSettings } from '../../model/content-generator.js';
import { errorClassOf } from '../../model/error-class.js';
import type { Clock } from '../../platform/clock.js';
import { PolicyDecision } from '../../protocol/confirmation.js';
import type { Message, TokenUsage } from '../../protocol/messages.js';
import { EditTool } from '../../tools/edit/edit.js';
import { GlobTool } from '../../tools/glob/glob.js';
import { GrepTool } from '../../tools/grep/grep.js';
import { LSTool } from '../../tools/list-directory/list-directory.js';
import { ReadFileTool } from '../../tools/read-file/read-file.js';
import { ToolRegistry } from '../../tools/tool-registry.js';
import { WriteFileTool } from '../../tools/write-file/write-file.js';
import { GeminiChat } from '../gemini-chat.js';
import { NO_RECOVERY } from '../recovery.js';
import { Scheduler } from '../scheduler/scheduler.js';
import { Turn } from '../turn.js';
import { EXTRACTION_AGENT } from './definition.js';
import type { ExtractionHost } from './host.js';
import { ReadSessionTool, type SessionShelf } from './read-session.js';

export interface ExtractionModel {
  generator: ContentGenerator;
  model: string;
  /** Asked one after the other when it cannot be had. */
  standIns: readonly string[];
  settings: GenerationSettings;
  onUsage(call: { model: string; role: string; usage: TokenUsage; latencyMs: number }): void;
}

export interface RunOptions {
  host: ExtractionHost;
  shelf: SessionShelf;
  model: ExtractionModel;
  clock: Clock;
  promptId: string;
  systemInstruction: string;
  /** The index. */
  prompt: string;
  /** What is wrong with the suggestions so far; the agent may mend it. */
  review(): Promise<string | undefined>;
}

/** Who pays: see `GenerateRequest.role`. */
const ROLE = 'subagent';
const MAX_ATTEMPTS = 3;
const MAX_CALLS_PER_TURN = 20;
const MAX_CORRECTIONS = 2;

/** @throws what ended it: the signal's reason, or the model's failure */
export async function runExtraction(
  options: RunOptions,
  signal: AbortSignal,
): Promise<'completed' | 'max_turns'> {
  const { model, clock, promptId, systemInstruction, prompt, review } = options;
  const registry = toolsOf(options);
  const scheduler = schedulerOf(options, registry);
  const standIns = [...model.standIns];
  const chat = new GeminiChat(model.generator, {
    maxAttempts: MAX_ATTEMPTS,
    clock,
    random: Math.random,
    recovery: {
      ...NO_RECOVERY,
      switchAfter: async ({ error, isLast }) => {
        const errorClass = errorClassOf(error);
        const next = isLast && errorClass ? standIns.shift() : undefined;
        if (next === undefined || errorClass === undefined) return undefined;
        request.model = next;
        return { request: { ...request }, errorClass, reason: '' };
      },
    },
  });
  const request = {
    model: model.model,
    promptId,
    role: ROLE,
    systemInstruction,
    tools: registry.getFunctionDeclarations(model.model),
    settings: model.settings,
  };
  let message: Message = { role: 'user', origin: 'prompt', parts: [{ text: prompt }] };
  let corrections = 0;
  for (let count = 0; count < EXTRACTION_AGENT.runConfig.maxTurns; count++) {
    const turn = new Turn(chat, { ...request }, message);
    for await (const event of turn.run(signal)) {
      if (event.type === 'usage') model.onUsage(event);
    }
    if (turn.pendingToolCalls.length === 0) {
      const problem = corrections < MAX_CORRECTIONS ? await review() : undefined;
      if (problem === undefined) return 'completed';
      corrections++;
      message = { role: 'user', origin: 'correction', parts: [{ text: problem }] };
      continue;
    }
    const calls = await scheduler.schedule(turn.pendingToolCalls, signal, () => {}, MAX_CALLS_PER_TURN);
    signal.throwIfAborted();
    message = {
      role: 'user',
      origin: 'tool_response',
      parts: calls.flatMap(({ response }) => response.responseParts),
    };
  }
  return 'max_turns';
}

/** Its own bus: no rule or answer of the main session reaches it, and what it may do is decided by its host. */
function toolsOf({ host, shelf }: RunOptions): ToolRegistry {
  const bus = new MessageBus({ check: async () => ({ decision: PolicyDecision.ALLOW }) });
  const registry = new ToolRegistry({ isAlwaysDenied: () => false });
  const tools = [
    new ReadSessionTool(shelf, bus),
    new ReadFileTool(host, bus),
    new WriteFileTool(host, bus),
    new EditTool(host, bus),
    new GlobTool(host, bus),
    new GrepTool(host, bus),
    new LSTool(host, bus),
  ];
  const allowed: readonly string[] = EXTRACTION_AGENT.toolConfig.tools;
  for (const tool of tools) if (allowed.includes(tool.name)) registry.registerTool(tool);
  return registry;
}

function schedulerOf({ host, shelf, clock, promptId }: RunOptions, registry: ToolRegistry): Scheduler {
  const messageBus = new MessageBus({ check: async () => ({ decision: PolicyDecision.ALLOW }) });
  const redact = (text: string) => shelf.redact(text);
  return new Scheduler({
    registry,
    messageBus,
    now: clock.now,
    // The tools bound their output by themselves, and the agent could not read a file with the rest.
    outputLimits: () => ({
      threshold: 0,
      directory: host.storage.getToolOutputDir(promptId),
      redact,
      redactForDisk: redact,
    }),
  });
}
