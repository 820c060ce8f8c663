/** Seed 002: "Model receives tool definition in prompt." With every kind of schema. */
import { text } from '@gemini-cli/test-utils/rig';
import { GeminiCliAgent, tool, z } from '@google/gemini-cli-sdk';
import { expect, it } from 'vitest';
import { z as z3 } from 'zod-3';
import { sdkRig } from '../sdk-rig.js';

it('declares a tool with the same schema from zod 4, zod 3 and JSON Schema', async () => {
  const { model, folder } = await sdkRig();
  model.replies([text('ok')]);
  const action = () => 'ok';
  const description = 'adds';
  const four = z.object({
    a: z.number().int().min(0).describe('first'),
    kind: z.enum(['x', 'y']).optional(),
    tags: z.array(z.string()).default([]),
  });
  const three = z3.object({
    a: z3.number().int().min(0).describe('first'),
    kind: z3.enum(['x', 'y']).optional(),
    tags: z3.array(z3.string()).default([]),
  });
  const json = {
    type: 'object',
    properties: {
      a: { type: 'integer', minimum: 0, description: 'first' },
      kind: { type: 'string', enum: ['x', 'y'] },
      tags: { type: 'array', items: { type: 'string' }, default: [] },
    },
    required: ['a'],
  } as const;
  await using agent = new GeminiCliAgent({
    cwd: folder,
    tools: [
      tool({ name: 'four', description, inputSchema: four }, action),
      tool({ name: 'three', description, inputSchema: three }, action),
      tool({ name: 'json', description, inputSchema: json }, action),
    ],
  });
  await agent.send('hi');
  const declared = model.requests[0]?.body.tools?.flatMap((group) => group.functionDeclarations ?? []) ?? [];
  const schemas = ['four', 'three', 'json'].map((name) => {
    const declaration = declared.find((item) => item.name === name);
    expect(declaration?.description).toBe('adds');
    return declaration?.parametersJsonSchema;
  });
  for (const schema of schemas) expect(schema).toMatchObject({ type: 'object', required: ['a'] });
  const properties = schemas.map((schema) => {
    const own = { ...(schema?.['properties'] as Record<string, Record<string, unknown>>) };
    delete own['wait_for_previous'];
    // zod 4 adds the largest safe integer.
    delete own['a']?.['maximum'];
    return own;
  });
  expect(properties[0]).toEqual(json.properties);
  expect(properties[1]).toEqual(json.properties);
  expect(properties[2]).toEqual(json.properties);
});
