/** Questions for tests, as core puts them on the bus. */
import {
  type ToolCallConfirmationDetails,
  ToolConfirmationOutcome,
  type ToolEditConfirmationDetails,
  type ToolExecuteConfirmationDetails,
} from '@gemini-cli/core';

const {
  ProceedOnce,
  ProceedAlways,
  ProceedAlwaysAndSave,
  ProceedAlwaysTool,
  ProceedAlwaysServer,
  ModifyWithEditor,
  Cancel,
} = ToolConfirmationOutcome;
const onConfirm = async () => {};

export function editDetails(changes: Partial<ToolEditConfirmationDetails> = {}): ToolEditConfirmationDetails {
  return {
    type: 'edit',
    title: 'Confirm Edit: a.txt',
    fileName: 'a.txt',
    filePath: '/project/a.txt',
    fileDiff: '--- a.txt\tCurrent\n+++ a.txt\tProposed\n@@ -1,1 +1,1 @@\n-old line\n+new line\n',
    originalContent: 'old line\n',
    newContent: 'new line\n',
    offeredOutcomes: [ProceedOnce, ProceedAlways, ProceedAlwaysAndSave, ModifyWithEditor, Cancel],
    onConfirm,
    ...changes,
  };
}

export function execDetails(
  changes: Partial<ToolExecuteConfirmationDetails> = {},
): ToolExecuteConfirmationDetails {
  return {
    type: 'exec',
    title: 'Confirm Shell Command',
    command: 'git status && rm -r build',
    rootCommand: 'git, rm',
    rootCommands: ['git', 'rm'],
    offeredOutcomes: [ProceedOnce, ProceedAlways, ProceedAlwaysAndSave, Cancel],
    onConfirm,
    ...changes,
  };
}

export const MCP_DETAILS: ToolCallConfirmationDetails = {
  type: 'mcp',
  title: 'Confirm MCP Tool',
  serverName: 'weather',
  toolName: 'forecast',
  toolDisplayName: 'forecast',
  toolArgs: { city: 'Paris', days: 3 },
  toolDescription: 'Says what the weather will be.',
  offeredOutcomes: [ProceedOnce, ProceedAlwaysTool, ProceedAlwaysServer, ProceedAlwaysAndSave, Cancel],
  onConfirm,
};

export const INFO_DETAILS: ToolCallConfirmationDetails = {
  type: 'info',
  title: 'Confirm Web Fetch',
  prompt: 'Sum up https://example.com/a',
  urls: ['https://example.com/a'],
  offeredOutcomes: [ProceedOnce, ProceedAlways, ProceedAlwaysAndSave, Cancel],
  onConfirm,
};

export const SANDBOX_DETAILS: ToolCallConfirmationDetails = {
  type: 'sandbox_expansion',
  title: 'Confirm More Than The Sandbox',
  command: 'npm install',
  rootCommand: 'npm',
  additionalPermissions: { network: true, fileSystem: { read: ['/etc/npmrc'], write: ['/home/u/.npm'] } },
  offeredOutcomes: [ProceedOnce, ProceedAlways, ProceedAlwaysAndSave, Cancel],
  onConfirm,
};

export const PLAN_DETAILS: ToolCallConfirmationDetails = {
  type: 'exit_plan_mode',
  title: 'Plan',
  planPath: '/plans/p.md',
  offeredOutcomes: [ProceedOnce, Cancel],
  onConfirm,
};
