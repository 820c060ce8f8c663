/** The two tools of the protocol: openDiff and closeDiff. */

import { isAbsolute } from 'node:path';
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

/** Shows diffs; `owner` is the program that asked. */
export interface DiffTools {
  openDiff(owner: object, filePath: string, newContent: string): Promise<void>;
  /** @returns what the editor holds at the end; undefined when no such diff is open */
  closeDiff(owner: object, filePath: string): Promise<string | undefined>;
}

const filePath = z
  .string()
  .refine(isAbsolute, 'must be an absolute path')
  .describe('The absolute path of the file.');

export function registerDiffTools(server: McpServer, diffs: DiffTools, owner: object): void {
  server.registerTool(
    'openDiff',
    {
      description:
        'Shows a proposed change of a file as an editable diff and returns at once. The answer comes as a notification: ide/diffAccepted or ide/diffRejected.',
      inputSchema: z.object({ filePath, newContent: z.string().describe('The whole proposed content.') }),
    },
    (call) =>
      answer(async () => {
        await diffs.openDiff(owner, call.filePath, call.newContent);
        return [];
      }),
  );
  server.registerTool(
    'closeDiff',
    {
      description: 'Closes the diff of a file and returns what it held, with the changes of the user.',
      inputSchema: z.object({
        filePath,
        suppressNotification: z
          .boolean()
          .optional()
          .describe('Deprecated and without effect: closing by this tool is not reported.'),
      }),
    },
    (call) =>
      answer(async () => {
        const content = await diffs.closeDiff(owner, call.filePath);
        return [{ type: 'text' as const, text: JSON.stringify({ content }) }];
      }),
  );
}

async function answer(work: () => Promise<{ type: 'text'; text: string }[]>) {
  try {
    return { content: await work() };
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return { isError: true, content: [{ type: 'text' as const, text }] };
  }
}
