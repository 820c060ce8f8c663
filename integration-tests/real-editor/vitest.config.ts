/** `npm run test:ide`: apart from `npm test`, since it needs a real editor (scripts/code-server.mjs). */
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

const root = join(import.meta.dirname, '../..');

export default defineConfig({
  root,
  ssr: { resolve: { conditions: ['gemini-source', 'node', 'import', 'default'] } },
  test: {
    include: ['integration-tests/real-editor/walk.ts'],
    // A step needs the ones before it.
    bail: 1,
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
