/** One item of each kind, with the usual content. */
import type { AnsiOutput, SessionMetrics } from '@gemini-cli/core';
import type { HistoryItemWithoutId, StatsView, ToolView } from '../../history/item.js';

export const DIFF = `--- a/src/parse.ts
+++ b/src/parse.ts
@@ -10,4 +10,5 @@
 export function scan(input: string): number {
-  for (let i = 0; i <= input.length; i++) {
-    if (input[i] === ' ') return i;
+  for (let i = 0; i < input.length; i++) {
+    // stop at white space
+    if (/\\s/.test(input[i])) return i;
   }
@@ -40,2 +41,3 @@
 const a = 1;
+const b = "two";
 const c = 3;
`;

const tokens = {
  input: 12_345,
  prompt: 45_678,
  candidates: 2_345,
  total: 50_000,
  cached: 33_333,
  thoughts: 500,
  tool: 10,
};
const decisions = { accept: 3, reject: 0, modify: 1, auto_accept: 10 };

export const METRICS: SessionMetrics = {
  models: {
    'gemini-pro': {
      api: { totalRequests: 12, totalErrors: 1, totalLatencyMs: 43_210 },
      tokens,
      roles: { main: { totalRequests: 11, totalErrors: 1, totalLatencyMs: 40_000, tokens } },
    },
  },
  tools: {
    totalCalls: 14,
    totalSuccess: 13,
    totalFail: 1,
    totalDurationMs: 5_123,
    totalDecisions: decisions,
    byName: {
      read_file: { count: 10, success: 10, fail: 0, durationMs: 120, decisions },
      run_shell_command: { count: 4, success: 3, fail: 1, durationMs: 5_000, decisions },
    },
  },
  files: { totalLinesAdded: 120, totalLinesRemoved: 33 },
};

const STATS: StatsView = {
  sessionId: '3f2a8c1e-0000-4000-8000-123456789abc',
  metrics: METRICS,
  wallMs: 754_321,
  auth: 'Gemini API key',
  tier: 'Free',
  quota: [{ model: 'gemini-pro', usedPercent: 78, resetTime: 'in 3h' }],
};

export function tool(more: Partial<ToolView>): ToolView {
  return {
    callId: 'c1',
    name: 'read_file',
    displayName: 'ReadFile',
    description: 'a.txt',
    status: 'success',
    ...more,
  };
}

export function output(...lines: string[]): AnsiOutput {
  const plain = { bold: false, italic: false, underline: false, dim: false, inverse: false, fg: '', bg: '' };
  return lines.map((text) => (text === '' ? [] : [{ text, ...plain, fg: '2' }]));
}

export const EDIT = tool({
  name: 'replace',
  displayName: 'Edit',
  description: 'src/parse.ts',
  display: {
    fileDiff: DIFF,
    fileName: 'parse.ts',
    filePath: '/p/src/parse.ts',
    originalContent: '',
    newContent: '',
  },
});

export const ITEMS: readonly HistoryItemWithoutId[] = [
  { type: 'user', text: 'The parser drops the last character.\nFix it.' },
  { type: 'user_shell', text: 'ls -la' },
  { type: 'gemini', text: 'I will look at **the parser** first.\n\nThen:\n\n- read\n- fix' },
  { type: 'gemini', text: 'And so on.', isContinued: true },
  { type: 'thinking', subject: 'Reading', text: 'The bug report mentions the last character.' },
  {
    type: 'tool_group',
    tools: [
      tool({ display: 'Read 20 lines' }),
      tool({
        displayName: 'SearchText',
        description: "'scan(' in src",
        display: { summary: 'Found 3 matches', matches: [] },
      }),
      tool({ description: 'missing.txt', status: 'error', error: 'File not found: missing.txt' }),
      tool({ status: 'awaiting_approval', displayName: 'WriteFile', description: 'b.ts' }),
      tool({ status: 'cancelled', displayName: 'WriteFile', description: 'c.ts' }),
      tool({ status: 'scheduled', displayName: 'Shell', description: 'sleep 1' }),
    ],
  },
  { type: 'tool_group', tools: [EDIT] },
  {
    type: 'tool_group',
    tools: [
      tool({
        displayName: 'Shell',
        description: 'npm test',
        status: 'executing',
        display: output(...Array.from({ length: 20 }, (_, index) => `line ${index + 1}`), ''),
      }),
    ],
  },
  {
    type: 'tool_group',
    tools: [
      tool({
        displayName: 'WriteTodos',
        description: '',
        display: {
          todos: [
            { description: 'Find the bug', status: 'completed' },
            { description: 'Fix the loop', status: 'in_progress' },
            { description: 'Write a test', status: 'pending' },
            { description: 'Rewrite all', status: 'cancelled' },
            { description: 'Release', status: 'blocked' },
          ],
        },
      }),
      tool({
        displayName: 'codebase_investigator',
        description: 'Find callers',
        status: 'executing',
        display: {
          isSubagentProgress: true,
          agentName: 'codebase_investigator',
          recentActivity: [
            { type: 'thought', content: 'Looking at callers' },
            { type: 'tool', content: 'grep scan(', status: 'completed' },
            { type: 'tool', content: 'read src/a.ts', status: 'running' },
          ],
        },
      }),
    ],
  },
  { type: 'info', text: 'Something to know.' },
  { type: 'warning', text: 'The folder is not trusted.' },
  {
    type: 'error',
    text: '[API Error: 429 Too many requests]',
    advice: 'Quota used up. Wait, or switch models with /model; /stats model shows usage.',
  },
  { type: 'hint', text: 'Press ? for shortcuts.' },
  { type: 'compression', isPending: true },
  { type: 'compression', isPending: false, status: 'COMPRESSED', originalTokens: 123_456, newTokens: 3_456 },
  { type: 'compression', isPending: false, status: 'NOOP' },
  { type: 'model_change', model: 'gemini-flash', reason: 'quota' },
  { type: 'stats', stats: STATS },
  { type: 'model_stats', metrics: METRICS },
  { type: 'tool_stats', metrics: METRICS },
  {
    type: 'about',
    about: {
      version: '1.2.3',
      commit: 'abc123',
      model: 'gemini-pro',
      sandbox: 'no sandbox',
      os: 'linux',
      auth: 'API key',
    },
  },
  {
    type: 'help',
    help: {
      commands: [
        { name: 'help', altNames: ['?'], description: 'shows this' },
        {
          name: 'chat',
          description: 'saved chats',
          subCommands: [{ name: 'list', description: 'all of them' }],
        },
      ],
      keys: [{ keys: 'Ctrl+C', action: 'cancels' }],
    },
  },
  {
    type: 'list',
    title: 'Tools',
    empty: 'No tools.',
    rows: [
      { name: 'ReadFile', note: 'read_file', detail: 'Reads a file.', status: 'success' },
      { name: 'Shell', status: 'error' },
    ],
  },
  { type: 'list', title: 'Skills', empty: 'No skills.', rows: [] },
  { type: 'markdown', text: '## Title\n\n1. one' },
  { type: 'quit', stats: STATS, resume: '3f2a8c1e', notes: ['The worktree is still there.'] },
  { type: 'quit' },
];
