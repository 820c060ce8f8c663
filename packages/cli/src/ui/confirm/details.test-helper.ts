/** Questions for tests, as core puts them on the bus. */
import { type ConfirmationView, ToolConfirmationOutcome } from '@gemini-cli/core';

const {
  ProceedOnce,
  ProceedAlways,
  ProceedAlwaysAndSave,
  ProceedAlwaysTool,
  ProceedAlwaysServer,
  ModifyWithEditor,
  Cancel,
} = ToolConfirmationOutcome;
type EditView = Extract<ConfirmationView, { type: 'edit' }>;
type ExecView = Extract<ConfirmationView, { type: 'exec' }>;

export function editDetails(changes: Partial<EditView> = {}): EditView {
  return {
    type: 'edit',
    title: 'Confirm Edit: a.txt',
    fileName: 'a.txt',
    filePath: '/project/a.txt',
    fileDiff: '--- a.txt\tCurrent\n+++ a.txt\tProposed\n@@ -1,1 +1,1 @@\n-old line\n+new line\n',
    originalContent: 'old line\n',
    newContent: 'new line\n',
    offeredOutcomes: [ProceedOnce, ProceedAlways, ProceedAlwaysAndSave, ModifyWithEditor, Cancel],
    ...changes,
  };
}

export function execDetails(changes: Partial<ExecView> = {}): ExecView {
  return {
    type: 'exec',
    title: 'Confirm Shell Command',
    command: 'git status && rm -r build',
    rootCommand: 'git, rm',
    rootCommands: ['git', 'rm'],
    offeredOutcomes: [ProceedOnce, ProceedAlways, ProceedAlwaysAndSave, Cancel],
    ...changes,
  };
}

export const MCP_DETAILS: ConfirmationView = {
  type: 'mcp',
  title: 'Confirm MCP Tool',
  serverName: 'weather',
  toolName: 'forecast',
  toolDisplayName: 'forecast',
  toolArgs: { city: 'Paris', days: 3 },
  toolDescription: 'Says what the weather will be.',
  offeredOutcomes: [ProceedOnce, ProceedAlwaysTool, ProceedAlwaysServer, ProceedAlwaysAndSave, Cancel],
};

export const INFO_DETAILS: ConfirmationView = {
  type: 'info',
  title: 'Confirm Web Fetch',
  prompt: 'Sum up https://example.com/a',
  urls: ['https://example.com/a'],
  offeredOutcomes: [ProceedOnce, ProceedAlways, ProceedAlwaysAndSave, Cancel],
};

export const SANDBOX_DETAILS: ConfirmationView = {
  type: 'sandbox_expansion',
  title: 'Confirm More Than The Sandbox',
  command: 'npm install',
  rootCommand: 'npm',
  additionalPermissions: { network: true, fileSystem: { read: ['/etc/npmrc'], write: ['/home/u/.npm'] } },
  offeredOutcomes: [ProceedOnce, ProceedAlways, ProceedAlwaysAndSave, Cancel],
};

export const PLAN_DETAILS: ConfirmationView = {
  type: 'exit_plan_mode',
  title: 'Plan',
  planPath: '/plans/p.md',
  offeredOutcomes: [ProceedOnce, Cancel],
};
