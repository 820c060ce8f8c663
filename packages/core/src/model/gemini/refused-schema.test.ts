import { expect, it } from 'vitest';
import { GEMINI_API, toGoogleError } from './errors.js';

const tools = ['read_file', 'mcp_files_search'].map((name) => ({
  name,
  description: '',
  parametersJsonSchema: {},
}));

const refusal = (place: string) =>
  toGoogleError(
    { service: GEMINI_API, model: 'm', tools },
    400,
    JSON.stringify({
      error: { code: 400, message: `* GenerateContentRequest.tools[0].${place}.parameters: bad` },
    }),
  ).message;

it('names the tool whose schema the server refuses', () => {
  expect(refusal('function_declarations[1]')).toContain(
    'The schema of the tool "mcp_files_search" is refused. Leave the tool out with excludeTools of its MCP server.',
  );
  expect(refusal('functionDeclarations[0]')).toContain('The schema of the tool "read_file" is refused.');
});

it('says what it says about other refusals where no tool is meant', () => {
  expect(refusal('function_declarations[7]')).toContain('The same request would be refused again');
});
