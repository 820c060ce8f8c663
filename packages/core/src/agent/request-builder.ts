/** Everything of a request but the messages: instructions, tools and settings, as a model wants them. */
import type { GenerationSettings } from '../model/content-generator.js';
import type { FunctionDeclaration } from '../protocol/tool-declaration.js';
import type { ChatRequest } from './gemini-chat.js';

export interface RequestSources {
  systemInstruction: (model: string, tools: readonly FunctionDeclaration[]) => string;
  tools: (model: string) => FunctionDeclaration[];
  settings: (model: string, isRetry: boolean) => GenerationSettings;
  estimateTokens: (text: string) => number;
}

export class RequestBuilder {
  /** Instructions and tools seldom change: their weight is known for the last ones. */
  private weighed: { text: string; tokens: number } | undefined;

  constructor(private readonly sources: RequestSources) {}

  /** @param isRetry the answer before could not be used */
  build(model: string, promptId: string, isRetry = false): ChatRequest {
    const tools = this.sources.tools(model);
    return {
      model,
      promptId,
      role: 'main',
      systemInstruction: this.sources.systemInstruction(model, tools),
      tools,
      settings: this.sources.settings(model, isRetry),
    };
  }

  /** Tokens of what goes before the messages. */
  overhead({ systemInstruction = '', tools = [] }: ChatRequest): number {
    const text = systemInstruction + JSON.stringify(tools);
    if (this.weighed?.text !== text) {
      this.weighed = { text, tokens: this.sources.estimateTokens(text) };
    }
    return this.weighed.tokens;
  }
}
