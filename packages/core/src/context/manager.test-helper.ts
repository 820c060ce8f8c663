/** Creates a context manager with a scripted model. */
import { DEFAULT_PARAMETERS } from '@gemini-cli/test-utils';
import type { UtilityModel, UtilityRequest } from '../model/utility/utility-model.js';
import type { Message, Part } from '../protocol/messages.js';
import type { ContextManagerOptions, PrepareInput } from './context-service.js';
import { TokenEstimator } from './size/token-estimate.js';

export const DEFAULT_LIMITS = DEFAULT_PARAMETERS.context.limits;

export class ScriptedUtility implements UtilityModel {
  readonly requests: UtilityRequest[] = [];
  constructor(public answers: (string | Error)[]) {}

  async generateText(request: UtilityRequest, signal: AbortSignal) {
    signal.throwIfAborted();
    this.requests.push(request);
    const answer = this.answers.length > 1 ? this.answers.shift() : this.answers[0];
    if (answer === undefined) throw new Error('no answer scripted');
    if (answer instanceof Error) throw answer;
    return { text: answer, response: {}, model: 'scripted' };
  }

  async generateJson(): Promise<Record<string, unknown>> {
    throw new Error('not scripted');
  }
}

export const snapshot = (text: string) =>
  `<scratchpad>thinking</scratchpad>\n<state_snapshot>\n<overall_goal>${text}</overall_goal>\n</state_snapshot>`;

export const prompt = (text: string): Message => ({ role: 'user', origin: 'prompt', parts: [{ text }] });
const answer = (...parts: Part[]): Message => ({ role: 'model', origin: 'model', parts });
export const said = (text: string): Message => answer({ text });
export const call = (id: string): Message =>
  answer({ functionCall: { id, name: 'read_file', args: { path: id } } });
export const result = (id: string, output: string): Message => ({
  role: 'user',
  origin: 'tool_response',
  parts: [{ functionResponse: { id, name: 'read_file', response: { output } } }],
});
export const context: Message = {
  role: 'user',
  origin: 'context',
  parts: [{ text: '<session_context>\nDate: today\n</session_context>' }],
};

export const words = (count: number) => 'plain old words in a row '.repeat(Math.ceil(count / 6));

/** Prompt and answer, `count` times, some hundred tokens each. */
export function chatter(count: number): Message[] {
  return Array.from({ length: count }, (_, index) => [
    prompt(`Question ${index}: ${words(100)}`),
    said(`Answer ${index}: ${words(300)}`),
  ]).flat();
}

export function managerOptions(
  utility: UtilityModel,
  directory: string,
  overrides: Partial<ContextManagerOptions> = {},
): ContextManagerOptions {
  return {
    utility,
    estimator: new TokenEstimator(),
    contextWindow: () => 10_000,
    settings: { compressionThreshold: 0.5, masking: DEFAULT_LIMITS.tools.outputMasking },
    outputDirectory: () => directory,
    redactForDisk: (text) => text,
    reminders: async () => [],
    ...overrides,
  };
}

export function input(history: readonly Message[], overrides: Partial<PrepareInput> = {}): PrepareInput {
  return {
    history,
    message: prompt('next'),
    model: 'gemini-3.8-flash',
    overheadTokens: 100,
    promptId: 'p1',
    signal: new AbortController().signal,
    ...overrides,
  };
}
