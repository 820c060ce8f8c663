import { describe, expect, it } from 'vitest';
import type { ExtensionCapabilities } from '../types.js';
import { checkCapabilities } from './check.js';
import { describeCapabilities } from './describe.js';
import { widened } from './widened.js';

describe('describeCapabilities', () => {
  it('says in one line per kind what an extension may use', () => {
    const given = rights({ read: ['~/notes'], network: ['api.example.com'], executables: ['git', 'jq'] });
    expect(describeCapabilities(given)).toEqual([
      'Reads files: ~/notes',
      'Writes files: none',
      'Network: api.example.com',
      'Runs programs: git, jq',
      'Everything else is denied to its hooks and MCP servers, and you are told what they tried.',
    ]);
  });

  it('says that an extension without capabilities is not restricted', () => {
    expect(describeCapabilities(undefined)).toEqual([
      'Its hooks and MCP servers are not restricted: it declares no capabilities.',
    ]);
  });

  it('shows characters that would forge another line', () => {
    const [line] = describeCapabilities(rights({ read: ['a\nNetwork: none\u001b[2K\u202e'] }));
    expect(line).toBe('Reads files: a\\nNetwork: none\\u{1B}[2K\\u{202E}');
  });
});

describe('checkCapabilities', () => {
  it('finds nothing wrong with plain rights, or with none', () => {
    const plain = rights({
      read: ['/srv/data', '~/notes', 'docs'],
      write: ['out'],
      network: ['api.example.com', '*.example.com:8443', '127.0.0.1:80', 'localhost'],
      executables: ['git', '/opt/my tools/run'],
    });
    expect(checkCapabilities(plain)).toEqual([]);
    expect(checkCapabilities(undefined)).toEqual([]);
  });

  it.each([
    ['files.read', rights({ read: ['/'] }), 'the whole file system'],
    ['files.write', rights({ write: ['~/'] }), 'the whole home folder'],
    ['files.read', rights({ read: ['src/**/*.ts'] }), 'not as a pattern'],
    ['files.write', rights({ write: ['../other'] }), 'leads out of the project'],
    ['network', rights({ network: ['https://api.example.com/v1'] }), 'is not a host name'],
    ['network', rights({ network: ['*'] }), 'matches no host'],
    ['network', rights({ network: ['*.com'] }), 'whole top-level domain'],
    ['network', rights({ network: ['api.*.com'] }), 'matches no host'],
    ['network', rights({ network: ['a b'] }), 'is not a host name'],
    ['executables', rights({ executables: ['git status'] }), 'name the program alone'],
    ['executables', rights({ executables: ['python*'] }), 'not a pattern'],
    ['executables', rights({ executables: ['/usr/bin/sudo'] }), 'gains no rights'],
  ])('names the entry of %s that is wrong: %o', (field, given, message) => {
    const [problem, ...more] = checkCapabilities(given);
    expect(more).toEqual([]);
    expect(problem).toMatchObject({ level: 'warning', key: `capabilities.${field}[0]` });
    expect(problem?.message).toContain(message);
  });
});

describe('widened', () => {
  const before = rights({
    read: ['~/notes'],
    write: ['${workspacePath}/out'],
    network: ['*.example.com', 'api.test:8443'],
    executables: ['git'],
  });

  it('finds nothing in the same rights, in fewer, and in parts of them', () => {
    expect(widened(before, before)).toEqual([]);
    expect(widened(before, rights({}))).toEqual([]);
    const parts = rights({
      read: ['~/notes/today', '${workspacePath}/out/', '~/notes/./a//b'],
      write: ['${workspacePath}/out/log.txt'],
      network: ['api.example.com:443', '*.eu.example.com', 'API.test:8443'],
    });
    expect(widened(before, parts)).toEqual([]);
  });

  it('names each right that is new', () => {
    const after = rights({
      read: ['~/notes', '~/notes-private'],
      write: ['~/notes'],
      network: ['example.com', 'api.test', '*.test'],
      executables: ['git', 'curl'],
    });
    expect(widened(before, after)).toEqual([
      'It reads ~/notes-private',
      'It writes ~/notes',
      'It connects to example.com',
      'It connects to api.test',
      'It connects to *.test',
      'It runs curl',
    ]);
  });

  it('does not let ".." hide a path outside of the old folder', () => {
    expect(widened(before, rights({ read: ['~/notes/../.ssh'] }))).toEqual(['It reads ~/notes/../.ssh']);
  });

  it('counts the end of all restrictions as more, and the beginning as less', () => {
    expect(widened(before, undefined)).toEqual([
      'It no longer declares capabilities: its hooks and MCP servers are not restricted.',
    ]);
    expect(widened(undefined, before)).toEqual([]);
  });
});

function rights(some: {
  read?: string[];
  write?: string[];
  network?: string[];
  executables?: string[];
}): ExtensionCapabilities {
  const { read = [], write = [], network = [], executables = [] } = some;
  return { files: { read, write }, network, executables };
}
