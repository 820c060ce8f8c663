/** Requests and answers of models as hooks see them: the same for every provider and version. */

export interface LLMToolConfig {
  mode?: 'AUTO' | 'ANY' | 'NONE';
  allowedFunctionNames?: string[];
}

export interface LLMRequest {
  model: string;
  /** Text only; messages without text are left out. */
  messages: { role: 'user' | 'model' | 'system'; content: string }[];
  config?: {
    temperature?: number;
    maxOutputTokens?: number;
    topP?: number;
    topK?: number;
    stopSequences?: string[];
    candidateCount?: number;
    presencePenalty?: number;
    frequencyPenalty?: number;
  };
  toolConfig?: LLMToolConfig;
}

export type LLMFinishReason = 'STOP' | 'MAX_TOKENS' | 'SAFETY' | 'RECITATION' | 'OTHER';

export interface LLMCandidate {
  content: { role: 'model'; parts: string[] };
  finishReason?: LLMFinishReason;
  index?: number;
  safetyRatings?: { category: string; probability: string; blocked?: boolean }[];
}

export interface LLMResponse {
  text?: string;
  candidates: LLMCandidate[];
  usageMetadata?: {
    promptTokenCount?: number;
    candidatesTokenCount?: number;
    totalTokenCount?: number;
  };
}
