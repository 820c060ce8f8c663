/** Guards the rings in docs/architecture.md: what the built program loads first. Needs the build. */
import { readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  isBuiltFrom,
  readBuiltChunks,
  staticChunks,
  staticClosure,
} from './architecture/built-chunks.test-helper.js';

const repo = join(import.meta.dirname, '../../..');

/** Libraries that must not be loaded before they are used. */
const HEAVY = [
  'ajv',
  'zod',
  '@xterm/headless',
  '@lydell/node-pty',
  'diff',
  'iconv-lite',
  'picomatch',
  'ink',
  '@opentelemetry',
  '@grpc',
  'google-auth-library',
  'js-yaml',
  'jsonc-parser',
  'smol-toml',
  'web-tree-sitter',
  'html-to-text',
  'react',
];

/**
 * Kilobytes of the files that a start reads. Every one costs each start time and memory, also when none of it runs: a part
 * that only some sessions need belongs behind `await import()`. Raise a number only with the reason in the commit.
 */
const BUDGET_KB: Readonly<Record<string, number>> = {
  'gemini.cjs': 28,
  'engine.cjs': 773,
  'processes.cjs': 6,
  'shell.cjs': 140,
  'servers.cjs': 60,
  'protocol.cjs': 520,
  'screen.cjs': 440,
};

describe('the built program', () => {
  const chunks = readBuiltChunks(join(repo, 'packages/cli/dist/meta.json'));
  const [, entry] = Object.entries(chunks).find(([path]) => path.endsWith('gemini.cjs')) ?? [];
  const entryInputs = Object.keys(entry?.inputs ?? {});

  it('starts without any library: version and help need the entry alone', () => {
    expect(entryInputs).not.toEqual([]);
    expect(entryInputs.filter((path) => !path.startsWith('packages/cli/src/'))).toEqual([]);
  });

  it('shows its first frame with the entry alone, which holds the lowest folders only', () => {
    const ring0 = /^packages\/cli\/src\/(?:boot|command-line|terminal)\//;
    expect(entryInputs.filter((path) => !ring0.test(path))).toEqual([]);
    expect(entry?.imports.filter(({ path, external }) => !external || path.startsWith('.'))).toEqual([]);
  });

  it('answers a prompt without loading a heavy library', () => {
    const inputs = staticClosure(chunks, (path) => path.endsWith('dist/main.cjs'));
    const loaded = inputs.filter((path) => HEAVY.some((name) => path.includes(`node_modules/${name}/`)));
    expect(loaded).toEqual([]);
    expect(inputs.filter((path) => path.includes('node_modules/'))).toEqual([]);
  });

  it.each(Object.entries(BUDGET_KB))('keeps %s within %i KB', (file, limit) => {
    const { size } = statSync(join(repo, 'packages/cli/dist', file));
    expect(size / 1000).toBeLessThanOrEqual(limit);
  });

  it('answers a prompt without reading shell commands, which are a pack of their own', () => {
    const inputs = staticClosure(chunks, isBuiltFrom('packages/cli/src/headless/run.ts'));
    expect(inputs.filter((path) => path.startsWith('packages/core/src/policy/shell/'))).toEqual([]);
  });

  it('answers a prompt without the client of MCP servers: it is loaded for the first server', () => {
    const engine = 'packages/core/src/engine/compose-mcp.ts';
    const inputs = staticClosure(chunks, (_path, chunk) => engine in chunk.inputs);
    const ofServers = inputs.filter((path) => path.startsWith('packages/core/src/mcp/'));
    expect(ofServers).toEqual([]);
  });

  it('starts an MCP server over stdio without the library of the protocol and the code of shell commands', () => {
    const isRead = isBuiltFrom('packages/core/src/mcp/create.ts');
    const inputs = staticClosure(chunks, isRead);
    expect(inputs).toContain('packages/core/src/mcp/transport/stdio.ts');
    expect(inputs.filter((path) => path.includes('node_modules/'))).toEqual([]);
    expect(inputs.filter((path) => path.startsWith('packages/core/src/policy/shell/'))).toEqual([]);
  });

  it('starts an MCP server from small packs, whose compiled code is kept', () => {
    const dist = join(repo, 'packages/cli/dist');
    const packs = ['engine', 'processes', 'servers', 'shared'].map((name) =>
      readFileSync(join(dist, `${name}.cjs`), 'latin1'),
    );
    const needed = staticChunks(chunks, isBuiltFrom('packages/core/src/mcp/create.ts'));
    const elsewhere = needed
      .map((path) => basename(path))
      .filter((name) => !packs.some((pack) => pack.includes(`"${name}":function(`)));
    expect(elsewhere).toEqual([]);
  });

  it('answers a prompt without anything of the screen', () => {
    const inputs = staticClosure(chunks, isBuiltFrom('packages/cli/src/headless/run.ts'));
    expect(inputs.filter((path) => path.startsWith('packages/cli/src/ui/'))).toEqual([]);
  });

  it('has a working screen without React, Ink, the reader of Markdown, grammars or tables of characters', () => {
    const inputs = staticClosure(chunks, isBuiltFrom('packages/cli/src/ui/run.ts'));
    const libraries = inputs.filter((path) => path.includes('node_modules/'));
    expect(libraries.filter((path) => !path.startsWith('node_modules/fzf/'))).toEqual([]);
    expect(inputs.filter((path) => path.endsWith('.tsx'))).toEqual([]);
  });
});
