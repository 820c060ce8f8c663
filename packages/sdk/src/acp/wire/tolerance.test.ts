import { describe, expect, it } from 'vitest';
import { tolerated } from './tolerance.js';

const opened = (params: unknown, method = 'session/new') => tolerated({ id: 1, method, params });

describe('a request for a session', () => {
  it('may leave out what would be empty', () => {
    expect(opened({ cwd: '/a' })).toMatchObject({ params: { cwd: '/a', mcpServers: [] } });
    expect(opened({ cwd: '/a', mcpServers: {} })).toMatchObject({ params: { mcpServers: [] } });
    const servers = [
      { name: 'a', command: 'x' },
      { name: 'b', type: 'sse', url: 'u' },
      { name: 'c', url: 'u' },
    ];
    expect(opened({ mcpServers: servers }, 'session/load')).toMatchObject({
      params: {
        mcpServers: [
          { name: 'a', command: 'x', args: [], env: [] },
          { name: 'b', type: 'sse', url: 'u', headers: [] },
          { name: 'c', type: 'http', url: 'u', headers: [] },
        ],
      },
    });
  });

  it('may have variables and headers as an object', () => {
    const servers = [
      { name: 'a', command: 'x', args: ['-v'], env: { A: 'b' } },
      { name: 'b', type: 'http', url: 'u', headers: { H: 'v' } },
    ];
    expect(opened({ mcpServers: servers })).toMatchObject({
      params: {
        mcpServers: [
          { args: ['-v'], env: [{ name: 'A', value: 'b' }] },
          { headers: [{ name: 'H', value: 'v' }] },
        ],
      },
    });
  });

  it('stays as it is where it is complete, or is none', () => {
    const complete = {
      mcpServers: [{ name: 'a', command: 'x', args: [], env: [{ name: 'A', value: 'b' }] }],
    };
    expect(opened(structuredClone(complete))).toMatchObject({ params: complete });
    for (const message of [
      { method: 'session/prompt', params: { prompt: [] } },
      { method: 'session/new', params: [] },
      { method: 'session/new' },
      { method: 'session/new', params: { mcpServers: ['x', null, 7] } },
      [],
      null,
      'text',
    ])
      expect(tolerated(structuredClone(message))).toEqual(message);
  });
});
