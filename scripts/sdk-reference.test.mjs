import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sdkReference } from './sdk-reference.mjs';

const root = join(import.meta.dirname, '..');
const types = join(root, 'packages/sdk/dist/types');

describe('the reference of the SDK', () => {
  it('is current: npm run build && npm run generate:sdk-reference', () => {
    expect(readFileSync(join(root, 'docs/sdk-reference.md'), 'utf8')).toBe(sdkReference(types));
  });

  it('holds every exported name with its whole declaration', () => {
    const page = sdkReference(types);
    expect(page).toMatch(/### GeminiCliAgent\n\n```ts\n[\s\S]*?class GeminiCliAgent \{[\s\S]*?\n\}\n```/);
    expect(page).toContain("    outcome: 'deny';\n    reason?: string;\n};\n```");
    expect(page).toMatch(/type AgentStreamEvent = \{[\s\S]*?type: 'error';[\s\S]*?\};\n```/);
    expect(page).not.toContain('private ');
    expect(page.match(/^### /gm).length).toBeGreaterThan(60);
    const fromCore = page.match(/^From `@gemini-cli/gm)?.length;
    expect(page.match(/^```ts$/gm).length + fromCore).toBe(page.match(/^### /gm).length);
  });
});
