import { expect, it } from 'vitest';
import { ApprovalMode } from '../protocol/confirmation.js';
import { serverTools } from '../tools/search-tools/generated-tools.test-helper.js';
import { firstRequest } from './first-request.test-helper.js';

it.each([
  { interactive: true, approvalMode: ApprovalMode.DEFAULT, plan: 'enter_plan_mode' },
  { interactive: true, approvalMode: ApprovalMode.YOLO, plan: undefined },
  { interactive: false, approvalMode: ApprovalMode.YOLO, plan: 'enter_plan_mode' },
])(
  'keeps the first request with every built-in tool small (interactive: $interactive, $approvalMode)',
  async ({ interactive, approvalMode, plan }) => {
    const { bytes, tokens, declared } = await firstRequest({ interactive, approvalMode });
    expect(declared.includes('ask_user')).toBe(interactive);
    expect(declared.find((name) => name.endsWith('_plan_mode'))).toBe(plan);
    expect(declared).toEqual(
      expect.arrayContaining(['read_file', 'replace', 'run_shell_command', 'write_todos']),
    );
    expect(bytes).toBeLessThanOrEqual(20_000);
    expect(tokens).toBeLessThanOrEqual(5_000);
  },
);

it('lists 150 more tools instead of declaring them, and stays small', async () => {
  const { tokens, declared } = await firstRequest({ tools: serverTools(150) });
  expect(declared).toContain('search_tools');
  expect(declared.filter((name) => name.startsWith('mcp_'))).toEqual([]);
  expect(tokens).toBeLessThanOrEqual(8_000);
});
