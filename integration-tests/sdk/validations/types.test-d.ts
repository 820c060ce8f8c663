/** Checked by `tsc` alone: lines after `@ts-expect-error` must not compile, all others must. */
import {
  type AgentStreamEvent,
  type AnyHook,
  GeminiCliAgent,
  type GeminiCliAgentOptions,
  type Hook,
  hook,
  type McpServerConfig,
  type Part,
  type PolicyRuleInput,
  type SendResult,
  type SessionContext,
  type Settings,
  subagent,
  type Tool,
  tool,
  z,
} from '@google/gemini-cli-sdk';
import { z as z3 } from 'zod-3';

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
declare function same<A, B>(equal: Equal<A, B>): void;

// Tools: arguments from zod 4, zod 3 and JSON Schema.
const four = tool({ name: 'a', description: '', inputSchema: z.object({ n: z.number() }) }, (params) => {
  same<typeof params, { n: number }>(true);
  // @ts-expect-error no such argument
  return params.m;
});
const three = tool(
  { name: 'a', description: '', inputSchema: z3.object({ s: z3.string().optional() }) },
  (params, ctx) => {
    same<typeof params, { s?: string | undefined }>(true);
    same<typeof ctx, SessionContext>(true);
    // @ts-expect-error it may be missing
    return params.s.length;
  },
);
const json = tool({ name: 'a', description: '', inputSchema: { type: 'object' } }, (params) => {
  same<typeof params, Record<string, unknown>>(true);
});
// @ts-expect-error a number is not a text
tool({ name: 'a', description: '', inputSchema: z.object({ n: z.number() }) }, ({ n }) => n.trim());
// @ts-expect-error the schema is missing
tool({ name: 'a', description: '' }, () => 1);
// @ts-expect-error not an object schema
tool({ name: 'a', description: '', inputSchema: 'object' }, () => 1);
tool(
  // @ts-expect-error no such kind
  { name: 'a', description: '', inputSchema: z.object({}), kind: 'wash' },
  () => 1,
);
tool(
  { name: 'a', description: '', inputSchema: z.object({ sum: z.number() }), confirm: ({ sum }) => sum > 10 },
  () => 1,
);
tool(
  // @ts-expect-error no such argument to confirm
  { name: 'a', description: '', inputSchema: z.object({}), confirm: ({ sum }) => sum },
  () => 1,
);
const typed: Tool[] = [four, three, json];

// Hooks: what each event gives and takes.
hook({ event: 'BeforeTool', name: 'h' }, (payload) => {
  same<typeof payload.toolName, string>(true);
  // @ts-expect-error there is no result yet
  return payload.toolResponse;
});
hook({ event: 'AfterTool', name: 'h' }, ({ toolResponse, toolInput }) => {
  same<typeof toolInput.path, string>(true);
  return { hookSpecificOutput: { additionalContext: String(toolResponse.llmContent) } };
});
// @ts-expect-error not a text
hook({ event: 'AfterTool', name: 'h' }, () => ({ hookSpecificOutput: { additionalContext: 1 } }));
// @ts-expect-error a BeforeTool hook changes arguments
hook({ event: 'BeforeTool', name: 'h' }, () => ({ hookSpecificOutput: { toolInput: 'x' } }));
// @ts-expect-error no such event
hook({ event: 'BeforeLunch', name: 'h' }, () => undefined);
// @ts-expect-error the name is missing
hook({ event: 'BeforeTool' }, () => undefined);
// @ts-expect-error no such decision
hook({ event: 'BeforeTool', name: 'h' }, () => ({ decision: 'perhaps' }));
hook({ event: 'BeforeAgent', name: 'h' }, () => ({
  // @ts-expect-error only for AfterTool
  hookSpecificOutput: { tailToolCallRequest: { name: 'a', args: {} } },
}));
hook({ event: 'BeforeAgent', name: 'h' }, ({ prompt }) => ({ systemMessage: prompt }));
// @ts-expect-error BeforeAgent has no tool
hook({ event: 'BeforeAgent', name: 'h' }, ({ toolName }) => toolName);
hook({ event: 'AfterAgent', name: 'h' }, ({ stopHookActive, promptResponse }) => {
  same<typeof stopHookActive, boolean>(true);
  return { decision: 'block', reason: promptResponse, hookSpecificOutput: { clearContext: true } };
});
// @ts-expect-error not a boolean
hook({ event: 'AfterAgent', name: 'h' }, () => ({ hookSpecificOutput: { clearContext: 'yes' } }));
hook({ event: 'BeforeModel', name: 'h' }, ({ llmRequest }) => ({
  hookSpecificOutput: { llmRequest: { messages: llmRequest.messages, config: { temperature: 0 } } },
}));
hook({ event: 'BeforeModel', name: 'h' }, () => ({
  // @ts-expect-error not a role
  hookSpecificOutput: { llmRequest: { messages: [{ role: 'robot', content: '' }] } },
}));
// @ts-expect-error no answer yet
hook({ event: 'BeforeModel', name: 'h' }, ({ llmResponse }) => llmResponse);
hook({ event: 'AfterModel', name: 'h' }, ({ llmResponse }) => ({
  hookSpecificOutput: { llmResponse: { candidates: llmResponse.candidates } },
}));
hook({ event: 'BeforeToolSelection', name: 'h' }, () => ({
  hookSpecificOutput: { toolConfig: { mode: 'NONE' } },
}));
hook({ event: 'BeforeToolSelection', name: 'h' }, () => ({
  // @ts-expect-error no such mode
  hookSpecificOutput: { toolConfig: { mode: 'SOME' } },
}));
hook({ event: 'SessionStart', name: 'h' }, ({ source }) => {
  same<typeof source, 'startup' | 'resume' | 'clear'>(true);
});
// @ts-expect-error the end of a session takes a message only
hook({ event: 'SessionEnd', name: 'h' }, () => ({ decision: 'deny' }));
// @ts-expect-error a compression takes a message only
hook({ event: 'PreCompress', name: 'h' }, () => ({ continue: false }));
// @ts-expect-error a notification takes a message only
hook({ event: 'Notification', name: 'h' }, () => ({ reason: 'x' }));
// @ts-expect-error not a result at all
hook({ event: 'BeforeTool', name: 'h' }, () => 'deny');
const hooks: AnyHook[] = [hook({ event: 'SessionEnd', name: 'h' }, async () => ({ systemMessage: 'bye' }))];
const one: Hook<'BeforeTool'> = hook({ event: 'BeforeTool', name: 'h' }, async () => null);

// Agents, sub-agents, policies.
const options: GeminiCliAgentOptions = { tools: [...typed], hooks: [...hooks, one] };
const agent = new GeminiCliAgent(options);
// @ts-expect-error no such option
new GeminiCliAgent({ instruction: 'x' });
// @ts-expect-error no such mode
new GeminiCliAgent({ approvalMode: 'auto' });
const settings: Settings = { tools: { exclude: ['glob'] } };
const server: McpServerConfig = { command: 'server' };
new GeminiCliAgent({ settings, mcpServers: { server } });
const parts: Part[] = [{ text: 'x' }, { inlineData: { mimeType: 'image/png', data: '' } }];
export const sent = agent.send(parts);
// @ts-expect-error no such setting
new GeminiCliAgent({ settings: { tool: {} } });
// @ts-expect-error not a prompt
agent.send({ txt: 'x' });
// @ts-expect-error the arguments of a rule are text
new GeminiCliAgent({ policies: [{ argsPattern: 5, decision: 'deny' }] });
// @ts-expect-error no such outcome
new GeminiCliAgent({ onApproval: () => 'maybe' });
new GeminiCliAgent({ onApproval: async ({ args }) => ({ outcome: 'allow', args: { ...args } }) });
// @ts-expect-error either instructions or an agent
subagent({ name: 'a', description: '', instructions: 'x', agent });
// @ts-expect-error one of both
subagent({ name: 'a', description: '' });
// @ts-expect-error no such decision
const rule: PolicyRuleInput = { toolName: 'x', decision: 'maybe' };

// Events.
export async function read(): Promise<SendResult> {
  for await (const event of agent.sendStream('x')) {
    if (event.type === 'content') same<typeof event.value, string>(true);
    if (event.type === 'tool_call_request') same<typeof event.value.args, Record<string, unknown>>(true);
    // @ts-expect-error a content event has a text
    if (event.type === 'content') event.value.callId;
    // @ts-expect-error no such event
    if (event.type === 'contents') return read();
    // @ts-expect-error a retry has no value
    if (event.type === 'retry') event.value;
  }
  for await (const item of agent.sendStream('x', { format: 'stream-json' })) {
    if (item.type === 'init') same<typeof item.session_id, string>(true);
    // @ts-expect-error events of the other format
    if (item.type === 'content') return read();
  }
  const result = await agent.send('x');
  // @ts-expect-error no such end
  if (result.finishReason === 'done') return result;
  return result;
}

export const all: AgentStreamEvent['type'][] = ['content', 'error'];
export { rule };
