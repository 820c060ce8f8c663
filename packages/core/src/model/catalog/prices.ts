/** Token prices: dollars per million. A data file, changed by `model.prices`. */
import { isObject } from '../../base/objects.js';

export interface Price {
  input: number;
  /** Price of tokens read from the provider's cache. */
  cachedInput: number;
  output: number;
}

type Row = readonly [input: number, cachedInput: number, output: number];

const GEMINI_3_PRO: Row = [2, 0.2, 12];
// Also for later models of the tier, until their own price is entered here.
const GEMINI_3_FLASH: Row = [0.5, 0.05, 3];
const GEMINI_3_FLASH_LITE: Row = [0.25, 0.025, 1.5];
const GPT_5: Row = [1.25, 0.125, 10];
const OPUS_4: Row = [15, 1.5, 75];
const OPUS_4_5: Row = [5, 0.5, 25];
const SONNET: Row = [3, 0.3, 15];
const FREE: Row = [0, 0, 0];

const PRICES: Readonly<Record<string, Row>> = {
  'gemini-3.1-pro-preview': GEMINI_3_PRO,
  'gemini-3.1-pro-preview-customtools': GEMINI_3_PRO,
  'gemini-3-pro-preview': GEMINI_3_PRO,
  'gemini-3-flash-preview': GEMINI_3_FLASH,
  'gemini-3.8-flash': GEMINI_3_FLASH,
  'gemini-3.5-flash': GEMINI_3_FLASH,
  'gemini-3.5-flash-lite': GEMINI_3_FLASH_LITE,
  'gemini-3.1-flash-lite': GEMINI_3_FLASH_LITE,
  'gemini-2.5-pro': [1.25, 0.125, 10],
  'gemini-2.5-flash': [0.3, 0.03, 2.5],
  'gemini-2.5-flash-lite': [0.1, 0.01, 0.4],
  'gemma-4-31b-it': FREE,
  'gemma-4-26b-a4b-it': FREE,
  'gemini-embedding-001': [0.15, 0.15, 0],
  'openai/gpt-5': GPT_5,
  'openai/gpt-5-codex': GPT_5,
  'openai/gpt-5-chat': GPT_5,
  'openai/gpt-5-mini': [0.25, 0.025, 2],
  'openai/gpt-5-nano': [0.05, 0.005, 0.4],
  'openai/gpt-5-pro': [15, 15, 120],
  'openai/gpt-5.1': GPT_5,
  'openai/gpt-5.1-codex': GPT_5,
  'openai/gpt-5.1-codex-mini': [0.25, 0.025, 2],
  'openai/gpt-5.2': [1.75, 0.175, 14],
  'openai/gpt-4.1': [2, 0.5, 8],
  'openai/gpt-4.1-mini': [0.4, 0.1, 1.6],
  'openai/gpt-4.1-nano': [0.1, 0.025, 0.4],
  'openai/gpt-4o': [2.5, 1.25, 10],
  'openai/gpt-4o-mini': [0.15, 0.075, 0.6],
  'openai/o1': [15, 7.5, 60],
  'openai/o3': [2, 0.5, 8],
  'openai/o3-mini': [1.1, 0.55, 4.4],
  'openai/o4-mini': [1.1, 0.275, 4.4],
  'anthropic/claude-opus-4-6': OPUS_4_5,
  'anthropic/claude-opus-4-5': OPUS_4_5,
  'anthropic/claude-opus-4-1': OPUS_4,
  'anthropic/claude-opus-4': OPUS_4,
  'anthropic/claude-sonnet-4-6': SONNET,
  'anthropic/claude-sonnet-4-5': SONNET,
  'anthropic/claude-sonnet-4': SONNET,
  'anthropic/claude-3-7-sonnet': SONNET,
  'anthropic/claude-3-5-sonnet': SONNET,
  'anthropic/claude-haiku-4-5': [1, 0.1, 5],
  'anthropic/claude-3-5-haiku': [0.8, 0.08, 4],
  'anthropic/claude-3-haiku': [0.25, 0.03, 1.25],
};

/** Some models charge more for prompts above this size. */
const LONG_PROMPT_TOKENS = 200_000;

const LONG_PROMPT_PRICES: Readonly<Record<string, Row>> = {
  'gemini-3.1-pro-preview': [4, 0.4, 18],
  'gemini-3.1-pro-preview-customtools': [4, 0.4, 18],
  'gemini-3-pro-preview': [4, 0.4, 18],
  'gemini-2.5-pro': [2.5, 0.25, 15],
};

/** They run on the user's own machine. */
const FREE_OF_CHARGE = /^(offline$|(ollama|lmstudio|llamacpp|vllm)\/)/;

/** `model.prices` of the settings, checked. */
export function readPrices(value: unknown): { prices: Record<string, Price>; problems: string[] } {
  const prices: Record<string, Price> = {};
  const problems: string[] = [];
  if (value === undefined) return { prices, problems };
  if (!isObject(value)) return { prices, problems: ['model.prices is not an object.'] };
  for (const [model, fields] of Object.entries(value)) {
    const price = readPrice(fields);
    if (price) prices[model] = price;
    else
      problems.push(
        `model.prices["${model}"] needs the numbers "input" and "output" (dollars per million tokens).`,
      );
  }
  return { prices, problems };
}

function readPrice(value: unknown): Price | undefined {
  if (!isObject(value)) return undefined;
  const { input, output, cachedInput = input } = value;
  return isAmount(input) && isAmount(output) && isAmount(cachedInput)
    ? { input, output, cachedInput }
    : undefined;
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

/**
 * Undefined: the price is unknown.
 * @param overrides of `readPrices`
 * @param promptTokens size of the prompt; some models charge more for long ones
 */
export function priceOf(
  model: string,
  overrides: Readonly<Record<string, Price>> = {},
  promptTokens = 0,
): Price | undefined {
  const name = plainName(model);
  for (const key of [model, name]) if (Object.hasOwn(overrides, key)) return overrides[key];
  if (FREE_OF_CHARGE.test(name) || name.endsWith(':free')) return priceFrom(FREE);
  const long = promptTokens > LONG_PROMPT_TOKENS && Object.hasOwn(LONG_PROMPT_PRICES, name);
  const row = long ? LONG_PROMPT_PRICES[name] : Object.hasOwn(PRICES, name) ? PRICES[name] : undefined;
  return row && priceFrom(row);
}

function priceFrom([input, cachedInput, output]: Row): Price {
  return { input, cachedInput, output };
}

/** The name without provider path and date: `openrouter/anthropic/claude-sonnet-4.5` is Anthropic's. */
function plainName(model: string): string {
  const name = model
    .replace(/^openrouter\//, '')
    .replace(/^(gemini|google|vertex)\//, '')
    .replace(/-(latest|\d{8}|\d{4}-\d{2}-\d{2})$/, '');
  return name.startsWith('anthropic/') ? name.replaceAll('.', '-') : name;
}
