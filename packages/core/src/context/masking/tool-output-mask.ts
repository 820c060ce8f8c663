/** Masks old tool outputs: the newest stay, older ones move to files once that saves enough. */
import type { Message, Part } from '../../protocol/messages.js';
import type { OutputStore } from '../output-store.js';
import type { TokenEstimator } from '../size/token-estimate.js';
import { isMasked, maskNote } from './mask-note.js';
import { textOfResponse, withResponseText } from './tool-response-text.js';

export interface MaskingSettings {
  /** The newest outputs up to this size stay. */
  protectionThresholdTokens: number;
  /** Nothing is moved if it would save fewer tokens. */
  minPrunableThresholdTokens: number;
  protectLatestTurn: boolean;
}

/** For telemetry (`tool_output_masking`). */
export interface MaskingReport {
  tokensBefore: number;
  tokensAfter: number;
  maskedCount: number;
  totalPrunableTokens: number;
}

export interface MaskingResult {
  history: readonly Message[];
  report: MaskingReport;
}

/** Tools whose outputs stay binding for the conversation, or are short. */
const EXEMPT_TOOLS = new Set(['activate_skill', 'ask_user', 'enter_plan_mode', 'exit_plan_mode']);
/** Shorter outputs are not worth it: the note itself has some hundred characters. */
const MIN_CHARACTERS = 2_000;

interface Found {
  messageIndex: number;
  partIndex: number;
  tokens: number;
}

/** Undefined when nothing is to be done. `latestIsPending`: the latest turn is not in the history yet. */
export function maskToolOutputs(
  history: readonly Message[],
  latestIsPending: boolean,
  settings: MaskingSettings,
  estimator: TokenEstimator,
  store: OutputStore,
): MaskingResult | undefined {
  const skipped = settings.protectLatestTurn && !latestIsPending ? latestResponse(history) : -1;
  const prunable: Found[] = [];
  let scanned = 0;
  let prunableTokens = 0;
  for (let messageIndex = history.length - 1; messageIndex >= 0; messageIndex--) {
    if (messageIndex === skipped) continue;
    const { parts } = history[messageIndex] as Message;
    for (let partIndex = parts.length - 1; partIndex >= 0; partIndex--) {
      const part = parts[partIndex] as Part;
      if (!isMaskable(part)) continue;
      const tokens = estimator.part(part);
      scanned += tokens;
      if (scanned <= settings.protectionThresholdTokens) continue;
      prunable.push({ messageIndex, partIndex, tokens });
      prunableTokens += tokens;
    }
  }
  if (prunable.length === 0 || prunableTokens < settings.minPrunableThresholdTokens) return undefined;
  return applyMasks(history, prunable, { scanned, prunableTokens }, estimator, store);
}

export function isMaskable({ functionResponse }: Part): boolean {
  if (!functionResponse || EXEMPT_TOOLS.has(functionResponse.name)) return false;
  const { output } = functionResponse.response;
  if (typeof output === 'string') return output.length >= MIN_CHARACTERS && !isMasked(output);
  return textOfResponse(functionResponse).length >= MIN_CHARACTERS;
}

/** The part with a note in place of its text; undefined when the text could not be saved. */
export function maskPart(part: Part, store: OutputStore): Part | undefined {
  const { functionResponse } = part;
  if (!functionResponse) return undefined;
  const { name, id } = functionResponse;
  const text = textOfResponse(functionResponse);
  const path = store.save(text, name, id ?? 'masked');
  return path === undefined ? undefined : withResponseText(part, maskNote(name, text, path));
}

function applyMasks(
  history: readonly Message[],
  prunable: readonly Found[],
  { scanned, prunableTokens }: { scanned: number; prunableTokens: number },
  estimator: TokenEstimator,
  store: OutputStore,
): MaskingResult | undefined {
  const changed = [...history];
  let saved = 0;
  let maskedCount = 0;
  for (const { messageIndex, partIndex, tokens } of prunable) {
    const message = changed[messageIndex] as Message;
    const masked = maskPart(message.parts[partIndex] as Part, store);
    if (!masked) continue;
    changed[messageIndex] = { ...message, parts: message.parts.with(partIndex, masked) };
    saved += tokens - estimator.part(masked);
    maskedCount++;
  }
  if (maskedCount === 0) return undefined;
  return {
    history: changed,
    report: {
      tokensBefore: Math.round(scanned),
      tokensAfter: Math.round(scanned - saved),
      maskedCount,
      totalPrunableTokens: Math.round(prunableTokens),
    },
  };
}

function latestResponse(history: readonly Message[]): number {
  return history.findLastIndex(({ parts }) => parts.some(({ functionResponse }) => functionResponse));
}
