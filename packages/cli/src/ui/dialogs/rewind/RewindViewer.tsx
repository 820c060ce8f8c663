/** Goes back to an earlier prompt: choose it, look at it, then say what goes back. */
import {
  type CheckpointServices,
  type FilesReport,
  messageOf,
  type RewindResult,
  type RewindTurn,
  type RewindWhat,
} from '@gemini-cli/core';
import { useEffect } from 'react';
import { isCommand } from '../../keys/bindings.js';
import { innerWidth } from '../../primitives/frame-lines.js';
import { Pager } from '../../primitives/Pager.js';
import { Question } from '../../primitives/Question.js';
import type { Choice } from '../../primitives/radio.js';
import { useLiveState } from '../../primitives/use-live-state.js';
import { cleanLine } from '../../text/clean.js';
import { wrapText } from '../../text/columns.js';
import { useLook } from '../../use-look.js';
import type { DialogProps } from '../dialog.js';
import { changeLines } from '../files/report-lines.js';
import { forwardItems, rewoundItems } from './done-items.js';
import { openedLines, turnDetail, turnLabel } from './turn-lines.js';

export type RewindPort = Pick<
  CheckpointServices['rewind'],
  'turns' | 'items' | 'preview' | 'rewindTo' | 'forward' | 'canGoForward'
>;

export interface RewindProps {
  port?: RewindPort;
}

export interface RewindDone {
  messageId: string;
  what: RewindWhat;
  result: RewindResult;
}

type Place = RewindTurn | 'forward' | 'stay';

type View = { name: 'turns' } | { name: 'opened' | 'what' | 'diff'; turn: RewindTurn };

interface State {
  port?: RewindPort;
  turns?: readonly RewindTurn[];
  view: View;
  files?: FilesReport;
  message: string;
  isBusy: boolean;
}

/** A rewind was taken back. */
export interface ForwardDone {
  forward: FilesReport;
}

export function RewindViewer({ services, props, close }: DialogProps<RewindProps, RewindDone | ForwardDone>) {
  const look = useLook();
  const { height, config, cwd } = services;
  const state = useLiveState<State>({ view: { name: 'turns' }, message: '', isBusy: false });
  const change = (part: Partial<State>) => state.set({ ...state.now, ...part });
  const attempt = async (work: () => Promise<void>) => {
    change({ isBusy: true, message: '' });
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
      const port = props.port ?? (await config?.getCheckpoints())?.rewind;
      if (!port) throw new Error('There is no conversation yet.');
      change({ port, turns: await port.turns() });
    });
  }, []);

  const { port, turns, view, files, message, isBusy } = state.now;
  const width = innerWidth(look);
  const problem = message
    ? wrapText(cleanLine(message), width).map((row) => look.paint(row, { color: look.theme.status.error }))
    : [];

  if (!port || !turns)
    return (
      <Pager
        title="Rewind"
        lines={isBusy ? ['Looking at the conversation…'] : problem}
        height={height}
        onClose={() => close()}
      />
    );
  if (view.name === 'opened')
    return (
      <Pager
        title="Rewind · this turn"
        lines={openedLines(look, port.items(view.turn.messageId), width)}
        height={height}
        hint={['Esc to go back', 'PageDown to scroll']}
        onClose={() => change({ view: { name: 'turns' } })}
      />
    );
  if (view.name === 'diff')
    return (
      <Pager
        title="Rewind · files"
        lines={[
          ...(files?.problem ? wrapText(cleanLine(files.problem), width) : []),
          ...(files?.steps ?? []).flatMap((step) => changeLines(look, step, cwd, width)),
        ]}
        height={height}
        hint={['Esc to go back', 'PageDown to scroll']}
        onClose={() => change({ view: { name: 'what', turn: view.turn } })}
      />
    );
  if (view.name === 'what') {
    const { turn } = view;
    const rewind = (what: RewindWhat) =>
      attempt(async () => {
        const result = await port.rewindTo(turn.messageId, what);
        for (const item of rewoundItems(result, what, cwd)) services.addItem(item);
        if (what !== 'files') services.setInput(result.text);
        close({ messageId: turn.messageId, what, result });
      });
    return (
      <Question<RewindWhat | 'nothing' | 'diff'>
        title="Rewind"
        content={[
          ...problem,
          ...wrapText(`Back to before: ${turnLabel(turn)}`, width),
          ...wrapText(turnDetail(turn), width),
        ]}
        choices={whatChoices(turn)}
        height={height}
        isActive={!isBusy}
        onSelect={(what) => {
          if (what === 'nothing') close();
          else if (what !== 'diff') void rewind(what);
          else
            void attempt(async () =>
              change({ files: await port.preview(turn.messageId), view: { name: 'diff', turn } }),
            );
        }}
        onCancel={() => change({ view: { name: 'turns' }, message: '' })}
      />
    );
  }
  const forward = () =>
    attempt(async () => {
      const forward = await port.forward();
      for (const item of forwardItems(forward, cwd)) services.addItem(item);
      close({ forward });
    });
  const listed: Choice<Place>[] = [
    ...turns.map((turn) => ({ value: turn, label: turnLabel(turn), detail: turnDetail(turn) })),
    ...(port.canGoForward
      ? [{ value: 'forward' as const, label: 'Forward again: take the last rewind back' }]
      : []),
    { value: 'stay', label: 'Stay at current position' },
  ];
  return (
    <Question<Place>
      title="Rewind"
      hint={['Enter to select', 'Esc to close', 'Right to open']}
      content={[...problem, ...(turns.length === 0 ? ['Nothing was said yet.'] : [])]}
      choices={listed}
      initial={turns.at(-1) ?? 'stay'}
      height={height}
      isActive={!isBusy}
      onSelect={(place) => {
        if (place === 'stay') close();
        else if (place === 'forward') void forward();
        else change({ view: { name: 'what', turn: place }, message: '' });
      }}
      onCancel={() => close()}
      onKey={(key, place) => {
        if (!isCommand(key, 'cursor.right') || typeof place !== 'object') return false;
        change({ view: { name: 'opened', turn: place } });
        return true;
      }}
    />
  );
}

/** Without changed files there is nothing to revert. */
export function whatChoices({
  canRevert,
}: Pick<RewindTurn, 'canRevert'>): Choice<RewindWhat | 'nothing' | 'diff'>[] {
  return [
    ...(canRevert ? [{ value: 'both' as const, label: 'Rewind conversation and revert code changes' }] : []),
    { value: 'conversation', label: 'Rewind conversation' },
    ...(canRevert
      ? [
          { value: 'files' as const, label: 'Revert code changes' },
          { value: 'diff' as const, label: 'Look at what would change' },
        ]
      : []),
    { value: 'nothing', label: 'Do nothing (esc)' },
  ];
}
