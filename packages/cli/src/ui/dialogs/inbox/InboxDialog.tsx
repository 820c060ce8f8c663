/** What auto memory suggests: look at each suggestion, then take it, change it, or throw it away. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type InboxAction,
  type InboxGroup,
  type InboxItem,
  type MemoryInbox,
  messageOf,
} from '@gemini-cli/core';
import { useEffect } from 'react';
import type { Look } from '../../look.js';
import { innerWidth } from '../../primitives/frame-lines.js';
import { Pager } from '../../primitives/Pager.js';
import { Question } from '../../primitives/Question.js';
import { useLiveState } from '../../primitives/use-live-state.js';
import { cleanLine, cleanText } from '../../text/clean.js';
import { wrapText } from '../../text/columns.js';
import { narrower } from '../../text/narrow.js';
import { diffLines } from '../../tools/diff.js';
import { useLook } from '../../use-look.js';
import type { DialogProps, DialogServices } from '../dialog.js';

export type InboxPort = Pick<MemoryInbox, 'list' | 'apply' | 'promoteSkill' | 'dismiss' | 'edit'>;

export interface InboxProps {
  port?: InboxPort;
}

interface State {
  port?: InboxPort;
  groups?: readonly InboxGroup[];
  item?: InboxItem | undefined;
  message: string;
  isBusy: boolean;
}

const LABELS: Readonly<Record<InboxAction, string>> = {
  promote_user: 'Move to Global',
  promote_workspace: 'Move to Project',
  apply: 'Apply',
  edit: 'Edit',
  dismiss: 'Dismiss',
};

export function InboxDialog({ services, props, close }: DialogProps<InboxProps>) {
  const look = useLook();
  const { height, config } = services;
  const state = useLiveState<State>({ message: '', isBusy: false });
  const change = (part: Partial<State>) => state.set({ ...state.now, ...part });
  const attempt = async (work: () => Promise<void>) => {
    change({ isBusy: true });
    try {
      await work();
    } catch (error) {
      change({ message: messageOf(error) });
    }
    change({ isBusy: false });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: read once
  useEffect(() => {
    void attempt(async () => {
      const port = props.port ?? (await config?.loadMemoryInbox());
      if (!port) throw new Error('The memory is not known before the program has started.');
      change({ port, groups: await port.list() });
    });
  }, []);

  const { port, groups, item, message, isBusy } = state.now;
  const width = innerWidth(look);
  const said = message ? wrapText(cleanLine(message), width) : [];
  if (!port || !groups || groups.length === 0) {
    const lines = [...said, ...(groups ? ['The inbox is empty.'] : isBusy ? ['Looking…'] : [])];
    return <Pager title="Memory inbox" lines={lines} height={height} onClose={() => close()} />;
  }
  if (item) {
    const run = (action: InboxAction) =>
      attempt(async () => {
        const outcome = await carryOut(port, item, action, services);
        if (!outcome) return;
        change({
          message: outcome.message,
          item: outcome.ok ? outcome.item : item,
          groups: await port.list(),
        });
      });
    return (
      <Question
        key={item.id + item.version}
        title={cleanLine(item.title)}
        note={cleanLine(item.subtitle)}
        hint={['Enter to select', 'Esc to go back', 'PageDown to scroll']}
        content={[...said, ...itemLines(look, item, width)]}
        choices={item.actions.map((value) => ({ value, label: LABELS[value] }))}
        height={height}
        isActive={!isBusy}
        onSelect={(action) => void run(action)}
        onCancel={() => change({ item: undefined, message: '' })}
      />
    );
  }
  return (
    <Question
      key="list"
      title="Memory inbox"
      hint={['Enter to look at it', 'Esc to close']}
      content={said}
      choices={groups.flatMap(({ title, items }) =>
        items.map((entry) => ({
          value: entry,
          label: `${title}: ${cleanLine(entry.title)}`,
          detail: `${entry.problem === undefined ? '' : 'invalid · '}${cleanLine(entry.subtitle)}`,
        })),
      )}
      height={height}
      onSelect={(entry) => change({ item: entry, message: '' })}
      onCancel={() => close()}
    />
  );
}

function itemLines(look: Look, { problem, preview, isDiff, files }: InboxItem, width: number): string[] {
  const { paint, theme } = look;
  const inner = narrower(look, look.width - width);
  const body = isDiff ? diffLines({ fileDiff: preview, fileName: files[0] ?? 'memory.md' }, inner) : [];
  return [
    ...(problem
      ? wrapText(cleanLine(problem), width).map((row) => paint(row, { color: theme.status.warning }))
      : []),
    ...(body.length > 0 ? body : wrapText(cleanText(preview), width)),
  ];
}

/** Undefined: nothing was done. */
async function carryOut(
  port: InboxPort,
  { id, version, editableText }: InboxItem,
  action: InboxAction,
  editor: Pick<DialogServices, 'openEditor'>,
) {
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

/** A copy of its own: what waits in the inbox changes only by a decision. */
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
