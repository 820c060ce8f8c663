import { describe, expect, it } from 'vitest';
import { GeminiCliError } from '../index.js';
import { lab } from '../testing/agent-lab.test-helper.js';

describe('stored sessions', () => {
  it('are listed and continued by id, by session() and as the latest', async () => {
    const { agent, model } = lab(['one', 'two', 'three', 'four']);
    const first = agent();
    const { sessionId } = await first.send('remember 42');
    await first.dispose();
    expect(await agent().listSessions()).toMatchObject([{ id: sessionId, firstUserMessage: 'remember 42' }]);
    const resumed = await agent().resumeSession(sessionId);
    expect(resumed.id).toBe(sessionId);
    expect(JSON.stringify(resumed.transcript)).toContain('remember 42');
    await resumed.send('and 43');
    await resumed.close();
    const again = agent().session({ sessionId });
    await again.initialize();
    await again.send('and 44');
    await again.close();
    expect(JSON.stringify(model.requests[2]?.contents)).toContain('and 43');
    const latest = await agent().resumeSession('latest');
    expect(latest.id).toBe(sessionId);
  });

  it('begins a new one under an id that is not stored, and refuses what cannot be one', async () => {
    const { agent } = lab(['one']);
    const id = crypto.randomUUID();
    const session = agent().session({ sessionId: id });
    expect(session.id).toBe(id);
    expect((await session.send('hi')).sessionId).toBe(id);
    for (const wrong of ['nothing', '', undefined, null, 1] as string[])
      await expect(agent().resumeSession(wrong), String(wrong)).rejects.toMatchObject({
        code: 'INVALID_SESSION_IDENTIFIER',
      });
    for (const sessionId of ['../x', '', null, 1] as string[])
      await expect(agent().session({ sessionId }).initialize(), String(sessionId)).rejects.toMatchObject({
        code: 'INVALID_SESSION_ID',
      });
  });

  it('leaves nothing on disk with persist: false', async () => {
    const { agent } = lab(['one']);
    const mine = agent({ persist: false });
    await mine.send('hi');
    await mine.dispose();
    expect(await agent().listSessions()).toEqual([]);
    await expect(agent().resumeSession('latest')).rejects.toBeInstanceOf(GeminiCliError);
  });

  it('records the answers of a model, and plays them', async () => {
    const { agent, folder } = lab(['recorded answer']);
    const mine = agent({ recordResponses: 'answers.jsonl' });
    await mine.send('hi');
    await mine.dispose();
    const { text } = await agent({ fakeResponses: `${folder}/answers.jsonl` }).send('hi');
    expect(text).toBe('recorded answer');
  });

  it('does not start in a folder that is not trusted, unless told to', async () => {
    const { agent, write, model } = lab(['careful']);
    write('GEMINI.md', 'Rules of a stranger.');
    await expect(agent({ trust: undefined } as never).send('hi')).rejects.toThrow(
      /trusted: .*"trust: true" if you trust it/,
    );
    await agent({ trust: false }).send('hi');
    expect(JSON.stringify(model.requests[0])).not.toContain('Rules of a stranger.');
  });
});
