import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startModelServer, tempDir, text } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ApprovalMode } from '../protocol/confirmation.js';
import { Config } from './config.js';

let folder: ReturnType<typeof tempDir>;
beforeEach(() => {
  folder = tempDir();
  vi.stubEnv('GEMINI_CLI_HOME', join(folder.path, 'home'));
  vi.stubEnv('GEMINI_API_KEY', 'key');
});
afterEach(() => {
  vi.unstubAllEnvs();
  folder.cleanup();
});

const make = () =>
  new Config({
    sessionId: 's',
    targetDir: folder.path,
    debugMode: false,
    model: 'gemini-2.5-flash',
    interactive: false,
    approvalMode: ApprovalMode.DEFAULT,
  });

it("sends the user's system prompt instead of ours", async () => {
  const server = await startModelServer();
  vi.stubEnv('GOOGLE_GEMINI_BASE_URL', server.url);
  vi.stubEnv('GEMINI_SYSTEM_MD', 'mine.md');
  writeFileSync(join(folder.path, 'mine.md'), 'Speak like a pirate. Read with ${read_file_ToolName}.');
  const config = make();
  try {
    await config.initialize();
    server.replies([text('Arr.')]);
    for await (const _ of config.getSession().send('hello'));
    const [part] = server.lastRequest().body.systemInstruction?.parts ?? [];
    expect(part?.text).toMatch(/^Speak like a pirate\. Read with read_file\./);
  } finally {
    await config.shutdown();
    await server.close();
  }
});

it("refuses to start when the user's system prompt is missing", async () => {
  vi.stubEnv('GEMINI_SYSTEM_MD', 'none.md');
  await expect(make().initialize()).rejects.toThrow(/^missing system prompt file '.*none\.md'$/);
});
