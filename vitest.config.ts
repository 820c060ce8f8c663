import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { tomlAsObject } from './scripts/toml-plugin.mjs';

/** Prose lives in Markdown files; the build inlines them, and so do the tests. */
const markdownAsText = {
  name: 'markdown-as-text',
  enforce: 'pre' as const,
  load(id: string) {
    if (!id.endsWith('.md')) return null;
    return `export default ${JSON.stringify(readFileSync(id, 'utf8'))};`;
  },
};

/** Packages of the workspace are used from source, without a build of them; the others as Vite does it by itself. */
const conditions = ['gemini-source', 'node', 'default'];

/** Names under which programs of others know our packages; they install them by an npm alias (docs/sdk.md). */
const source = (path: string) => new URL(`packages/${path}`, import.meta.url).pathname;
const printedNames = [
  { find: /^@google\/gemini-cli-sdk\/acp$/, replacement: source('sdk/src/acp/index.ts') },
  { find: /^@google\/gemini-(cli-)?sdk$/, replacement: source('sdk/src/index.ts') },
  { find: /^@google\/gemini-cli$/, replacement: source('cli/src/sdk.ts') },
];

/** A test's file name says its lane: `x.process.test.ts` starts processes, threads or pseudo terminals, or needs the build. */
const inProcess = 'packages/*/src/**/*.test.{ts,tsx}';
const startsProcesses = 'packages/*/src/**/*.process.test.{ts,tsx}';

/** `npm test` gives the fast lane a folder in memory. */
const { FAST_LANE_TMPDIR } = process.env;
const fastLaneEnv = FAST_LANE_TMPDIR ? { TMPDIR: FAST_LANE_TMPDIR } : {};

export default defineConfig({
  plugins: [markdownAsText, tomlAsObject],
  ssr: { resolve: { conditions } },
  resolve: { alias: printedNames },
  define: {
    __VERSION__: JSON.stringify('0.0.0-test'),
    __COMMIT__: JSON.stringify('abc1234'),
    __SANDBOX_IMAGE__: JSON.stringify('localhost/gemini-cli-sandbox:test'),
    __DEV__: 'true',
  },
  test: {
    maxWorkers: 2,
    coverage: {
      provider: 'v8',
      include: ['packages/*/src/**/*.{ts,tsx}'],
      reporter: ['text-summary', 'html'],
    },
    environment: 'node',
    // Transformed modules are kept on disk, by a hash of their text: the next run starts twice as fast.
    experimental: { fsModuleCache: true },
    pool: 'forks',
    // Time limits are there to end what hangs; on a busy machine a test may wait long for its turn.
    expect: { poll: { timeout: 10_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'fast',
          include: [inProcess],
          exclude: [startsProcesses],
          setupFiles: ['packages/test-utils/src/fast-lane.ts'],
          env: fastLaneEnv,
          // Files share loaded modules: loading them again for each file would take longer than the tests.
          isolate: false,
          testTimeout: 20_000,
          hookTimeout: 20_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'process',
          include: [startsProcesses, 'scripts/*.test.mjs'],
          testTimeout: 40_000,
          hookTimeout: 40_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['integration-tests/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
