/** Everything of a request but the messages: instructions, tools and settings for the model. */
import type { GenerationSettings } from '../../model/content-generator.js';
import type { FunctionDeclaration } from '../../protocol/tool-declaration.js';
import type { ChatRequest } from './gemini-chat.js';

export interface RequestSources {
  /** Who pays: `main` (default) or `subagent`. */
  role?: string;
  /** Name of the sub-agent. */
  agent?: string;
  systemInstruction: (model: string, tools: readonly FunctionDeclaration[]) => string;
  tools: (model: string) => FunctionDeclaration[];
  settings: (model: string, isRetry: boolean) => GenerationSettings;
}

/** Characters per token of prompt and declarations, which are English and JSON. */
const UNITS_PER_TOKEN = 3.5;

export class RequestBuilder {
  constructor(private readonly sources: RequestSources) {}

  /** @param isRetry the last answer could not be used */
  build(model: string, promptId: string, isRetry = false): ChatRequest {
    const tools = this.sources.tools(model);
    return {
      model,
      promptId,
      role: this.sources.role ?? 'main',
      ...(this.sources.agent !== undefined && { agent: this.sources.agent }),
      systemInstruction: this.sources.systemInstruction(model, tools),
      tools,
      settings: this.sources.settings(model, isRetry),
    };
  }

  /** Estimated tokens of instructions and tools. */
  overhead({ systemInstruction = '', tools = [] }: ChatRequest): number {
    return Math.ceil((systemInstruction.length + JSON.stringify(tools).length) / UNITS_PER_TOKEN);
  }
}
