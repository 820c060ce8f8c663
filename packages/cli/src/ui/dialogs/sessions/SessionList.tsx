/** The session list: its order, a field while one is open, and the rows. */
import type { SessionInfo } from '@gemini-cli/core';
import { Text } from 'ink';
import type { ReactNode } from 'react';
import { DialogFrame } from '../../components/DialogFrame.js';
import { ListWindow } from '../../components/ListWindow.js';
import { Paragraph, paragraphRows } from '../../components/Paragraph.js';
import { useRoom } from '../../components/Room.js';
import { useDialogKeys } from '../../components/use-dialog-keys.js';
import { cleanLine } from '../../text/clean.js';
import { useTheme } from '../../use-look.js';
import { type BrowserState, type ListAction, listKey } from './browser-state.js';
import { SessionRow, sessionRows } from './SessionRow.js';

export interface SessionListProps {
  /** In display order. */
  listed: readonly SessionInfo[];
  /** The number of all sessions, listed or not. */
  total: number;
  state: BrowserState;
  /** A field that gets the keys instead of the list. */
  field: ReactNode;
  age(time: string): string;
  isActive: boolean;
  onState(state: BrowserState): void;
  onAction(action: ListAction): void;
}

export function SessionList(props: SessionListProps) {
  return (
    <DialogFrame title="Sessions" footer={props.field ? FIELD_KEYS : LIST_KEYS}>
      <Contents {...props} />
    </DialogFrame>
  );
}

function Contents({ listed, total, state, field, age, isActive, onState, onAction }: SessionListProps) {
  const theme = useTheme();
  const { width, rows } = useRoom();
  const message = cleanLine(state.message);
  useDialogKeys(
    {
      onKey: (key) => {
        const next = listKey(state, key, { count: listed.length, page: Math.max(1, rows - 2) });
        if (typeof next === 'object') onState(next);
        else if (next) onAction(next);
        return next !== undefined;
      },
    },
    isActive && !field,
  );
  return (
    <>
      <Text wrap="truncate">{orderOf(state, listed.length, total)}</Text>
      {field}
      {message !== '' && <Paragraph text={message} color={theme.status.warning} />}
      {listed.length === 0 && <Text>{state.found ? 'Nothing was found.' : 'There are no sessions.'}</Text>}
      <ListWindow
        count={listed.length}
        rowsOf={(at) => (listed[at] ? sessionRows(listed[at]) : 0)}
        index={state.index}
        rows={rows - 1 - (field ? 1 : 0) - paragraphRows(message, width)}
      >
        {(at) =>
          listed[at] && (
            <SessionRow
              session={listed[at]}
              age={age(listed[at].lastUpdated)}
              isChosen={at === state.index}
            />
          )
        }
      </ListWindow>
    </>
  );
}

function orderOf(state: BrowserState, listed: number, total: number): string {
  const { sort, isReversed, period, found, query } = state;
  return [
    `${listed} of ${total}`,
    `sort: ${sort}${isReversed ? ', reversed' : ''}`,
    ...(period === 'all' ? [] : [`period: ${period}`]),
    ...(found ? [`found: ${cleanLine(query)}`] : []),
  ].join(' · ');
}

const FIELD_KEYS = { primaryAction: 'Enter to continue', cancelAction: 'Esc to go back' };
const LIST_KEYS = {
  primaryAction: 'Enter to resume',
  cancelAction: 'Esc to close',
  hints: ['/ search', 'p preview', 's sort', 'r reverse', 'n rename', 'e export', 'x delete', 'f period'],
};
