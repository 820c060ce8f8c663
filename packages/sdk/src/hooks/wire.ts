/** Between the names of command hooks (`tool_input`) and those of this package (`toolInput`). */
import type { HookEvent, HookEventMap } from './event-map.js';

type Fields = Readonly<Record<string, unknown>>;

/** Values of these keys are data of tools and models: their names stay. */
const FILE_TOOLS: ReadonlySet<unknown> = new Set(['read_file', 'write_file', 'replace']);

export function toPayload<E extends HookEvent>(raw: Fields): HookEventMap[E]['in'] {
  const payload: Record<string, unknown> = { raw };
  for (const [key, value] of Object.entries(raw)) payload[camelCase(key)] = value;
  if (isFields(raw['tool_input'])) payload['toolInput'] = withPath(raw['tool_name'], raw['tool_input']);
  return payload as unknown as HookEventMap[E]['in'];
}

/** `path` also reads `file_path` of file tools, unless the tool has a `path` of its own. */
function withPath(toolName: unknown, input: Fields): Fields {
  if (!FILE_TOOLS.has(toolName) || 'path' in input || typeof input['file_path'] !== 'string') return input;
  return Object.defineProperty({ ...input }, 'path', { value: input['file_path'], enumerable: false });
}

/** Undefined: no effect. @throws TypeError for a result that is not an object */
export function toWire(event: HookEvent, result: unknown): Record<string, unknown> | undefined {
  if (result === undefined || result === null) return undefined;
  if (!isFields(result) || Array.isArray(result)) {
    const got = Array.isArray(result) ? 'a list' : typeof result;
    throw new TypeError(`A ${event} hook must return an object or nothing, not ${got}.`);
  }
  const wire: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(result)) wire[OUTPUT_NAMES[key] ?? key] = value;
  requireTypes(event, wire);
  const specific = wire['hookSpecificOutput'];
  if (isFields(specific)) {
    requireSpecificTypes(event, specific);
    wire['hookSpecificOutput'] = specificToWire(event, specific);
  }
  return wire;
}

function specificToWire(event: HookEvent, specific: Fields): Fields {
  const wire: Record<string, unknown> = { hookEventName: event };
  for (const [key, value] of Object.entries(specific)) wire[SPECIFIC_NAMES[key] ?? key] = value;
  return wire;
}

/** The snake_case spellings that are also accepted. */
const OUTPUT_NAMES: Readonly<Record<string, string>> = {
  stop_reason: 'stopReason',
  suppress_output: 'suppressOutput',
  system_message: 'systemMessage',
  hook_specific_output: 'hookSpecificOutput',
};

const SPECIFIC_NAMES: Readonly<Record<string, string>> = {
  toolInput: 'tool_input',
  llmRequest: 'llm_request',
  llmResponse: 'llm_response',
  additional_context: 'additionalContext',
  clear_context: 'clearContext',
  tool_config: 'toolConfig',
  tail_tool_call_request: 'tailToolCallRequest',
};

const TYPES: Readonly<Record<string, string>> = {
  continue: 'boolean',
  suppressOutput: 'boolean',
  stopReason: 'string',
  systemMessage: 'string',
  reason: 'string',
  decision: 'string',
  hookSpecificOutput: 'object',
};

const DECISIONS: ReadonlySet<unknown> = new Set(['allow', 'approve', 'ask', 'block', 'deny']);

/** By the names on the wire. */
const SPECIFIC_TYPES: Readonly<Record<string, 'a boolean' | 'a string' | 'an object'>> = {
  tool_input: 'an object',
  llm_request: 'an object',
  llm_response: 'an object',
  toolConfig: 'an object',
  tailToolCallRequest: 'an object',
  additionalContext: 'a string',
  clearContext: 'a boolean',
};

/** What has another type would have no effect, and nothing would say so. */
function requireSpecificTypes(event: HookEvent, specific: Fields): void {
  for (const [key, value] of Object.entries(specific)) {
    const type = SPECIFIC_TYPES[SPECIFIC_NAMES[key] ?? key];
    if (type === undefined || value === undefined || value === null || type.endsWith(` ${typeOf(value)}`))
      continue;
    throw new TypeError(
      `A ${event} hook returned ${typeOf(value)} as "hookSpecificOutput.${key}", not ${type}.`,
    );
  }
}

function typeOf(value: unknown): string {
  return Array.isArray(value) ? 'a list' : typeof value;
}

function requireTypes(event: HookEvent, wire: Fields): void {
  for (const [key, type] of Object.entries(TYPES)) {
    const value = wire[key];
    if (value !== undefined && typeof value !== type)
      throw new TypeError(`A ${event} hook returned ${typeof value} as "${key}", not ${type}.`);
  }
  const decision = wire['decision'];
  if (decision !== undefined && !DECISIONS.has(decision))
    throw new TypeError(
      `A ${event} hook returned "${decision}" as "decision", not allow, approve, ask, block or deny.`,
    );
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}
