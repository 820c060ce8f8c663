import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '@gemini-cli/test-utils';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FatalInputError, OutputSchemaError } from '../../base/errors.js';
import { type Message, textOf } from '../../protocol/messages.js';
import { AnswerSchema, StructuredAnswers } from './structured-answer.js';

const PERSON = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    age: { type: 'integer', minimum: 0 },
    mood: { enum: ['good', 'bad'] },
  },
  required: ['name'],
  additionalProperties: false,
};

function fileWith(content: unknown): string {
  const { path, cleanup } = tempDir();
  onTestFinished(cleanup);
  const file = join(path, 'schema.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

const load = (content: unknown) => AnswerSchema.load(fileWith(content));
const said = (text: string): Message => ({ role: 'model', origin: 'model', parts: [{ text }] });

describe('AnswerSchema.load', () => {
  it('names the missing file', async () => {
    const missing = join(fileWith('{}'), '..', 'none.json');
    await expect(AnswerSchema.load(missing)).rejects.toThrow(FatalInputError);
    await expect(AnswerSchema.load(missing)).rejects.toThrow(
      /none\.json \(--output-schema\).*cannot be read/,
    );
  });

  it('refuses a directory', async () => {
    await expect(AnswerSchema.load(join(fileWith('{}'), '..'))).rejects.toThrow('cannot be read');
  });

  it.each([
    ['no JSON', '{type: object}', 'it is not JSON'],
    ['no object', '[]', 'it is not a JSON object'],
    ['no schema', { type: 'thing' }, 'it is not a JSON Schema'],
    ['another draft', { $schema: 'http://json-schema.org/draft-04/schema#' }, 'only drafts 2020-12 and 07'],
    ['a draft that is no string', { $schema: 7 }, '"$schema" is 7'],
    [
      'a reference to elsewhere',
      { $ref: 'http://127.0.0.1:1/schema.json' },
      '"http://127.0.0.1:1/schema.json" is not within the file, and nothing is fetched',
    ],
    ['a reference to nothing', { $ref: '#/$defs/none' }, '"#/$defs/none" is not within the file'],
    ['a reference to itself', { $ref: '#' }, 'the reference "#" leads back to itself'],
    [
      'a circle of references',
      {
        properties: { a: { $ref: '#/$defs/x' } },
        $defs: { x: { allOf: [{ $ref: '#/$defs/y' }] }, y: { $ref: '#/$defs/x' } },
      },
      'leads back to itself',
    ],
  ])('refuses %s', async (_name, content, reason) => {
    await expect(load(content)).rejects.toThrow(FatalInputError);
    await expect(load(content)).rejects.toThrow(reason);
  });

  it('refuses a schema deeper than the stack', async () => {
    const deep = `${'{"not":'.repeat(20_000)}{}${'}'.repeat(20_000)}`;
    await expect(load(deep)).rejects.toThrow(FatalInputError);
  });

  it.each([
    [
      '2020-12',
      { $schema: 'https://json-schema.org/draft/2020-12/schema', prefixItems: [{ type: 'string' }] },
    ],
    ['07', { $schema: 'http://json-schema.org/draft-07/schema#', items: [{ type: 'string' }] }],
    ['none', { prefixItems: [{ type: 'string' }] }],
  ])('accepts a schema of draft %s', async (_name, content) => {
    const schema = await load(content);
    expect(schema.check('["a", 1]').ok).toBe(true);
    expect(schema.check('[1]').ok).toBe(false);
  });

  it('ignores unknown keywords, formats and a byte order mark', async () => {
    const schema = await load(`\ufeff${JSON.stringify({ type: 'string', format: 'date', 'x-note': 1 })}`);
    expect(schema.check('"no date"').ok).toBe(true);
  });

  it('accepts recursive trees', async () => {
    const tree = { type: 'object', properties: { next: { $ref: '#' } }, additionalProperties: false };
    const schema = await load(tree);
    expect(schema.check('{"next":{"next":{}}}').ok).toBe(true);
    expect(schema.check('{"next":{"last":{}}}')).toEqual({
      ok: false,
      problems: ['/next must NOT have additional properties: "last"'],
    });
  });
});

describe('AnswerSchema.check', () => {
  it.each([
    ['bare', '{"name": "Ada", "age": 36}'],
    ['fenced', '```json\n{"name": "Ada", "age": 36}\n```'],
    ['with words around it', 'Here you are:\n{"name": "Ada", "age": 36}\nAnything else?'],
  ])('extracts the JSON from an answer %s', async (_name, text) => {
    const schema = await load(PERSON);
    expect(schema.check(text)).toEqual({
      ok: true,
      value: { name: 'Ada', age: 36 },
      text: '{"name": "Ada", "age": 36}',
    });
  });

  it.each([
    ['Ada', ['There is no complete JSON value in the message.']],
    ['', ['There is no complete JSON value in the message.']],
    ['{"name":"a"} {"name":"b"}', ['There are 2 JSON values in the message, not one.']],
    [
      '{"age": -1, "mood": "odd"}',
      [
        "The value must have required property 'name'",
        '/age must be >= 0',
        '/mood must be equal to one of the allowed values: "good", "bad"',
      ],
    ],
  ])('reports all problems of %j', async (text, problems) => {
    expect((await load(PERSON)).check(text)).toEqual({ ok: false, problems });
  });

  it('accepts any JSON value the schema allows', async () => {
    const schema = await load({ type: 'integer' });
    expect(schema.check(' 42\n')).toEqual({ ok: true, value: 42, text: '42' });
    expect(schema.check('"42"').ok).toBe(false);
  });
});

describe('StructuredAnswers', () => {
  it('sends the schema with the prompt', async () => {
    const answers = new StructuredAnswers(await load(PERSON));
    const text = textOf(answers.opening([{ text: 'Who?' }]));
    expect(text).toMatch(/^Who\?\n\n/);
    expect(text).toContain(JSON.stringify(PERSON));
  });

  it('shows only the JSON', async () => {
    const answers = new StructuredAnswers(await load(PERSON));
    expect(answers.holdsBack).toBe(true);
    expect(await answers.after([said('It is {"name": "Ada"}.')])).toEqual({ content: '{"name": "Ada"}' });
  });

  it('asks for a repair twice, then gives up, and starts anew for each prompt', async () => {
    const answers = new StructuredAnswers(await load(PERSON));
    for (let prompt = 0; prompt < 2; prompt++) {
      answers.opening([]);
      for (let repair = 0; repair < 2; repair++) {
        const next = await answers.after([said('{"age": 1}')]);
        const message = 'message' in next ? next.message : undefined;
        expect(message).toMatchObject({ role: 'user', origin: 'correction' });
        expect(textOf(message?.parts ?? [])).toContain("must have required property 'name'");
      }
      const failure = await answers.after([said('{"age": 1}')]).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(OutputSchemaError);
      expect(failure).toHaveProperty(
        'message',
        "The answer does not match --output-schema, even after 2 repairs: The value must have required property 'name'",
      );
    }
  });

  it('does not take a tool response for the answer', async () => {
    const answers = new StructuredAnswers(await load({}));
    const response: Message = { role: 'user', origin: 'tool_response', parts: [{ text: '{}' }] };
    expect(await answers.after([response])).toHaveProperty('message');
  });
});
