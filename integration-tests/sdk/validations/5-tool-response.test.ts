/** Seed 002: "Model receives tool response after returning tool." */
import { callTool, text } from '@gemini-cli/test-utils/rig';
import { GeminiCliAgent, tool, toToolResult, z } from '@google/gemini-cli-sdk';
import { expect, it } from 'vitest';
import { z as z3 } from 'zod-3';
import { contents, sdkRig } from '../sdk-rig.js';

it('answers the call with what the tool returned', async () => {
  const { model, folder } = await sdkRig();
  model.replies(
    [callTool('add', { a: 23, b: 79 })],
    [callTool('trim', { text: '  x ' })],
    [text('It is 102.')],
  );
  const add = tool(
    { name: 'add', description: 'adds', inputSchema: z.object({ a: z.number(), b: z.number() }) },
    ({ a, b }) => ({ result: a + b }),
  );
  const trimmed = z3.object({
    text: z3.string().transform((value) => value.trim()),
    times: z3.number().default(2),
  });
  const trim = tool({ name: 'trim', description: 'trims', inputSchema: trimmed }, (params) =>
    params.text.repeat(params.times),
  );
  await using agent = new GeminiCliAgent({ cwd: folder, tools: [add, trim] });
  const results = [];
  for await (const event of agent.sendStream('what is 23 + 79?')) results.push(toToolResult(event));
  expect(results.filter((result) => result !== undefined)).toEqual([
    { tool_call_id: expect.any(String), result: { success: true, data: { result: 102 } } },
    { tool_call_id: expect.any(String), result: { success: true, data: 'xx' } },
  ]);
  expect(contents(model.requests[1])).toContain(JSON.stringify(JSON.stringify({ result: 102 }, null, 2)));
  expect(contents(model.requests[2])).toContain('"xx"');
});
