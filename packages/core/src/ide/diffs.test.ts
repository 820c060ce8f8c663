import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { editor, until } from './ide-client.test-helper.js';

describe('a diff', () => {
  it('is opened after the one before it was answered', async () => {
    const { client, companion, cwd } = await editor();
    await client.connect();
    const first = client.openDiff(join(cwd, 'a'), '1');
    const second = client.openDiff(join(cwd, 'b'), '2');
    await companion.shownDiff();
    expect(companion.opened).toHaveLength(1);
    await companion.accept('changed');
    expect(await first.answer).toEqual({ status: 'accepted', content: 'changed' });
    expect((await companion.shownDiff()).filePath).toBe(join(cwd, 'b'));
    await companion.reject();
    expect(await second.answer).toEqual({ status: 'rejected' });
  });

  it('that waits is never opened when it is closed before', async () => {
    const { client, companion, cwd } = await editor();
    await client.connect();
    const first = client.openDiff(join(cwd, 'a'), '1');
    const second = client.openDiff(join(cwd, 'b'), '2');
    await companion.shownDiff();
    expect(await second.close()).toBeUndefined();
    expect(await first.close()).toBe('1');
    expect(companion.opened.map(({ content }) => content)).toEqual(['1']);
  });

  it.each([
    ['JSON', { text: '{"content":"new"}' }, 'new'],
    ['plain text', { text: 'new text' }, 'new text'],
    ['a JSON file as plain text', { text: '{"name":"x","content":"y"}' }, '{"name":"x","content":"y"}'],
    ['a number as plain text', { text: '7' }, '7'],
    ['an empty object', { text: '{}' }, undefined],
    ['an empty content', { text: '{"content":""}' }, ''],
    ['JSON without a content', { text: '{"content":null}' }, undefined],
    ['nothing', {}, undefined],
    ['an error', { text: 'no such diff', isError: true }, undefined],
  ])('is closed with %s', async (_what, answer, content) => {
    const { client, companion, cwd } = await editor({ closeAnswer: () => answer });
    await client.connect();
    const diff = client.openDiff(join(cwd, 'a'), '1');
    await companion.shownDiff();
    expect(await diff.close()).toBe(content);
  });

  it('is not answered by what the user said late about an earlier diff of the same file', async () => {
    let closed = 0;
    const closeAnswer = (content: string) => (++closed === 1 ? {} : { text: JSON.stringify({ content }) });
    const { client, companion, cwd } = await editor({ closeAnswer });
    await client.connect();
    const path = join(cwd, 'a');
    const first = client.openDiff(path, 'first');
    await companion.shownDiff();
    expect(await first.close()).toBeUndefined();
    const second = client.openDiff(path, 'second');
    await companion.tell('ide/diffAccepted', { filePath: path, content: 'first, changed' });
    await until(() => companion.opened.length === 2);
    await companion.accept('second, changed');
    expect(await second.answer).toEqual({ status: 'accepted', content: 'second, changed' });
  });

  it('has no content any more when the editor is gone', async () => {
    const { client, companion, cwd } = await editor();
    await client.connect();
    const diff = client.openDiff(join(cwd, 'a'), '1');
    await companion.shownDiff();
    companion.kill();
    expect(await diff.close()).toBeUndefined();
  });
});
