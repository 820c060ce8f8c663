/** Carries out the user's decision about a suggestion of the memory inbox. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { InboxAction, InboxItem, InboxOutcome, MemoryInbox } from '@gemini-cli/core';
import type { DialogServices } from '../dialog.js';

export type InboxPort = Pick<MemoryInbox, 'list' | 'apply' | 'promoteSkill' | 'dismiss' | 'edit'>;

/** Undefined: nothing was done. */
export async function carryOut(
  port: InboxPort,
  { id, version, editableText }: InboxItem,
  action: InboxAction,
  editor: Pick<DialogServices, 'openEditor'>,
): Promise<InboxOutcome | undefined> {
  switch (action) {
    case 'apply':
      return port.apply(id, version);
    case 'promote_user':
      return port.promoteSkill(id, 'user', version);
    case 'promote_workspace':
      return port.promoteSkill(id, 'workspace', version);
    case 'dismiss':
      return port.dismiss(id, version);
    case 'edit': {
      const text = await inEditor(editableText, editor);
      return text === editableText ? undefined : port.edit(id, text, version);
    }
  }
}

/** Edits a copy: the suggestion in the inbox changes only by a decision. */
async function inEditor(text: string, { openEditor }: Pick<DialogServices, 'openEditor'>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'gemini-edit-'));
  const file = join(folder, 'suggestion.md');
  try {
    writeFileSync(file, text, { mode: 0o600 });
    await openEditor(file);
    return readFileSync(file, 'utf8');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
