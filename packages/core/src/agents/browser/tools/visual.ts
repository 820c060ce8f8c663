/** Tools for what a snapshot does not show; only with `agents.browser.visualModel`. */
import { type BrowserToolEntry, browserTool } from '../browser-tool.js';
import instructionForModel from './analyze-screenshot.md';
import { object } from './input.js';

export const VISUAL_TOOLS: readonly BrowserToolEntry[] = [
  browserTool<{ instruction: string }>({
    name: 'analyze_screenshot',
    displayName: 'Analyze Screenshot',
    isReadOnly: true,
    schema: object({ instruction: { type: 'string' } }, ['instruction']),
    describe: ({ instruction }) => `Look at the page: ${instruction}`,
    run: async ({ instruction }, { session, host, signal }) => {
      const { visualModel = '' } = host.settings();
      const { page } = session.selected();
      const picture = await page.screenshot({ type: 'png', scale: 'css' });
      const answer = await host.look?.(
        {
          model: visualModel,
          systemInstruction: instructionForModel.trim(),
          instruction,
          png: picture.toString('base64'),
        },
        signal,
      );
      return {
        text: 'Another model looked at the page:',
        section: { heading: 'Answer', content: answer ?? '' },
      };
    },
  }),
  browserTool<{ x: number; y: number; dblClick?: boolean; includeSnapshot?: boolean }>({
    name: 'click_at',
    displayName: 'Click At',
    schema: object(
      {
        x: { type: 'number', minimum: 0 },
        y: { type: 'number', minimum: 0 },
        dblClick: { type: 'boolean' },
        includeSnapshot: { type: 'boolean' },
      },
      ['x', 'y'],
    ),
    describe: ({ x, y }) => `Click at ${x}, ${y}`,
    run: async ({ x, y, dblClick, includeSnapshot }, { session }) => {
      await session.act(({ page }) => page.mouse.click(x, y, { clickCount: dblClick ? 2 : 1 }));
      return { text: 'Successfully clicked at the coordinates', ...(includeSnapshot && { snapshot: true }) };
    },
  }),
];
