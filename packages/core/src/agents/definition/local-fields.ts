/** The header of a local agent: its checks, and the definition it becomes. */
import { isForbiddenKey } from '../../settings/key-path.js';
import type { AgentSource, InputConfig, LocalAgentDefinition } from '../types.js';
import type { FieldIssue } from './issue.js';
import { mcpServers, toServerSettings } from './mcp-fields.js';
import { type Check, matching, number, objectWith, oneOf, text } from './shape.js';
import { isBuiltinTool, toolList, toolsNamed } from './tool-entries.js';

const SLUG = /^[a-z0-9-_]+$/;

export const agentName: Check = (value, field) => {
  const wrong = matching(SLUG, 'Name must be a valid slug', 'Use only a-z, 0-9, - and _.')(value, field);
  if (wrong.length > 0) return wrong;
  // Policy rules name agents like tools: an agent "read_file" would be allowed wherever that tool is.
  const taken = isBuiltinTool(String(value))
    ? 'the name of a tool'
    : isForbiddenKey(String(value))
      ? 'reserved'
      : '';
  if (taken === '') return [];
  return [{ field, message: `'${value}' is ${taken}`, cure: `Write another name, such as ${value}-agent.` }];
};

/** Keys of Claude Code and of other spellings that have an equivalent. */
const INSTEAD: Readonly<Record<string, string>> = {
  maxTurns: 'max_turns',
  max_time_minutes: 'timeout_mins',
  timeoutMins: 'timeout_mins',
  displayName: 'display_name',
  allowed_tools: 'tools',
  'allowed-tools': 'tools',
  allowedTools: 'tools',
  disallowedTools: 'tools, with the tools that remain,',
};

export const LOCAL_FIELDS: Readonly<Record<string, Check>> = {
  name: agentName,
  description: text({ nonEmpty: true }),
  kind: oneOf('local'),
  display_name: text(),
  tools: toolList,
  mcp_servers: mcpServers,
  mcpServers,
  model: text({ nonEmpty: true }),
  temperature: number({ minimum: 0, maximum: 2 }),
  max_turns: number({ positiveInteger: true }),
  timeout_mins: number({ positiveInteger: true }),
};

const LOCAL = objectWith(LOCAL_FIELDS, { required: ['name', 'description'], instead: INSTEAD });

export function checkLocal(data: unknown): FieldIssue[] {
  return LOCAL(data, '');
}

/** What a file cannot define: one text, which becomes the first message. */
export const ONE_TEXT: InputConfig = {
  inputs: { query: { description: 'The task for the agent.', type: 'string', required: true } },
};

/** @param data a header without issues */
export function toLocalDefinition(
  data: Readonly<Record<string, unknown>>,
  body: string,
  source: AgentSource,
): LocalAgentDefinition {
  const field = <T>(key: string) => data[key] as T | undefined;
  const name = field<string>('name') ?? '';
  const description = field<string>('description') ?? '';
  const displayName = field<string>('display_name');
  const tools = field<string[]>('tools');
  const servers = toServerSettings(data['mcp_servers'] ?? data['mcpServers'], {
    // What others wrote must not decide that the user is not asked.
    mayTrust: source.kind !== 'extension' && source.kind !== 'project',
  });
  return {
    kind: 'local',
    name,
    ...(displayName && { displayName }),
    description: description.trim(),
    source,
    inputConfig: ONE_TEXT,
    promptConfig: {
      systemPrompt: body.trim() || `You are "${name}". ${description.trim()}`,
      query: '${query}',
    },
    modelConfig: {
      model: field<string>('model') ?? 'inherit',
      settings: { temperature: field<number>('temperature') ?? 1, topP: 0.95 },
    },
    runConfig: {
      maxTurns: field<number>('max_turns') ?? 30,
      maxTimeMinutes: field<number>('timeout_mins') ?? 10,
    },
    ...(tools && { toolConfig: { tools: toolsNamed(tools) } }),
    ...(servers && Object.keys(servers).length > 0 && { mcpServers: servers }),
  };
}
