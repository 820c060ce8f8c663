/** The two requests `conseca` sends: the user's prompt and the call as data, never file contents or tool output. */
import type { UtilityRequest } from '../../../model/utility/utility-model.js';
import policyInstruction from './policy.md';
import verdictInstruction from './verdict.md';

/** What the user typed. */
export interface Task {
  promptId: string;
  words: string;
}

export interface ToolSummary {
  name: string;
  /** Absent for MCP tools: a server's text must not influence the policy. */
  description?: string;
}

export interface JudgedCall {
  name: string;
  args: Readonly<Record<string, unknown>>;
}

type Question = UtilityRequest & { schema: Record<string, unknown> };

const MAX_WORDS = 20_000;
const MAX_DESCRIPTION = 300;
const MAX_ARGUMENTS = 16_000;
const MAX_TEXT = 2_000;
/** File contents may be shortened to their beginning and end; all other arguments are judged whole or not at all. */
const FILE_TEXTS = new Set(['content', 'old_string', 'new_string']);

const TEXT = { type: 'string' };
const POLICY_SCHEMA = {
  type: 'object',
  properties: {
    tools: {
      type: 'array',
      items: {
        type: 'object',
        properties: { name: TEXT, constraints: TEXT, rationale: TEXT },
        required: ['name', 'constraints', 'rationale'],
      },
    },
  },
  required: ['tools'],
};
const VERDICT_SCHEMA = {
  type: 'object',
  properties: { decision: { type: 'string', enum: ['allow', 'deny', 'ask_user'] }, reason: TEXT },
  required: ['decision', 'reason'],
};

/** Undefined: the request is too long to be judged as a whole. */
export function policyQuestion(
  task: Task,
  tools: readonly ToolSummary[],
  mainModel: string | undefined,
): Question | undefined {
  if (task.words.length > MAX_WORDS) return undefined;
  const listed = tools.map(({ name, description }) => ({
    name,
    ...(description !== undefined && { description: description.slice(0, MAX_DESCRIPTION) }),
  }));
  const text = `${fenced('request', task.words)}\n\n${fenced('tools', listed)}`;
  return question(task, text, policyInstruction, POLICY_SCHEMA, mainModel);
}

/** Undefined: the call is too long to be judged as a whole. */
export function verdictQuestion(
  task: Task,
  policy: unknown,
  call: JudgedCall,
  mainModel: string | undefined,
): Question | undefined {
  const shown = fenced('call', { tool: call.name, arguments: shortened(call.args) });
  if (shown.length > MAX_ARGUMENTS) return undefined;
  const text = `${fenced('request', task.words)}\n\n${fenced('policy', policy)}\n\n${shown}`;
  return question(task, text, verdictInstruction, VERDICT_SCHEMA, mainModel);
}

function question(
  { promptId }: Task,
  text: string,
  systemInstruction: string,
  schema: Record<string, unknown>,
  mainModel: string | undefined,
): Question {
  return {
    alias: 'conseca',
    role: 'utility_conseca',
    promptId,
    messages: [{ role: 'user', origin: 'prompt', parts: [{ text }] }],
    systemInstruction,
    schema,
    ...(mainModel !== undefined && { mainModel }),
  };
}

/** As JSON without "<", so that no value can close its tag. */
function fenced(tag: string, value: unknown): string {
  return `<${tag}>\n${JSON.stringify(value).replaceAll('<', '\\u003c')}\n</${tag}>`;
}

function shortened(args: JudgedCall['args']): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(args).map(([key, value]) => {
      const isLong = FILE_TEXTS.has(key) && typeof value === 'string' && value.length > MAX_TEXT;
      return [key, isLong ? headAndTail(value) : value];
    }),
  );
}

function headAndTail(text: string): string {
  const half = MAX_TEXT / 2;
  return `${text.slice(0, half)} [${text.length - MAX_TEXT} characters left out] ${text.slice(-half)}`;
}
