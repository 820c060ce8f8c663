/** The requests that the Messages API refuses with 400; the scripted server refuses the same. */

export interface AnthropicBlock extends Record<string, unknown> {
  type: string;
  text?: string;
  id?: string;
  name?: string;
  input?: Record<string, unknown>;
  tool_use_id?: string;
  content?: string | AnthropicBlock[];
  is_error?: boolean;
  thinking?: string;
  signature?: string;
}

export interface AnthropicBody extends Record<string, unknown> {
  model: string;
  max_tokens?: number;
  messages: { role: 'user' | 'assistant'; content: AnthropicBlock[] }[];
  system?: AnthropicBlock[];
  tools?: { name: string; description: string; input_schema: Record<string, unknown> }[];
  thinking?: { type: string; budget_tokens: number };
  temperature?: number;
  stream?: boolean;
}

/** The first rule that `body` breaks, in words. */
export function brokenRule(body: AnthropicBody, countsOnly = false): string | undefined {
  if (!countsOnly && !(Number(body.max_tokens) > 0)) return 'max_tokens: Field required';
  return brokenThinking(body) ?? brokenMessages(body) ?? brokenTools(body);
}

function brokenThinking({ thinking, max_tokens: most = 0, temperature }: AnthropicBody): string | undefined {
  if (!thinking) return undefined;
  if (thinking.budget_tokens < 1024) return 'thinking.budget_tokens: must be at least 1024';
  if (thinking.budget_tokens >= most) return 'max_tokens must be greater than thinking.budget_tokens';
  return temperature === undefined ? undefined : 'temperature may not be set when thinking is enabled';
}

function brokenMessages({ messages, thinking }: AnthropicBody): string | undefined {
  if (messages.length === 0) return 'messages: at least one message is required';
  const ids = new Set<string>();
  let open: string[] = [];
  for (const [index, { role, content }] of messages.entries()) {
    const at = `messages.${index}`;
    if (role !== (index % 2 === 0 ? 'user' : 'assistant')) return `${at}: roles must alternate from "user"`;
    if (content.length === 0) return `${at}: content must not be empty`;
    const problem = content.map(brokenBlock).find(Boolean);
    if (problem) return `${at}: ${problem}`;
    if (role === 'user') {
      const results = content.filter(({ type }) => type === 'tool_result');
      if (content.slice(0, results.length).some(({ type }) => type !== 'tool_result')) {
        return `${at}: tool_result blocks must come first`;
      }
      const answered = results.map((block) => block.tool_use_id);
      if (JSON.stringify(answered) !== JSON.stringify(open)) {
        return `${at}: tool_use ids ${open} were answered by ${answered}`;
      }
      open = [];
    } else {
      const calls = content.filter(({ type }) => type === 'tool_use');
      open = calls.map(({ id }) => String(id));
      if (open.some((id) => ids.has(id)) || new Set(open).size < open.length)
        return `${at}: ids must be unique`;
      for (const id of open) ids.add(id);
      const isLast = index >= messages.length - 2;
      if (thinking && isLast && calls.length > 0 && !/thinking$/.test(content[0]?.type ?? '')) {
        return `${at}: expected thinking, but found ${content[0]?.type}`;
      }
    }
  }
  return open.length > 0 ? `tool_use ids ${open} have no tool_result` : undefined;
}

function brokenBlock(block: AnthropicBlock): string | undefined {
  const { type, text, id, name, signature, content } = block;
  if (type === 'text' && !text?.trim()) return 'text content blocks must contain non-whitespace text';
  if (type === 'tool_use') {
    if (!/^[\w-]+$/.test(id ?? '')) return `tool_use.id "${id}" is not valid`;
    if (!/^[\w-]{1,128}$/.test(name ?? '')) return `tool_use.name "${name}" is not valid`;
  }
  if (type === 'thinking' && !signature) return 'thinking.signature: Field required';
  if (type === 'tool_result' && Array.isArray(content)) return content.map(brokenBlock).find(Boolean);
  return undefined;
}

function brokenTools({ tools = [] }: AnthropicBody): string | undefined {
  for (const { name, input_schema: schema } of tools) {
    if (!/^[\w-]{1,128}$/.test(name)) return `tools: name "${name}" is not valid`;
    if (schema['type'] !== 'object') return `tools.${name}: input_schema.type must be "object"`;
    if (schema['anyOf'] || schema['oneOf'] || schema['allOf']) {
      return `tools.${name}: input_schema does not support oneOf, allOf, or anyOf at the top level`;
    }
  }
  return undefined;
}
