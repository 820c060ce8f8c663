import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parseJsonc } from '../../base/jsonc.js';
import { definitionAt } from '../schema/index.js';
import { generatedFiles } from './generated-files.js';
import { settingsJsonSchema } from './json-schema.js';

const repository = join(dirname(fileURLToPath(import.meta.url)), '../../../../..');

describe('generated files', () => {
  it.each(generatedFiles())(
    'are up to date (else: npm run generate:settings): $path',
    ({ path, content }) => {
      expect(readFileSync(join(repository, path), 'utf8')).toBe(content);
    },
  );
});

describe('the JSON schema', () => {
  const ajv = new Ajv2020({
    allErrors: true,
    allowUnionTypes: true,
    strict: true,
    keywords: ['allowTrailingCommas'],
  });
  const validate = ajv.compile(settingsJsonSchema());
  const errorsOf = (value: unknown) =>
    validate(value) ? [] : [...new Set(validate.errors?.map(({ instancePath }) => instancePath))];

  it('accepts what the loader accepts', () => {
    expect(
      errorsOf({
        general: { vimMode: '$VIM', maxAttempts: 3, sessionRetention: { maxAge: '30d' } },
        tools: { sandbox: { command: 'docker' }, core: [] },
        context: { fileName: ['A.md'] },
        mcpServers: { a: { command: 'x', args: ['y'], env: { K: 'v' } } },
        hooks: { BeforeTool: [{ matcher: 'x', hooks: [{ type: 'command', command: 'y' }] }] },
        ui: { customThemes: { Mine: { anything: 1 } } },
        model: { fallbacks: ['openai/x', { model: 'y', on: ['quota'] }] },
        telemetry: true,
      }),
    ).toEqual([]);
  });

  it('rejects what the loader would report', () => {
    expect(
      errorsOf({
        general: { vimMode: 'yes', maxAttempts: 11, nope: 1 },
        output: { format: 'xml' },
        tools: { core: 'x' },
        mcpServers: { a: { arg: [] } },
        unknown: 1,
      }).sort(),
    ).toEqual([
      '',
      '/general',
      '/general/maxAttempts',
      '/general/vimMode',
      '/mcpServers/a',
      '/output/format',
      '/tools/core',
    ]);
  });

  it('describes every key that the tables have', () => {
    const schema = settingsJsonSchema();
    const properties = schema['properties'] as Record<string, { description?: string }>;
    expect(
      Object.keys(properties).filter((key) => !definitionAt([key]) || !properties[key]?.description),
    ).toEqual([]);
    const text = generatedFiles()[0]?.content ?? '';
    expect(parseJsonc(text)).toEqual(schema);
  });
});
