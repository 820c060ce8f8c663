/** Measures models: fallback, routing, and loop checks. */
import { performance } from 'node:perf_hooks';
import { apiError, text } from '../packages/test-utils/src/model-script.js';
import { runOnce } from './measure.js';
import type { Bench } from './rounds.js';
import { atMost, type Group, prompt, statOf, times } from './row.js';
import { withSettings } from './with-settings.js';

const CHUNKS = 2_000;
const DECISIONS = 2_000;
/** Small differences need more runs. */
const MIN_PAIRS = 25;

export const MODEL_ROWS: Record<string, Group> = {
  /** From the last byte of a 429 to the arrival of the request at the other provider's server. */
  async switch(bench) {
    const { OpenAiServer } = await import('../packages/test-utils/src/openai-server.js');
    const gaps: number[] = [];
    await withSettings({ model: { fallbacks: ['openai/x'] } }, async (settings) => {
      for (let run = -1; run < bench.runs; run++) {
        const openai = new OpenAiServer({});
        await openai.listen();
        let arrived = Number.NaN;
        openai.replies(() => {
          arrived = performance.now();
          return [text('Hello there.')];
        });
        try {
          const sample = await runOnce(
            programOf(bench),
            {
              args: ['-m', 'flash', '-p', 'hello'],
              replies: [[apiError(429, 'Too many requests', { retryDelay: '20s' })]],
              env: { ...settings, OPENAI_API_KEY: 'bench', OPENAI_BASE_URL: openai.url },
            },
            bench.place,
          );
          if (run >= 0) gaps.push(arrived - (sample.requests[0]?.answeredAt ?? Number.NaN));
        } finally {
          await openai.close();
        }
      }
    });
    return [
      {
        name: 'a 429 to the request at the next provider',
        unit: 'ms',
        program: statOf(gaps),
        ...atMost(50, 'ms'),
        note: 'with the connection and the reading of the request by the server',
      },
    ];
  },

  /** The same answer with the loop check and without. */
  async loops(bench) {
    const reply = Array.from({ length: CHUNKS }, (_, index) => text(proseOf(index)));
    const task = { args: prompt('talk'), replies: [reply] };
    const walls = { on: [] as number[], off: [] as number[] };
    const pairs = Math.max(bench.runs, MIN_PAIRS);
    await withSettings({ model: { disableLoopDetection: true } }, async (env) => {
      for (let run = -1; run < pairs; run++) {
        const order = run % 2 === 0 ? (['on', 'off'] as const) : (['off', 'on'] as const);
        for (const check of order) {
          const sample = await runOnce(
            programOf(bench),
            check === 'on' ? task : { ...task, env },
            bench.place,
          );
          if (run >= 0) walls[check].push(sample.wall);
        }
      }
    });
    return [
      {
        name: '2,000 chunks with the loop check',
        unit: 'ms',
        program: statOf(walls.on),
        base: { name: 'without', value: statOf(walls.off) },
        ...times(1.05),
        note: `${pairs} pairs of runs; the check alone, in this process: ${(await checkAlone()).toFixed(1)} ms`,
      },
    ];
  },

  async routing() {
    const { byComplexity } = await import('../packages/core/src/model/routing/strategies/by-rule.js');
    const { ModelAvailability } = await import('../packages/core/src/model/fallback/availability.js');
    const { FULL_ACCESS } = await import('../packages/core/src/model/catalog/resolutions.js');
    const { ModelCatalog } = await import('../packages/core/src/model/catalog.js');
    const { ApprovalMode } = await import('../packages/core/src/protocol/confirmation.js');
    const rule = byComplexity({
      catalog: new ModelCatalog(),
      access: () => FULL_ACCESS,
      availability: new ModelAvailability(() => 0),
      current: (model) => model,
    });
    const taken = Array.from({ length: DECISIONS }, (_, index) => {
      const words = PROMPTS[index % PROMPTS.length] ?? '';
      const started = performance.now();
      rule.route({
        requestedModel: 'auto',
        parts: [{ text: words }],
        history: [],
        approvalMode: ApprovalMode.DEFAULT,
        hasApprovedPlan: false,
        failedTurns: 0,
        promptId: 'p',
        signal: NEVER,
      });
      return 1000 * (performance.now() - started);
    });
    return [
      {
        name: 'local routing rule, one decision',
        unit: 'µs',
        program: statOf(taken),
        ...atMost(1_000, 'µs'),
        note: `${DECISIONS} decisions over ${PROMPTS.length} prompts, the longest ${Math.max(...PROMPTS.map(({ length }) => length))} characters; the first one ${taken[0]?.toFixed(0)} µs, the slowest ${Math.max(...taken).toFixed(0)} µs`,
      },
    ];
  },
};

const NEVER = new AbortController().signal;

const PROMPTS = [
  'run the tests',
  'go on',
  'Why does the build fail only in production? It is intermittent and I have no idea where to look.',
  'Rename getUser to fetchUser in every file of the project, then update src/a.ts, src/b.ts, docs/c.md and d.json.',
  `Look at this log:\n${'    at step (src/module-1.ts:10:5) and so on, one line after the other\n'.repeat(700)}`,
];

function programOf({ subjects }: Bench): string[] {
  return subjects.find(({ name }) => name === 'program')?.command ?? [];
}

/** Lines of prose, each different, in chunks of a few words. */
function proseOf(index: number): string {
  const end = index % 6 === 5 ? '.\n' : ' ';
  return `step ${index} of the plan follows the one before it${end}`;
}

/** The time of the check alone for the same chunks, in the first run of its code. */
async function checkAlone(): Promise<number> {
  const { LoopDetector } = await import('../packages/core/src/agent/loop-detection.js');
  const detector = new LoopDetector({ disabled: false });
  const started = performance.now();
  for (let index = 0; index < CHUNKS; index++) detector.onContent(proseOf(index));
  return performance.now() - started;
}
