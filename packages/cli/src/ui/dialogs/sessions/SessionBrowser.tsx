/** Recorded conversations: find one, look at it, go on with it, name it, export it, delete it. */
import { messageOf, type SessionInfo } from '@gemini-cli/core';
import { useRef } from 'react';
import { isCommand } from '../../keys/bindings.js';
import type { Key } from '../../keys/key.js';
import { entryWindow } from '../../primitives/entry-window.js';
import { Frame } from '../../primitives/Frame.js';
import { innerHeight, innerWidth } from '../../primitives/frame-lines.js';
import { Pager } from '../../primitives/Pager.js';
import { Question } from '../../primitives/Question.js';
import { useDialogInput } from '../../primitives/use-dialog-input.js';
import { useField } from '../../primitives/use-field.js';
import { type LiveState, useLiveState } from '../../primitives/use-live-state.js';
import { cleanLine } from '../../text/clean.js';
import { cutText, wrapText } from '../../text/columns.js';
import { useLook } from '../../use-look.js';
import { type BrowserState, FIRST_STATE, type ListAction, listKey } from './browser-state.js';
import { arranged, nameOf, previewLines, type SessionPreview, sessionLines } from './session-list.js';

export interface SessionBrowserProps {
  sessions: readonly SessionInfo[];
  /** Rows it may take. */
  height?: number;
  onSelect(session: SessionInfo): void | Promise<void>;
  onDelete(session: SessionInfo): void | Promise<void>;
  /** Resolves with where it was written. */
  onExport(session: SessionInfo, file: string): Promise<string> | string;
  onRename?(session: SessionInfo, name: string): Promise<unknown>;
  onSearch?(words: string): Promise<readonly SessionInfo[]>;
  onPreview?(session: SessionInfo): Promise<SessionPreview>;
  onClose?(): void;
  age?(time: string): string;
  now?(): number;
}

export function SessionBrowser(props: SessionBrowserProps) {
  const look = useLook();
  const {
    sessions,
    height = USUAL_HEIGHT,
    onClose,
    age = (time) => time.slice(0, 10),
    now = Date.now,
  } = props;
  const state = useLiveState<BrowserState>(FIRST_STATE);
  const preview = useLiveState<SessionPreview>({ messages: [] });
  const field = useField();
  const change = (part: Partial<BrowserState>) => state.set({ ...state.now, ...part });
  const width = innerWidth(look);
  const listed = useArranged(sessions, state, now);
  const chosen = () => listed()[Math.min(state.now.index, listed().length - 1)];

  const attempt = async (work: () => unknown, done?: string) => {
    change({ isBusy: true, message: '' });
    try {
      await work();
      change({ isBusy: false, mode: 'list', message: done ?? '' });
    } catch (error) {
      change({ isBusy: false, message: messageOf(error) });
    }
  };
  const act = (action: ListAction) => {
    if (action === 'close') return onClose?.();
    if (action === 'search') return ask('search', state.now.query);
    const session = chosen();
    if (!session) return;
    const isOwn = session.isCurrentSession && (action === 'resume' || action === 'delete');
    if (isOwn)
      return change({
        message: `The current session cannot be ${action === 'resume' ? 'resumed' : 'deleted'}.`,
      });
    if (action === 'resume') void attempt(() => props.onSelect(session));
    else if (action === 'delete') change({ mode: 'delete', message: '' });
    else if (action === 'rename') ask('rename', session.summary ?? session.displayName);
    else if (action === 'export') ask('export', `session-${session.id.slice(0, 8)}.md`);
    else void show(session);
  };
  const ask = (mode: 'search' | 'rename' | 'export', text: string) => {
    field.set(cleanLine(text));
    change({ mode, message: '' });
  };
  const show = (session: SessionInfo) =>
    attempt(async () => {
      preview.set((await props.onPreview?.(session)) ?? { messages: [] });
    }).then(() => state.now.message === '' && change({ mode: 'preview' }));
  const answerField = () => {
    const text = field.text.trim();
    const session = chosen();
    const { mode } = state.now;
    if (mode === 'search') return void search(text);
    if (!session || text === '') return change({ mode: 'list' });
    if (mode === 'rename') void attempt(() => props.onRename?.(session, text), `Renamed to: ${text}`);
    else if (mode === 'export') void attempt(() => props.onExport(session, text), `Written to ${text}`);
  };
  const search = async (words: string) => {
    change({ query: words, index: 0 });
    if (words === '') return change({ found: undefined, mode: 'list' });
    await attempt(async () => change({ found: (await props.onSearch?.(words)) ?? byName(sessions, words) }));
  };

  const rows = innerHeight(look, height);
  const page = Math.max(1, rows - 2);
  const onKey = (key: Key): boolean => {
    const { mode, isBusy } = state.now;
    if (isBusy || mode === 'delete' || mode === 'preview') return false;
    if (mode === 'list') {
      const next = listKey(state.now, key, { count: listed().length, page });
      if (typeof next === 'object') state.set(next);
      else if (next) act(next);
      return next !== undefined;
    }
    if (isCommand(key, 'basic.cancel')) change({ mode: 'list', message: '' });
    else if (isCommand(key, 'basic.confirm')) answerField();
    else return field.handle(key);
    return true;
  };
  const { mode, message, query, sort, isReversed, period, found } = state.now;
  const isField = mode === 'search' || mode === 'rename' || mode === 'export';
  useDialogInput(
    { onKey, onPaste: (text) => isField && field.paste(text) },
    mode !== 'delete' && mode !== 'preview',
  );

  const session = chosen();
  if (mode === 'preview' && session)
    return (
      <Pager
        title="Session"
        lines={previewLines(look, session, preview.now, width)}
        height={height}
        onClose={() => change({ mode: 'list' })}
      />
    );
  if (mode === 'delete' && session)
    return (
      <Question
        title="Delete this session?"
        content={[...problemLines(message), ...wrapText(nameOf(session), width)]}
        choices={[
          { value: false, label: 'No, keep it (esc)' },
          { value: true, label: 'Yes, delete it for good' },
        ]}
        height={height}
        onSelect={(isSure) =>
          isSure
            ? void attempt(() => props.onDelete(session), 'Deleted.')
            : change({ mode: 'list', message: '' })
        }
        onCancel={() => change({ mode: 'list', message: '' })}
      />
    );

  function problemLines(text: string): string[] {
    return text
      ? wrapText(cleanLine(text), width).map((row) => look.paint(row, { color: look.theme.status.warning }))
      : [];
  }
  const list = listed();
  const drawn = field.draw({ width: width - LABELS.export.length - 2, placeholder: '' });
  const label = isField ? `${LABELS[mode]}: ` : '';
  const head = [
    cutText(
      [
        `${list.length} of ${sessions.length}`,
        `sort: ${sort}${isReversed ? ', reversed' : ''}`,
        ...(period === 'all' ? [] : [`period: ${period}`]),
        ...(found ? [`found: ${cleanLine(query)}`] : []),
      ].join(' · '),
      width,
    ),
    ...(isField ? [label + drawn.line] : []),
    ...problemLines(message),
  ];
  const index = Math.min(state.now.index, Math.max(0, list.length - 1));
  const draw = (at: number) => {
    const item = list[at];
    return item
      ? sessionLines(look, item, { width, isChosen: at === index, age: age(item.lastUpdated) })
      : [];
  };
  const body =
    list.length === 0
      ? [found ? 'Nothing was found.' : 'There are no sessions.']
      : entryWindow(look, { count: list.length, draw }, index, Math.max(1, rows - head.length));
  return (
    <Frame
      title="Sessions"
      hint={isField ? ['Enter to go on', 'Esc to go back'] : HINTS}
      lines={[...head, ...body]}
      height={height}
      caret={isField ? { row: 1, column: label.length + drawn.caretColumn } : undefined}
    />
  );
}

/** Sorted once for each order, not for each key. */
function useArranged(
  sessions: readonly SessionInfo[],
  state: LiveState<BrowserState>,
  now: () => number,
): () => readonly SessionInfo[] {
  const kept = useRef<{ key: readonly unknown[]; list: readonly SessionInfo[] } | undefined>(undefined);
  return () => {
    const { found, sort, isReversed, period } = state.now;
    const key = [found ?? sessions, sort, isReversed, period];
    if (!kept.current?.key.every((part, at) => part === key[at]))
      kept.current = { key, list: arranged(found ?? sessions, state.now, now()) };
    return kept.current.list;
  };
}

const USUAL_HEIGHT = 24;
const LABELS = { search: 'Search', rename: 'New name', export: 'Export to (.md .html .json)' } as const;
const HINTS = [
  'Enter to resume',
  'Esc to close',
  '/ search',
  'p look',
  's sort',
  'r reverse',
  'n rename',
  'e export',
  'x delete',
  'f period',
];

function byName(sessions: readonly SessionInfo[], words: string): SessionInfo[] {
  const wanted = words.toLowerCase();
  return sessions.filter(
    ({ id, displayName }) => id.startsWith(words) || displayName.toLowerCase().includes(wanted),
  );
}
