/** `model.summarizeToolOutput`: a small model shortens long results of the tools that the setting names. */
import { messageOf } from '../base/errors.js';
import { wrapUntrusted } from '../base/untrusted-context.js';
import type { UtilityModel } from '../model/utility/utility-model.js';
import { createLog } from '../platform/log.js';
import instruction from './summarize-output.md';

const log = createLog('tools');
const DEFAULT_BUDGET = 2000;
const LIMIT_MS = 60_000;

/** By tool. */
export type SummaryBudgets = Readonly<Record<string, { tokenBudget?: number } | undefined>>;

export interface SummaryOptions {
  budgets: SummaryBudgets;
  utility: UtilityModel;
  mainModel: string;
  estimateTokens: (text: string) => number;
}

export interface ToolOutput {
  toolName: string;
  callId: string;
  text: string;
}

/** Undefined: the text stays as it is, because no budget applies, it fits, or no summary came. */
export async function summarizeOutput(
  { toolName, callId, text }: ToolOutput,
  { budgets, utility, mainModel, estimateTokens }: SummaryOptions,
  signal: AbortSignal,
): Promise<string | undefined> {
  const setting = Object.hasOwn(budgets, toolName) ? budgets[toolName] : undefined;
  if (!setting) return undefined;
  const budget = setting.tokenBudget ?? DEFAULT_BUDGET;
  if (estimateTokens(text) <= budget) return undefined;
  const request = `At most ${budget} tokens.\n<output>\n${text.replaceAll('</output>', '&lt;/output>')}\n</output>`;
  try {
    const { text: summary } = await utility.generateText(
      {
        alias: 'summarizer-shell',
        role: 'utility_summarizer',
        promptId: callId,
        systemInstruction: instruction.trim(),
        messages: [{ role: 'user', origin: 'prompt', parts: [{ text: request }] }],
        mainModel,
      },
      AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)]),
    );
    // Still words of the command, in other words.
    return `Summary of ${text.length} characters of output:\n${wrapUntrusted(summary)}`;
  } catch (error) {
    if (!signal.aborted) log.warn(`the output of ${toolName} was not summarised: ${messageOf(error)}`);
    return undefined;
  }
}
