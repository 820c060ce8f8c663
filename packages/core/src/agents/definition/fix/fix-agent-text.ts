/** Rewrites an agent file of another program so that it loads here. Rights never grow: what cannot be read is dropped. */
import { basename } from 'node:path';
import { isObject } from '../../../base/objects.js';
import { isClaudeFormat } from '../claude-format.js';
import { kindOf, parseAgentFile, problemText } from '../parse-agent-file.js';
import { readBrokenHeader } from './broken-header.js';
import { fixLocalFields } from './fix-local.js';
import type { FixNotes } from './fix-notes.js';
import { fixRemoteFields } from './fix-remote.js';
import { transformBody } from './transform-body.js';

export type AgentFix =
  | { status: 'valid' }
  /** What was changed, one line each; `losses` deserve the user's attention. */
  | { status: 'fixed'; text: string; changes: string[]; losses: string[] }
  | { status: 'not_fixable'; reason: string };

export async function fixAgentText(text: string, file: string): Promise<AgentFix> {
  const source = { kind: 'user' as const, file };
  const before = await parseAgentFile(text, source);
  if (!before.problem && before.warnings.length === 0) return { status: 'valid' };
  const header = await readBrokenHeader(text);
  const notes: FixNotes = { changes: [...header.changes], losses: [] };
  const isRemote = header.list !== undefined || kindOf(header.data) === 'remote';
  let body = header.body;
  let fields: unknown;
  if (isRemote) {
    const items = header.list ?? [header.data];
    const fixed = items.map((item) => fixRemoteFields(isObject(item) ? item : {}, notes));
    fields = header.list ? fixed : fixed[0];
  } else {
    const local = fixLocalFields(header.data, { body, fileName: basename(file, '.md') }, notes);
    fields = header.losesTools ? withoutTools(local, notes) : local;
    if (isClaudeFormat(header.data)) {
      body = transformBody(header.body);
      if (body !== header.body)
        notes.changes.push('In the text, names of tools and files are those used here.');
    }
  }
  const fixed = await write(fields, body, text);
  const after = await parseAgentFile(fixed, source);
  if (!after.problem) return { status: 'fixed', text: fixed, ...notes };
  return { status: 'not_fixable', reason: problemText(after.problem) };
}

/** A limit that could not be read must not become the right to all tools. */
function withoutTools(fields: Record<string, unknown>, notes: FixNotes): Record<string, unknown> {
  if (fields['tools'] !== undefined) return fields;
  notes.losses.push('The agent has no tools: its list of tools is outside the header. Move it there.');
  return { ...fields, tools: [] };
}

/** With the line ends of the file; the body stays byte for byte unless it was changed. */
async function write(fields: unknown, body: string, original: string): Promise<string> {
  const { CORE_SCHEMA, dump } = await import('js-yaml');
  const end = /^[^\n]*\r\n/.test(original) ? '\r\n' : '\n';
  const header = `---\n${dump(fields, { schema: CORE_SCHEMA, lineWidth: -1, noRefs: true })}---\n`;
  return header.replaceAll('\n', end) + body;
}
