/** The background run with a real server and real files: what it sees, writes, remembers, and when it ends. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { apiError, callTool, text, waitUntil } from '@gemini-cli/test-utils';
import { describe, expect, it } from 'vitest';
import { EXTRACTION_AGENT } from '../../../agent/extraction/definition.js';
import { newFilePatch, skillText } from '../../../memory/auto/auto-memory.test-helper.js';
import { readEntries } from '../../../memory/auto/inbox-item.js';
import { extractionPatch } from '../../../memory/auto/places.js';
import { readState } from '../../../memory/auto/state.js';
import { done, extractionLab, HOUR_MS, tenPrompts } from './extraction.test-helper.js';

describe('an extraction run', () => {
  it('reads new sessions and writes suggestions, and the user is told', async () => {
    const lab = await extractionLab();
    const { server, places, record, run, notices, read } = lab;
    const id = record();
    const memory = join(places.memoryDir, 'MEMORY.md');
    const patch = newFilePatch(memory, '- Use tabs.');
    server.replies(
      [callTool('read_session', { session_id: id })],
      [
        callTool('write_file', { file_path: extractionPatch(places, 'private'), content: patch }),
        callTool('write_file', {
          file_path: join(places.draftsDir, 'release/SKILL.md'),
          content: skillText('release'),
        }),
      ],
      [done('Two suggestions.')],
    );
    expect(await run()).toEqual({ ran: true, outcome: 'completed', sessionIds: [id], suggestions: 2 });
    expect(lab.answers()[0]).toContain('[1] User: Please always use tabs');
    expect(lab.answers()[0]).toContain('<untrusted_context>');
    expect(read(extractionPatch(places, 'private'))).toBe(patch);
    const entries = await readEntries(places);
    expect(entries.map(({ item }) => [item.title, item.problem])).toEqual([
      ['release [draft]', undefined],
      ['MEMORY [private]', undefined],
    ]);
    expect(read(memory)).toBeUndefined();
    expect(notices).toEqual(['Auto memory has 2 new suggestions for you: /memory inbox']);
    expect(existsSync(places.lockFile)).toBe(false);
  });

  it('offers the model no other tools, and only the index', async () => {
    const { server, record, run } = await extractionLab([done('Nothing.')]);
    record({ prompts: tenPrompts('Fix the build') });
    await run();
    const { tools, contents } = server.lastRequest().body;
    const names = tools?.flatMap((tool) => tool.functionDeclarations?.map(({ name }) => name) ?? []);
    expect(names?.sort()).toEqual([...EXTRACTION_AGENT.toolConfig.tools, 'complete_task'].sort());
    expect(JSON.stringify(contents)).toContain('Fix the build');
    expect(JSON.stringify(contents)).not.toContain('next step 3');
  });

  it('keeps secrets from the model and out of its suggestions', async () => {
    const secret = `sk-proj-${'a1B2c3D4e5'.repeat(5)}`;
    const lab = await extractionLab();
    const { server, places, record, run, put, read } = lab;
    const id = record({ prompts: tenPrompts(`Deploy with ${secret}`) });
    put(join(places.memoryDir, 'MEMORY.md'), `key: ${secret}\n`);
    server.replies(
      [callTool('read_session', { session_id: id }), callTool('read_file', { file_path: 'MEMORY.md' })],
      [callTool('grep_search', { pattern: 'key' })],
      [
        callTool('write_file', {
          file_path: extractionPatch(places, 'private'),
          content: newFilePatch(
            join(places.memoryDir, 'a.md'),
            `- ${secret.slice(0, 20)}${secret.slice(20)}`,
          ),
        }),
      ],
      [done('Done.')],
    );
    await run();
    const told = server.requests.slice(0, -1).map(({ body }) => JSON.stringify(body));
    expect(lab.answers().join()).toContain('Deploy with');
    expect(told.slice(0, 3).join()).not.toContain('a1B2c3D4e5a1B2c3D4e5');
    expect(read(extractionPatch(places, 'private'))).not.toContain('a1B2c3D4e5a1B2c3D4e5');
  });

  it('reads each version of a session once, whether or not it produced a suggestion', async () => {
    const { record, run, time, server } = await extractionLab([done('Nothing.')], [done('Nothing.')]);
    const id = record();
    expect(await run()).toMatchObject({ ran: true, suggestions: 0 });
    expect(await run()).toEqual({ ran: false, reason: 'not_due' });
    time.now += HOUR_MS;
    expect(await run()).toEqual({ ran: false, reason: 'nothing_new' });
    record({ id: 'ffffffff-aaaa-4bbb-8ccc-000000000009' });
    expect(await run()).toMatchObject({ ran: true, sessionIds: ['ffffffff-aaaa-4bbb-8ccc-000000000009'] });
    expect(JSON.stringify(server.lastRequest().body.contents)).toContain(`${id} (seen before`);
  });

  it('continues with another model when its own is unavailable', async () => {
    const { server, record, run } = await extractionLab();
    const id = record();
    server.replies(
      [apiError(404, 'no such model')],
      [callTool('read_session', { session_id: id })],
      [done('Nothing.')],
    );
    expect(await run()).toMatchObject({ outcome: 'completed' });
    expect(server.requests.map(({ model }) => model)).toEqual([
      'gemini-3-flash-preview',
      'gemini-2.5-flash',
      'gemini-2.5-flash',
    ]);
  });

  it('does nothing without sessions, and leaves no trace', async () => {
    const { run, places, record, server } = await extractionLab();
    record({ hoursAgo: 2 });
    record({ prompts: ['short'] });
    expect(await run()).toEqual({ ran: false, reason: 'nothing_new' });
    expect(existsSync(places.memoryDir)).toBe(false);
    expect(server.requests).toHaveLength(0);
  });

  it('overwrites nothing that waits for review', async () => {
    const { server, places, record, run, putPatch, putDraft, read } = await extractionLab();
    record();
    const pending = newFilePatch(join(places.memoryDir, 'MEMORY.md'), '- earlier');
    putPatch('private', pending);
    const draft = putDraft('mine', skillText('mine', 'As I edited it.'));
    server.replies(
      [
        callTool('write_file', {
          file_path: extractionPatch(places, 'private'),
          content: newFilePatch(join(places.memoryDir, 'new.md'), '- later'),
        }),
        callTool('write_file', { file_path: draft, content: skillText('mine', 'Mine now.') }),
      ],
      [done('Done.')],
    );
    expect(await run()).toMatchObject({ suggestions: 1 });
    expect(read(draft)).toContain('As I edited it.');
    const files = readdirSync(join(places.inboxDir, 'private'));
    expect(files).toEqual(['before-20261115100000.patch', 'extraction.patch']);
    expect(read(join(places.inboxDir, 'private', files[0] ?? ''))).toBe(pending);
  });

  it('asks the agent to correct unusable suggestions, and keeps the rest for the user to see', async () => {
    const { server, places, record, run } = await extractionLab();
    record();
    const file_path = extractionPatch(places, 'global');
    server.replies(
      [callTool('write_file', { file_path, content: 'no patch' })],
      [done('Done.')],
      [done('I will not.')],
      [done('Never.')],
    );
    expect(await run()).toMatchObject({ outcome: 'completed', suggestions: 1 });
    expect(JSON.stringify(server.requests[2]?.body.contents.at(-1))).toContain('cannot be used');
    expect(server.requests).toHaveLength(4);
    expect((await readEntries(places))[0]?.item.problem).toContain('line 1');
  });

  it('leaves no suggestion that the agent withdrew', async () => {
    const { server, places, record, run } = await extractionLab();
    record();
    const file_path = extractionPatch(places, 'global');
    server.replies(
      [callTool('write_file', { file_path, content: 'no patch' })],
      [done('Done.')],
      [callTool('write_file', { file_path, content: '\n' })],
      [done('Nothing then.')],
    );
    expect(await run()).toMatchObject({ suggestions: 0 });
    expect(await readEntries(places)).toEqual([]);
  });
});

describe('an extraction run ends', () => {
  it('after thirty turns and one to report in', async () => {
    const { server, record, run } = await extractionLab();
    const id = record();
    let page = 1;
    server.otherwise(() => [callTool('read_session', { session_id: id, from_message: page++ })]);
    expect(await run()).toMatchObject({ outcome: 'max_turns' });
    expect(server.requests).toHaveLength(31);
  });

  it('with the program, at once, and sessions the model has read are not sent again', async () => {
    const { server, record, run, places, time } = await extractionLab();
    const [one, two] = [record(), record()];
    const controller = new AbortController();
    server.replies(
      [callTool('read_session', { session_id: one })],
      [text('I '), waitUntil(new Promise(() => {}))],
    );
    const running = run({ signal: controller.signal });
    await server.waitForRequest(2);
    controller.abort();
    expect(await running).toMatchObject({ outcome: 'aborted' });
    expect(existsSync(places.lockFile)).toBe(false);
    const { sessions, runs } = readState(places.stateFile);
    expect(Object.keys(sessions)).toEqual([one]);
    expect(runs).toMatchObject([{ outcome: 'aborted', sessionIds: expect.arrayContaining([one, two]) }]);
    time.now += HOUR_MS;
    server.replies([done('Nothing.')]);
    expect(await run()).toMatchObject({ sessionIds: [two] });
  });

  it('when its time is over', async () => {
    const { server, record, run } = await extractionLab();
    record();
    server.replies([waitUntil(new Promise(() => {}))]);
    expect(await run({ timeLimitMs: 50 })).toMatchObject({ outcome: 'timeout' });
  });

  it('quietly when the model fails, and is not retried endlessly', async () => {
    const { server, record, run, time, notices } = await extractionLab();
    record();
    server.otherwise(() => [apiError(400, 'no')]);
    for (let count = 0; count < 3; count++) {
      expect(await run()).toMatchObject({ outcome: 'failed' });
      time.now += HOUR_MS;
    }
    expect(await run()).toEqual({ ran: false, reason: 'nothing_new' });
    expect(notices).toEqual([]);
  });

  it('before it begins while another process runs, or while too many suggestions wait for review', async () => {
    const { record, run, put, places, time, server } = await extractionLab();
    record();
    put(
      places.lockFile,
      JSON.stringify({ pid: 1, startedAt: new Date(time.now - 34 * 60_000).toISOString() }),
    );
    expect(await run()).toEqual({ ran: false, reason: 'locked' });
    for (let n = 0; n < 50; n++) put(join(places.inboxDir, 'private', `${n}.patch`), 'x');
    expect(await run()).toEqual({ ran: false, reason: 'inbox_full' });
    expect(server.requests).toHaveLength(0);
  });
});
