/** The one interface to every model. Answers are chunks in the shape of the Gemini REST API. */
import type { Content, Message, Part } from '../protocol/messages.js';
import type { FunctionDeclaration } from '../protocol/tool-declaration.js';

export interface GenerationSettings {
  temperature?: number;
  topP?: number;
  topK?: number;
  maxOutputTokens?: number;
  stopSequences?: string[];
  seed?: number;
  responseMimeType?: string;
  responseJsonSchema?: unknown;
  thinkingConfig?: { includeThoughts?: boolean; thinkingBudget?: number; thinkingLevel?: string };
}

export interface GenerateRequest {
  model: string;
  messages: readonly Message[];
  systemInstruction?: string;
  tools?: FunctionDeclaration[];
  settings?: GenerationSettings;
  /** Who pays: `main`, `subagent`, `utility_*`. */
  role: string;
  promptId: string;
}

export interface UsageMetadata {
  promptTokenCount?: number;
  candidatesTokenCount?: number;
  cachedContentTokenCount?: number;
  thoughtsTokenCount?: number;
  toolUsePromptTokenCount?: number;
  totalTokenCount?: number;
}

export interface Candidate {
  content?: Partial<Content>;
  finishReason?: string;
  finishMessage?: string;
  index?: number;
  citationMetadata?: { citations?: { uri?: string; title?: string }[] };
  groundingMetadata?: unknown;
}

/** One response, or one piece of a streamed one. Any field may be missing. */
export interface GenerateResponse {
  candidates?: Candidate[];
  promptFeedback?: { blockReason?: string; blockReasonMessage?: string };
  usageMetadata?: UsageMetadata;
  modelVersion?: string;
  responseId?: string;
}

export interface EmbedRequest {
  model: string;
  texts: string[];
}

export interface ContentGenerator {
  generateContent(request: GenerateRequest, signal: AbortSignal): Promise<GenerateResponse>;
  generateContentStream(request: GenerateRequest, signal: AbortSignal): AsyncIterable<GenerateResponse>;
  countTokens(request: GenerateRequest, signal: AbortSignal): Promise<{ totalTokens: number }>;
  embedContent(request: EmbedRequest, signal: AbortSignal): Promise<{ embeddings: number[][] }>;
}

export function partsOf(response: GenerateResponse): Part[] {
  return response.candidates?.[0]?.content?.parts ?? [];
}
