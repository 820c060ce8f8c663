/** Auto memory in a real session: disabled by default, in the background, and its inbox closed to the model. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  callTool,
  createTestConfig,
  type ModelServer,
  noticesTo,
  sendPrompt,
  startModelServer,
  text,
  waitUntil,
} from '@gemini-cli/test-utils';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ConfigParameters } from '../engine/parameters.js';
import { newFilePatch } from '../memory/auto/auto-memory.test-helper.js';
import { globalGeminiDir } from '../platform/storage/storage.js';
import { ChatRecordingService } from '../sessions/recording/chat-recording-service.js';
import type { Config } from './config.js';
import { requireBubblewrap, run, sandboxedConfig } from './sandboxed-config.test-helper.js';

vi.setConfig({ testTimeout: 30_000 });

async function server(): Promise<ModelServer> {
  const model = await startModelServer();
  onTestFinished(() => model.close());
  return model;
}

/** A session of yesterday that is worth a look. */
function recordEarlier(config: Config): string {
  const sessionId = '99999999-aaaa-4bbb-8ccc-000000000001';
  const service = new ChatRecordingService({
    chatsDir: config.storage.getChatsDir(),
    sessionId,
    projectHash: () => 'hash',
    now: () => Date.now() - 24 * 60 * 60 * 1000,
    redact: (value) => value,
    warn: () => undefined,
  });
  for (let n = 0; n < 10; n++) {
    service.recordUser(`prompt ${n}`);
    service.recordAnswer({ parts: [{ text: 'done' }] });
  }
  service.close();
  return sessionId;
}

/** The timer is set while the config is made; the sessions have to be there when it fires. */
async function withAutoMemory(model: ModelServer, overrides: Partial<ConfigParameters> = {}) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const notices: string[] = [];
  const config = await createTestConfig(
    { autoMemory: { enabled: true }, ...noticesTo((notice) => notices.push(notice)), ...overrides },
    { model },
  );
  const id = recordEarlier(config);
  const fire = () => {
    vi.advanceTimersByTime(3_000);
    vi.useRealTimers();
  };
  return { config, id, notices, fire };
}

const memoryDir = (config: Config) => join(config.storage.getProjectTempDir(), 'memory');
const privatePatch = (config: Config) => join(memoryDir(config), '.inbox/private/extraction.patch');

function put(path: string, content: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

describe('auto memory', () => {
  it.each<[string, Partial<ConfigParameters>]>([
    ['is disabled by default', { autoMemory: undefined }],
    ['is disabled by its setting', { autoMemory: { enabled: false } }],
    ['does not run in an untrusted folder', { trusted: false }],
  ])('%s', async (_what, overrides) => {
    const model = await server();
    const { config, fire } = await withAutoMemory(model, overrides);
    fire();
    model.replies([text('hello')]);
    await sendPrompt(config, 'hi');
    await config.shutdown();
    expect(model.requests).toHaveLength(1);
    expect(existsSync(memoryDir(config))).toBe(false);
  });

  it('runs beside the conversation, and accepted suggestions count at once', async () => {
    const model = await server();
    const { config, id, notices, fire } = await withAutoMemory(model);
    const memoryFile = join(memoryDir(config), 'MEMORY.md');
    model.replies(
      [callTool('read_session', { session_id: id })],
      [
        callTool('write_file', {
          file_path: privatePatch(config),
          content: newFilePatch(memoryFile, '- Use tabs.'),
        }),
      ],
      [callTool('complete_task', { response: 'One note.' })],
    );
    const told = new Promise<void>((resolve) => {
      config.getEvents().subscribe(({ type }) => {
        if (type === 'notice') resolve();
      });
    });
    fire();
    await told;
    expect(notices).toEqual(['Auto memory has 1 new suggestion for you: /memory inbox']);
    expect(existsSync(memoryFile)).toBe(false);

    const inbox = await config.loadMemoryInbox();
    const [item] = (await inbox.list()).flatMap((group) => group.items);
    expect(await inbox.apply(item?.id ?? '', item?.version)).toMatchObject({ ok: true });
    expect(await config.getMemory().list()).toContain(memoryFile);
    model.replies([text('hello')]);
    await sendPrompt(config, 'hi');
    expect(JSON.stringify(model.lastRequest().body.systemInstruction)).toContain('Use tabs.');
  });

  it('ends with the program, in the middle of an answer', async () => {
    const model = await server();
    const { config, fire } = await withAutoMemory(model);
    model.replies([text('I '), waitUntil(new Promise(() => {}))]);
    fire();
    const request = await model.waitForRequest(1);
    await config.shutdown();
    expect(await request.hungUp).toBe(true);
    const state = readFileSync(join(memoryDir(config), '.extraction-state.json'), 'utf8');
    expect(JSON.parse(state)).toMatchObject({ runs: [{ outcome: 'aborted' }], sessions: {} });
    expect(existsSync(join(memoryDir(config), '.extraction.lock'))).toBe(false);
  });

  it('does not ask the offline guide', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const config = await createTestConfig({ autoMemory: { enabled: true } });
    recordEarlier(config);
    vi.advanceTimersByTime(3_000);
    vi.useRealTimers();
    await config.shutdown();
    expect(existsSync(memoryDir(config))).toBe(false);
  });
});

describe('the memory inbox', () => {
  it("is closed to the model's tools", async () => {
    const model = await server();
    const config = await createTestConfig({}, { model });
    const patch = put(privatePatch(config), 'PENDING\n');
    const calls = [
      callTool('write_file', { file_path: patch, content: 'evil' }),
      callTool('write_file', { file_path: join(dirname(patch), 'new.patch'), content: 'evil' }),
      callTool('write_file', { file_path: patch.replace('.inbox', '.INBOX'), content: 'evil' }),
      callTool('replace', { file_path: patch, instruction: 'x', old_string: 'PENDING', new_string: 'evil' }),
      callTool('read_file', { file_path: patch }),
      callTool('list_directory', { dir_path: dirname(patch) }),
      callTool('grep_search', { pattern: 'PEND', dir_path: dirname(patch) }),
    ];
    model.replies(calls, [text('done')]);
    await sendPrompt(config, 'go');
    const answers = model.lastRequest().body.contents.at(-1)?.parts ?? [];
    expect(answers).toHaveLength(calls.length);
    for (const { functionResponse } of answers)
      expect(JSON.stringify(functionResponse?.response)).toContain('Path not in workspace');
    expect(readFileSync(patch, 'utf8')).toBe('PENDING\n');
    expect(existsSync(join(dirname(patch), 'new.patch'))).toBe(false);
  });

  describe('and sandboxed commands', () => {
    beforeAll(requireBubblewrap);

    it('cannot be written, seen or moved away, but the notes beside it can', async () => {
      const config = await sandboxedConfig();
      const patch = put(privatePatch(config), 'PENDING\n');
      const memory = memoryDir(config);
      await run(config, `echo evil > ${patch}`);
      await run(config, `mkdir -p ${memory}/.inbox/global && echo evil > ${memory}/.inbox/global/x.patch`);
      await run(
        config,
        `mv ${memory} ${memory}2; mkdir -p ${memory}/.inbox/global; echo evil > ${memory}/.inbox/global/x.patch`,
      );
      await run(config, `rm -rf ${memory}/.inbox`);
      const shown = await run(
        config,
        `cat ${patch}; echo note > ${memory}/MEMORY.md; cat ${memory}/MEMORY.md`,
      );
      expect(shown.llmContent).not.toContain('PENDING');
      expect(shown.llmContent).toContain('note');
      expect(readFileSync(patch, 'utf8')).toBe('PENDING\n');
      expect(existsSync(join(memory, '.inbox/global/x.patch'))).toBe(false);
    });

    it('cannot be created by one either', async () => {
      const config = await sandboxedConfig();
      await run(config, `mkdir -p ${memoryDir(config)}/.inbox/private; echo evil > ${privatePatch(config)}`);
      expect(existsSync(privatePatch(config))).toBe(false);
      expect(await (await config.loadMemoryInbox()).list()).toEqual([]);
    });
  });

  it('can be reviewed while auto memory is disabled', async () => {
    const config = await createTestConfig();
    put(join(globalGeminiDir(process.env), 'GEMINI.md'), '- one\n');
    const file = join(globalGeminiDir(process.env), 'GEMINI.md');
    put(
      join(memoryDir(config), '.inbox/global/extraction.patch'),
      `--- ${file}\n+++ ${file}\n@@ -1,1 +1,2 @@\n - one\n+- two\n`,
    );
    const inbox = await config.loadMemoryInbox();
    const [group] = await inbox.list();
    expect(group).toMatchObject({ title: 'Memory Updates', items: [{ title: 'GEMINI [global]' }] });
    expect((await inbox.apply(group?.items[0]?.id ?? '')).ok).toBe(true);
    expect(readFileSync(file, 'utf8')).toBe('- one\n- two\n');
  });
});
