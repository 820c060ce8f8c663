/** What changed in a tool since it was approved, in words and as a difference. Loaded when one has changed. */
import { headOf } from '../../base/cut-text.js';
import { visibleName } from '../../base/visible-text.js';
import { unifiedDiff } from '../../tools/diff.js';
import type { ToolPin } from './pin-file.js';

export interface ToolChange {
  server: string;
  tool: string;
  /** Absent: the tool is new. */
  approved: ToolPin | undefined;
  /** As shown in the difference. */
  now: string;
}

/** For the question before a call. */
export async function describeChange({ tool, approved, now }: ToolChange): Promise<string> {
  if (!approved) return `"${tool}" is new: the server did not offer it when you approved its use.`;
  const head = `"${tool}" is not what you approved. `;
  if (approved.text === undefined) return `${head}The approved text was too long to keep.`;
  return `${head}The difference:\n${await difference(tool, approved.text, now)}`;
}

/** Of the changed lines in a message on stderr. */
const MAX_SHOWN = 2_000;

/** For a run without a user, which leaves the tool out: one line, as all messages there. */
export async function describeHeldBack({ server, tool, approved, now }: ToolChange): Promise<string> {
  const what = approved ? 'has changed since it was approved' : 'is new since its server was approved';
  const message =
    `MCP server "${visibleName(server)}": the tool "${visibleName(tool)}" ${what} and is left out. ` +
    'Start gemini in a terminal and use the tool to review it.';
  if (approved?.text === undefined) return message;
  const changed = (await difference('', approved.text, now))
    .split('\n')
    .filter((line) => /^[-+](?![-+]{2} )/.test(line))
    .map((line) => `${line[0]} ${line.slice(1).trim()}`)
    .join(' | ');
  return `${message} ${changed.length > MAX_SHOWN ? `${headOf(changed, MAX_SHOWN)}…` : changed}`;
}

async function difference(name: string, before: string, after: string): Promise<string> {
  const text = await unifiedDiff(name, before, after, { before: 'approved', after: 'now' });
  // There is no file that a head of the difference could name.
  return text.slice(Math.max(0, text.indexOf('--- ')));
}
