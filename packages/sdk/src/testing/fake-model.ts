/** `fakeModel()`: a model that answers what a test says, and remembers what it was asked. */
import type {
  ContentGenerator,
  FunctionDeclaration,
  GenerateRequest,
  GenerateResponse,
} from '@gemini-cli/core';
import type { Part } from '@gemini-cli/core/protocol';

/** One answer. A plain text, calls of tools, thoughts, an error; `when` says for which request it is meant. */
export type FakeTurn =
  | string
  | {
      text?: string;
      thoughts?: readonly (string | { subject: string; description: string })[];
      calls?: readonly { name: string; args?: Record<string, unknown>; id?: string }[];
      /** A failure of the model: a message, or an HTTP status, too. */
      error?: string | { status: number; message: string };
      /** Milliseconds before the answer. */
      delayMs?: number;
      /** False for a request: this turn is kept for a later one. */
      when?(request: FakeRequest): boolean;
    }
  | ((request: FakeRequest) => FakeTurn);

/** A request as the model got it. */
export interface FakeRequest {
  model: string;
  systemInstruction: string;
  tools: readonly FunctionDeclaration[];
  contents: readonly { role: 'user' | 'model'; parts: readonly Part[] }[];
  /** `main`, `subagent`, or the purpose of a small call beside the conversation. */
  role: string;
  /** The sub-agent that asks. */
  agent?: string;
}

/** Serves any number of sessions: each request takes the first turn that is meant for it. */
export class FakeModel implements ContentGenerator {
  /** All so far, oldest first. */
  readonly requests: FakeRequest[] = [];
  private readonly turns: FakeTurn[];

  constructor(turns: readonly FakeTurn[] = []) {
    this.turns = [...turns];
  }

  /** Adds turns after those that are left. */
  push(...turns: FakeTurn[]): void {
    this.turns.push(...turns);
  }

  async *generateContentStream(
    request: GenerateRequest,
    signal?: AbortSignal,
  ): AsyncGenerator<GenerateResponse> {
    yield await this.answer(request, signal);
  }

  async generateContent(request: GenerateRequest, signal?: AbortSignal): Promise<GenerateResponse> {
    return this.answer(request, signal);
  }

  /** An estimate: four characters are one token. */
  async countTokens(request: GenerateRequest): Promise<{ totalTokens: number }> {
    return { totalTokens: Math.ceil(JSON.stringify(request.messages).length / 4) };
  }

  async embedContent({ texts }: { texts: readonly string[] }): Promise<{ embeddings: number[][] }> {
    return { embeddings: texts.map((text) => [text.length]) };
  }

  private async answer(given: GenerateRequest, signal: AbortSignal | undefined): Promise<GenerateResponse> {
    // As a real request: one that is cancelled is not sent.
    signal?.throwIfAborted();
    const request = viewOf(given);
    this.requests.push(request);
    const turn = this.take(request);
    if (turn === undefined)
      throw await failure(`The fake model has no turn for request ${this.requests.length}.`, 400);
    const { text, thoughts = [], calls = [], error, delayMs } = turn;
    if (delayMs) await pause(delayMs, signal);
    if (error !== undefined)
      throw typeof error === 'string'
        ? await failure(error, 400)
        : await failure(error.message, error.status);
    const parts: Part[] = [
      ...thoughts.map((thought) => ({ text: thoughtText(thought), thought: true })),
      ...(text === undefined ? [] : [{ text }]),
      ...calls.map(({ name, args = {}, id }) => ({
        functionCall: { name, args, ...(id !== undefined && { id }) },
      })),
    ];
    return {
      candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }],
      usageMetadata: usageOf(request, parts),
    };
  }

  private take(request: FakeRequest): Exclude<FakeTurn, string | ((...args: never) => unknown)> | undefined {
    const index = this.turns.findIndex(
      (turn) => typeof turn !== 'object' || turn.when === undefined || turn.when(request),
    );
    let [turn] = index < 0 ? [] : this.turns.splice(index, 1);
    while (typeof turn === 'function') turn = turn(request);
    return typeof turn === 'string' ? { text: turn } : turn;
  }
}

export function fakeModel(turns: readonly FakeTurn[] = []): FakeModel {
  return new FakeModel(turns);
}

function viewOf({
  model,
  systemInstruction = '',
  tools = [],
  messages,
  role,
  agent,
}: GenerateRequest): FakeRequest {
  return {
    model,
    systemInstruction,
    tools: [...tools],
    // Copies: the history grows while the agent works.
    contents: messages.map((message) => ({ role: message.role, parts: [...message.parts] })),
    role,
    ...(agent !== undefined && { agent }),
  };
}

function usageOf(request: FakeRequest, parts: readonly Part[]) {
  const promptTokenCount = Math.ceil(JSON.stringify(request.contents).length / 4);
  const candidatesTokenCount = Math.ceil(JSON.stringify(parts).length / 4);
  return {
    promptTokenCount,
    candidatesTokenCount,
    totalTokenCount: promptTokenCount + candidatesTokenCount,
  };
}

function thoughtText(thought: string | { subject: string; description: string }): string {
  return typeof thought === 'string' ? thought : `**${thought.subject}** ${thought.description}`;
}

async function failure(message: string, status: number): Promise<Error> {
  const { ApiError } = await import('@gemini-cli/core');
  return new ApiError(status, message);
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) reject(signal.reason);
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        reject(signal.reason);
      },
      { once: true },
    );
  });
}
