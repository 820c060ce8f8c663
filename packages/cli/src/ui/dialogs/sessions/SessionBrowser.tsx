/** Browses recorded conversations: search, read, resume, rename, export and delete them. */
import { messageOf, type SessionInfo } from '@gemini-cli/core';
import { type ReactNode, useMemo, useState } from 'react';
import { ErrorText } from '../../components/ErrorText.js';
import { Pager } from '../../components/Pager.js';
import { Paragraph } from '../../components/Paragraph.js';
import { Question } from '../../components/Question.js';
import { TextField } from '../../components/TextField.js';
import { useAction } from '../../components/use-action.js';
import { isCommand } from '../../keys/bindings.js';
import { cleanLine } from '../../text/clean.js';
import { type BrowserState, FIRST_STATE, type ListAction, type Mode } from './browser-state.js';
import { SessionDetails } from './SessionDetails.js';
import { SessionList } from './SessionList.js';
import { arranged, nameOf, type SessionPreview } from './session-order.js';

export interface SessionBrowserProps {
  sessions: readonly SessionInfo[];
  onSelect(session: SessionInfo): void | Promise<void>;
  onDelete(session: SessionInfo): void | Promise<void>;
  /** Resolves with the written path. */
  onExport(session: SessionInfo, file: string): Promise<string> | string;
  onRename?(session: SessionInfo, name: string): Promise<unknown>;
  onSearch?(words: string): Promise<readonly SessionInfo[]>;
  onPreview?(session: SessionInfo): Promise<SessionPreview>;
  onClose?(): void;
  age?(time: string): string;
  now?(): number;
}

type Change = Partial<BrowserState>;

export function SessionBrowser(props: SessionBrowserProps) {
  const { sessions, onClose, age = (time) => time.slice(0, 10), now = Date.now } = props;
  const [state, setState] = useState(FIRST_STATE);
  const { mode, found, sort, isReversed, period } = state;
  const change = (part: Change) => setState((last) => ({ ...last, ...part }));
  const toList = () => change({ mode: 'list', message: '' });
  const action = useAction();
  const listed = useMemo(
    () => arranged(found ?? sessions, { sort, isReversed, period }, now()),
    [found, sessions, sort, isReversed, period, now],
  );
  const index = Math.max(0, Math.min(state.index, listed.length - 1));
  const session = listed[index];

  const run = (work: () => Promise<Change>) => {
    change({ message: '' });
    action.run(async () => change(await work().catch((error) => ({ message: messageOf(error) }))));
  };
  const resume = async (chosen: SessionInfo): Promise<Change> => {
    await props.onSelect(chosen);
    return {};
  };
  const preview = async (chosen: SessionInfo): Promise<Change> => ({
    mode: 'preview',
    preview: (await props.onPreview?.(chosen)) ?? { messages: [] },
  });
  const search = async (words: string): Promise<Change> => ({
    mode: 'list',
    query: words,
    index: 0,
    found: words === '' ? undefined : ((await props.onSearch?.(words)) ?? byName(sessions, words)),
  });
  const rename = async (chosen: SessionInfo, name: string): Promise<Change> => {
    await props.onRename?.(chosen, name);
    return { mode: 'list', message: `Renamed to: ${name}` };
  };
  const exportTo = async (chosen: SessionInfo, file: string): Promise<Change> => {
    await props.onExport(chosen, file);
    return { mode: 'list', message: `Written to ${file}` };
  };
  const remove = async (chosen: SessionInfo): Promise<Change> => {
    await props.onDelete(chosen);
    return { mode: 'list', message: 'Deleted.', found: found?.filter(({ id }) => id !== chosen.id) };
  };
  const act = (name: ListAction) => {
    const done = session?.isCurrentSession ? NOT_WITH_CURRENT[name] : undefined;
    if (name === 'close') onClose?.();
    else if (name === 'search') change({ mode: 'search', message: '' });
    else if (!session) return;
    else if (done) change({ message: `The current session cannot be ${done}.` });
    else if (name === 'resume') run(() => resume(session));
    else if (name === 'preview') run(() => preview(session));
    else change({ mode: name, message: '' });
  };

  if (session && mode === 'preview')
    return (
      <Pager title="Session" onClose={toList}>
        <SessionDetails session={session} preview={state.preview} />
      </Pager>
    );
  if (session && mode === 'delete')
    return (
      <Question
        title="Delete this session?"
        items={[
          { value: false, label: 'No, keep it (esc)' },
          { value: true, label: 'Yes, delete it for good' },
        ]}
        isActive={!action.isRunning}
        onSelect={(isSure) => (isSure ? run(() => remove(session)) : toList())}
        onCancel={toList}
      >
        <ErrorText text={state.message} />
        <Paragraph text={nameOf(session)} />
      </Question>
    );
  const field = (label: string, initial: string, onSubmit: (text: string) => void) => (
    <TextField
      key={label}
      label={`${label}: `}
      initial={cleanLine(initial)}
      onSubmit={(text) => onSubmit(text.trim())}
      onKey={(key) => {
        const isCancel = isCommand(key, 'basic.cancel');
        if (isCancel) toList();
        return isCancel;
      }}
    />
  );
  const sessionField = (label: string, initial: string, work: typeof rename) =>
    field(label, initial, (text) => (session && text !== '' ? run(() => work(session, text)) : toList()));
  const fields: Partial<Record<Mode, ReactNode>> = {
    search: field('Search', state.query, (words) => run(() => search(words))),
    rename: sessionField('New name', session?.summary ?? session?.displayName ?? '', rename),
    export: sessionField('Export to (.md .html .json)', `session-${session?.id.slice(0, 8)}.md`, exportTo),
  };
  return (
    <SessionList
      listed={listed}
      total={sessions.length}
      state={{ ...state, index }}
      field={fields[mode]}
      age={age}
      isActive={!action.isRunning}
      onState={setState}
      onAction={act}
    />
  );
}

const NOT_WITH_CURRENT: Partial<Record<ListAction, string>> = { resume: 'resumed', delete: 'deleted' };

function byName(sessions: readonly SessionInfo[], words: string): SessionInfo[] {
  const wanted = words.toLowerCase();
  return sessions.filter(
    ({ id, displayName }) => id.startsWith(words) || displayName.toLowerCase().includes(wanted),
  );
}
