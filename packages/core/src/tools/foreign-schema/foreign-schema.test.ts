/** Schemas as MCP servers send them: the well-made, the sloppy and the hostile. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { makeBus } from '@gemini-cli/test-utils';
import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../../protocol/tool-declaration.js';
import { BUILTIN_TOOLS, type ToolHost } from '../catalog.js';
import { SchemaValidator } from '../schema-validator.js';
import { BaseDeclarativeTool, Kind, type ToolInvocation, type ToolResult } from '../tools.js';
import { checkForeignArguments } from './check-arguments.js';
import { isInOwnSubset } from './own-subset.js';

const DRAFT_07 = 'http://json-schema.org/draft-07/schema#';
const DRAFT_2020 = 'https://json-schema.org/draft/2020-12/schema';

/** An issue tracker, with definitions that refer to each other. */
const ISSUES = {
  $schema: DRAFT_2020,
  type: 'object',
  properties: {
    repository: { type: 'string', pattern: '^[\\w.-]+/[\\w.-]+$' },
    assignees: { type: 'array', items: { $ref: '#/$defs/person' }, uniqueItems: true },
    since: { type: 'string', format: 'date-time' },
    limit: { type: 'integer', exclusiveMinimum: 0, multipleOf: 5 },
    parent: { anyOf: [{ $ref: '#/$defs/issue' }, { type: 'null' }] },
  },
  required: ['repository'],
  additionalProperties: false,
  $defs: {
    person: {
      type: 'object',
      properties: { email: { type: 'string', format: 'email' } },
      required: ['email'],
    },
    issue: {
      type: 'object',
      properties: { id: { type: 'integer' }, parent: { $ref: '#/$defs/issue' } },
      required: ['id'],
    },
  },
};

const SHAPES = {
  type: 'object',
  properties: { shape: { oneOf: [{ $ref: '#/$defs/circle' }, { $ref: '#/$defs/square' }] } },
  required: ['shape'],
  $defs: {
    circle: {
      type: 'object',
      properties: { kind: { const: 'circle' }, radius: { type: 'number', minimum: 0 } },
      required: ['kind', 'radius'],
    },
    square: {
      type: 'object',
      properties: { kind: { const: 'square' }, side: { type: 'number' } },
      required: ['kind', 'side'],
    },
  },
};

describe('arguments of a tool with a foreign schema', () => {
  it.each<[string, unknown]>([
    ['params', { repository: 'a/b' }],
    ['definitions', { repository: 'a/b', assignees: [{ email: 'a@b.example' }] }],
    ['recursion', { repository: 'a/b', parent: { id: 1, parent: { id: 2 } } }],
    ['null', { repository: 'a/b', parent: null, since: '2026-01-02T03:04:05Z', limit: 10 }],
  ])('are accepted: %s', (_what, value) => expect(checkForeignArguments(ISSUES, value)).toBeNull());

  it.each<[string, unknown, string]>([
    ['a pattern', { repository: 'a' }, 'params.repository must match pattern "^[\\w.-]+/[\\w.-]+$"'],
    ['a missing property', {}, "params must have required property 'repository'"],
    ['an unknown property', { repository: 'a/b', repo: 1 }, "params must not have the property 'repo'"],
    [
      'a format, in a definition',
      { repository: 'a/b', assignees: [{ email: 'a@b.example' }, { email: 'x' }] },
      'params.assignees[1].email must match format "email"',
    ],
    ['a date', { repository: 'a/b', since: 'yesterday' }, 'params.since must match format "date-time"'],
    ['a multiple', { repository: 'a/b', limit: 7 }, 'params.limit must be multiple of 5'],
    [
      'a value deep in a recursion',
      { repository: 'a/b', parent: { id: 1, parent: { id: 'x' } } },
      'params.parent.parent.id must be integer',
    ],
  ])('are refused because of %s', (_what, value, problem) => {
    expect(checkForeignArguments(ISSUES, value)).toBe(problem);
  });

  it.each<[string, unknown, string | null]>([
    ['one that fits', { kind: 'circle', radius: 1 }, null],
    ['a bad value', { kind: 'circle', radius: -1 }, 'params.shape.radius must be >= 0'],
    ['a missing value', { kind: 'square' }, "params.shape must have required property 'side'"],
    ['an unknown mark', { kind: 'star' }, 'params.shape.kind must be one of "circle", "square"'],
  ])('are compared with the alternative they mean: %s', (_what, shape, expected) => {
    expect(checkForeignArguments(SHAPES, { shape })).toBe(expected);
  });

  it('are refused with all alternatives when none of them was clearly meant', () => {
    const schema = { properties: { id: { oneOf: [{ type: 'string' }, { type: 'integer' }] } } };
    expect(checkForeignArguments(schema, { id: [] })).toBe(
      'params.id must match one of: params.id must be string | params.id must be integer',
    );
    const both = { properties: { id: { oneOf: [{ type: 'number' }, { type: 'integer' }] } } };
    expect(checkForeignArguments(both, { id: 1 })).toBe(
      'params.id matches more than one of the alternatives in the schema',
    );
  });

  it('are checked by the rules of the draft that the schema names or uses', () => {
    const tuple = { properties: { point: { items: [{ type: 'number' }], additionalItems: false } } };
    for (const schema of [tuple, { ...tuple, $schema: DRAFT_07 }]) {
      expect(checkForeignArguments(schema, { point: [1] })).toBeNull();
      expect(checkForeignArguments(schema, { point: ['x'] })).toBe('params.point[0] must be number');
    }
    const prefix = { $schema: DRAFT_2020, properties: { point: { prefixItems: [{ type: 'number' }] } } };
    expect(checkForeignArguments(prefix, { point: ['x'] })).toBe('params.point[0] must be number');
    const closed = { $schema: DRAFT_2020, allOf: [{ properties: { a: {} } }], unevaluatedProperties: false };
    expect(checkForeignArguments(closed, { b: 1 })).toBe("params must not have the property 'b'");
  });

  it('are checked with patterns that only older engines allow, and without unknown formats', () => {
    const schema = {
      properties: { a: { pattern: '^[\\w-.]+\\-$' }, b: { type: 'integer', format: 'uint64' } },
    };
    expect(checkForeignArguments(schema, { a: 'x-', b: 1 })).toBeNull();
    expect(checkForeignArguments(schema, { a: '?' })).toContain('params.a must match pattern');
  });

  it('are named correctly when their keys contain slashes and tildes', () => {
    const schema = { additionalProperties: { type: 'string' } };
    expect(checkForeignArguments(schema, { 'a/b~c': 1 })).toBe('params.a/b~c must be string');
  });

  it('are refused with a short message, however much is wrong', () => {
    const schema = { properties: { a: { items: { enum: Array.from({ length: 500 }, (_, i) => `v${i}`) } } } };
    const problem = checkForeignArguments(schema, { a: Array.from({ length: 500 }, () => 'x') });
    expect(problem).toContain('"v19" and 480 more');
    expect(problem?.length).toBeLessThan(1_100);
  });
});

describe('a schema that cannot be used', () => {
  const selfReferring: Record<string, unknown> = { type: 'object' };
  selfReferring['properties'] = { self: selfReferring };
  let deep: object = { type: 'string' };
  for (let depth = 0; depth < 15_000; depth++) deep = { not: deep };

  it.each<[string, object]>([
    ['a keyword of the wrong type', { type: 'object', required: true }],
    ['an unknown type', { properties: { a: { type: 'text' } } }],
    ['a pattern that is none', { properties: { a: { pattern: '(' } } }],
    ['a reference to nothing', { $ref: '#/$defs/none' }],
    ['more values than anyone writes', { enum: Array.from({ length: 30_000 }, (_, i) => i) }],
    ['itself inside', selfReferring],
    [
      'references in a circle',
      { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } },
    ],
    ['very deep nesting', deep],
    ['an $id that is not a text', { $id: 5 }],
  ])('leaves the check to the tool: %s', (_what, schema) => {
    expect(checkForeignArguments(schema, { a: 1 })).toBeNull();
    expect(checkForeignArguments(schema, 'text')).toBe('params must be an object');
  });

  it('is never completed from the network', async () => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.end('{"type":"string"}');
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    const schema = { properties: { a: { $ref: `http://127.0.0.1:${port}/schema.json` } } };
    expect(checkForeignArguments(schema, { a: 1 })).toBeNull();
    await new Promise((done) => server.close(done));
    expect(asked).toEqual([]);
  });

  it('does not affect another tool with the same $id', () => {
    const schema = (type: string) => ({
      $id: 'https://x.example/s',
      properties: { a: { $id: 'inner', type } },
    });
    expect(checkForeignArguments(schema('string'), { a: 1 })).toBe('params.a must be string');
    expect(checkForeignArguments(schema('integer'), { a: 1 })).toBeNull();
  });
});

describe('a check that never ends', () => {
  const REFUSAL = /^params could not be checked/;
  const levels = Array.from({ length: 30 }, (_, level) => {
    const next = { $ref: `#/$defs/l${level + 1}` };
    return [`l${level}`, { allOf: [next, next] }];
  });

  it.each<[string, object, unknown]>([
    ['a catastrophic pattern', { properties: { a: { pattern: '^(a+)+$' } } }, { a: `${'a'.repeat(40)}b` }],
    [
      'references that double at each step',
      {
        $ref: '#/$defs/l0',
        $defs: { ...Object.fromEntries(levels), l30: { properties: { a: { type: 'string' } } } },
      },
      { a: 'x' },
    ],
  ])('refuses the call: %s', (_what, schema, value) => {
    expect(checkForeignArguments(schema, value, 100)).toMatch(REFUSAL);
  });

  it('does not affect the next check', () => {
    expect(checkForeignArguments({ properties: { a: { pattern: '^(a+)+$' } } }, { a: 'aaa' })).toBeNull();
  });
});

describe('the validator', () => {
  const host = {} as ToolHost;

  it('is our own for every built-in tool', () => {
    const outside = BUILTIN_TOOLS.map(({ create }) => create(host, makeBus())).filter(
      ({ parameterSchema }) => !isInOwnSubset(parameterSchema),
    );
    expect(outside.map(({ name }) => name)).toEqual([]);
  });

  it.each<[object, boolean]>([
    [{ type: 'object', properties: { a: { type: 'string', description: 'x' } }, required: ['a'] }, true],
    [{ type: ['string', 'null'] }, false],
    [{ properties: { a: { pattern: 'x' } } }, false],
    [{ items: [{}] }, false],
    [{ enum: [{ a: 1 }] }, false],
    [{ required: true }, false],
    [{ constructor: 1 }, false],
  ])('depends on the keywords of the schema: %j', (schema, expected) => {
    expect(isInOwnSubset(schema)).toBe(expected);
  });

  class ServerTool extends BaseDeclarativeTool<object, ToolResult> {
    override readonly hasForeignSchema = true;

    constructor(schema: object) {
      super('mcp_s_t', 't', 'A tool of a server.', Kind.Other, schema as JsonSchema, makeBus());
    }

    protected createInvocation(): ToolInvocation<object, ToolResult> {
      throw new Error('built');
    }
  }

  it('is ajv in build() of a tool that declares a foreign schema', () => {
    const tool = new ServerTool(SHAPES);
    expect(() => tool.build({ shape: { kind: 'circle', radius: 1 } })).toThrow('built');
    expect(() => tool.build({ shape: { kind: 'circle' } })).toThrow("must have required property 'radius'");
  });

  it('is ajv for a schema outside of our subset, even without that declaration', () => {
    expect(SchemaValidator.validate(ISSUES as JsonSchema, { repository: 'x' })).toContain(
      'must match pattern',
    );
  });
});
