/** Context files in a real session: what the server gets, and when. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  callTool,
  createTestConfig,
  type ModelServer,
  noticesTo,
  sendPrompt,
  startModelServer,
  text,
} from '@gemini-cli/test-utils';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ConfigParameters } from '../engine/parameters.js';
import { globalGeminiDir } from '../platform/storage/storage.js';
import type { Config } from './config.js';

async function session(overrides: Partial<ConfigParameters> = {}) {
  const model = await startModelServer();
  onTestFinished(() => model.close());
  const notices: string[] = [];
  const config = await createTestConfig(
    { ...noticesTo((notice) => notices.push(notice)), ...overrides },
    { model },
  );
  const put = (path: string, content: string) => {
    const target = join(config.getTargetDir(), path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, content);
  };
  const putHome = (path: string, content: string) => {
    const target = join(globalGeminiDir(process.env), path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, content);
  };
  return { config, model, notices, put, putHome };
}

async function ask(config: Config, model: ModelServer, ...calls: ReturnType<typeof callTool>[]) {
  if (calls.length > 0) model.replies(calls, [text('done')]);
  else model.replies([text('done')]);
  await sendPrompt(config, 'go on');
  const parts = model.lastRequest().body.contents.at(-1)?.parts ?? [];
  return parts.map(({ functionResponse }) => String(functionResponse?.response['output'] ?? ''));
}
describe('context files of a subfolder', () => {
  it.each<[string, object]>([
    ['read_file', { file_path: 'src/a.ts' }],
    ['list_directory', { dir_path: 'src' }],
    ['write_file', { file_path: 'src/new.ts', content: 'x' }],
    ['replace', { file_path: 'src/a.ts', old_string: 'one', new_string: 'two' }],
    ['read_many_files', { include: ['src/*.ts'] }],
  ])('come with %s, behind the output, once', async (name, args) => {
    const coreTools = ['read_file', 'list_directory', 'write_file', 'replace', 'read_many_files'];
    const { config, model, put } = await session({ coreTools });
    put('src/GEMINI.md', 'rule of src');
    put('src/a.ts', 'one');
    const [first] = await ask(config, model, callTool(name, args));
    expect(first).toMatch(
      /\S\n+--- Newly Discovered Project Context ---\n[\s\S]*rule of src[\s\S]*\n--- End Project Context ---$/,
    );
    const [second] = await ask(config, model, callTool('read_file', { file_path: 'src/a.ts' }));
    expect(second).not.toContain('rule of src');
    expect(config.getMemory().reminders()).toHaveLength(1);
  });

  it('do not come with a call that failed, or with others', async () => {
    const { config, model, put } = await session();
    put('src/GEMINI.md', 'rule of src');
    await ask(
      config,
      model,
      callTool('read_file', { file_path: 'src/none.ts' }),
      callTool('glob', { pattern: 'src/*' }),
      callTool('run_shell_command', { command: 'ls src' }),
    );
    expect(JSON.stringify(model.lastRequest().body)).not.toContain('rule of src');
  });
});
