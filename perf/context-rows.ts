/** Measures requests: many tools, token estimates, and the items a summary must keep. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atMost, exactly, type Group } from './row.js';

/** Core's sources are loaded only for these rows; the others measure the built program. */
export const CONTEXT_ROWS: Record<string, Group> = {
  /** The worst of all samples, each counted once by a real tokenizer. */
  async estimate() {
    const { estimateTextTokens } = await import('../packages/core/src/context/size/text-tokens.js');
    const { TOKEN_SAMPLES } = await import('../packages/core/src/context/size/token-samples.test-helper.js');
    const errors = TOKEN_SAMPLES.map(({ name, text, tokens }) => ({
      name,
      percent: 100 * (estimateTextTokens(text) / tokens - 1),
    })).sort((a, b) => Math.abs(b.percent) - Math.abs(a.percent));
    const [worst] = errors;
    if (!worst) throw new Error('no sample');
    return [
      {
        name: 'token estimate, worst of all samples',
        unit: '%',
        program: exactly(Math.abs(worst.percent)),
        ...atMost(10, '%'),
        note: `${worst.name}; then ${errors
          .slice(1, 4)
          .map(({ name, percent }) => `${name} ${percent.toFixed(1)} %`)
          .join(', ')}; ${errors.length} samples`,
      },
    ];
  },

  /** The whole engine against a scripted server, with 150 further tools. */
  async tools() {
    const { firstRequest } = await import('../packages/core/src/config/first-request.test-helper.js');
    const { serverTools } = await import(
      '../packages/core/src/tools/search-tools/generated-tools.test-helper.js'
    );
    const { bytes, tokens, declared } = await firstRequest({ tools: serverTools(150) });
    return [
      {
        name: 'first request, 150 more tools',
        unit: 'tokens',
        program: exactly(tokens),
        ...atMost(8_000, 'tokens'),
        note: `estimate; ${bytes.toLocaleString('en')} bytes, ${declared.length} tools declared`,
      },
    ];
  },

  /** Items that a summary must repeat, over generated conversations. */
  async compression() {
    const { compressGenerated } = await import(
      '../packages/core/src/context/compression/reinjection.test-helper.js'
    );
    const folder = mkdtempSync(join(tmpdir(), 'gemini-compress-'));
    try {
      const { kept, total, conversations } = await compressGenerated(folder);
      return [
        {
          name: 'compression, items not kept verbatim',
          unit: '%',
          program: exactly(100 * (1 - kept / total)),
          ...atMost(0, '%'),
          note: `${kept} of ${total} items of ${conversations} conversations kept`,
        },
      ];
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
