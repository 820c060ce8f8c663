/** The one interface to every model. Answers are chunks in the shape of the Gemini REST API. */
import type { Content, Message, Part } from '../protocol/messages.js';
import type { FunctionDeclaration } from '../protocol/tool-declaration.js';

export interface GenerationSettings {
  temperature?: number;
  topP?: number;
  topK?: number;
  candidateCount?: number;
  maxOutputTokens?: number;
  stopSequences?: string[];
  presencePenalty?: number;
  frequencyPenalty?: number;
  seed?: number;
  responseMimeType?: string;
  responseSchema?: unknown;
  responseJsonSchema?: unknown;
  responseModalities?: string[];
  mediaResolution?: string;
  thinkingConfig?: { includeThoughts?: boolean; thinkingBudget?: number; thinkingLevel?: string };
}

/** Tools a provider runs itself during one call. Only Google has these. */
export type ServerTool = 'googleSearch' | 'urlContext';

/** Whether the model may, must or must not call tools; absent: it may. */
export interface ToolChoice {
  mode: 'AUTO' | 'ANY' | 'NONE';
  allowedFunctionNames?: string[];
}

export interface GenerateRequest {
  model: string;
  messages: readonly Message[];
  systemInstruction?: string;
  tools?: FunctionDeclaration[];
  toolChoice?: ToolChoice;
  serverTools?: readonly ServerTool[];
  settings?: GenerationSettings;
  /** Who pays: `main`, `subagent`, `utility_*`. */
  role: string;
  /** The sub-agent that asks; absent: the main agent, or the program itself. */
  agent?: string;
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
  groundingMetadata?: GroundingMetadata;
  urlContextMetadata?: { urlMetadata?: { retrievedUrl?: string; urlRetrievalStatus?: string }[] };
}

/** Which sources support which part of an answer. Offsets count bytes of UTF-8. */
export interface GroundingMetadata {
  groundingChunks?: { web?: { uri?: string; title?: string } }[];
  groundingSupports?: {
    segment?: { startIndex?: number; endIndex?: number; text?: string };
    groundingChunkIndices?: number[];
  }[];
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
  /** The models the server offers, if it lists them. */
  listModels?(signal: AbortSignal): Promise<string[]>;
}

export function partsOf(response: GenerateResponse): Part[] {
  return response.candidates?.[0]?.content?.parts ?? [];
}

/** False for a chunk that only keeps the connection alive: counts, empty texts. */
export function carriesContent({ candidates, promptFeedback }: GenerateResponse): boolean {
  if (promptFeedback) return true;
  const candidate = candidates?.[0];
  if (!candidate) return false;
  const parts = candidate.content?.parts ?? [];
  return (
    candidate.finishReason !== undefined ||
    // A part without a text is a call, media or a signature.
    parts.some(({ text, thoughtSignature }) => text !== '' || thoughtSignature !== undefined)
  );
}
