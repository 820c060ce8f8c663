/** Rewinds to an earlier prompt: choose it, read it, then choose what to rewind. */
import type { CheckpointServices, FilesReport, RewindResult, RewindTurn, RewindWhat } from '@gemini-cli/core';
import { Text } from 'ink';
import { useState } from 'react';
import { ErrorText } from '../../components/ErrorText.js';
import { Pager } from '../../components/Pager.js';
import { useLoaded } from '../../components/use-loaded.js';
import type { DialogProps } from '../dialog.js';
import { FileChanges } from '../files/FileChanges.js';
import { forwardItems, rewoundItems } from './done-items.js';
import { OpenedTurn } from './OpenedTurn.js';
import { RewindQuestion } from './RewindQuestion.js';
import { TurnList } from './TurnList.js';

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

/** The last rewind was undone. */
export interface ForwardDone {
  forward: FilesReport;
}

type View =
  | { name: 'list'; turn?: RewindTurn }
  | { name: 'opened' | 'question'; turn: RewindTurn }
  | { name: 'files'; turn: RewindTurn; files: FilesReport };

export function RewindViewer({ services, props, close }: DialogProps<RewindProps, RewindDone | ForwardDone>) {
  const { config, cwd, addItem, setInput } = services;
  const loaded = useLoaded(async () => {
    const port = props.port ?? (await config?.getCheckpoints())?.rewind;
    if (!port) throw new Error('There is no conversation yet.');
    return { port, turns: await port.turns() };
  });
  const [view, setView] = useState<View>({ name: 'list' });
  if (!loaded.value)
    return (
      <Pager title="Rewind" onClose={() => close()}>
        {loaded.isLoading ? <Text>Looking at the conversation…</Text> : <ErrorText text={loaded.problem} />}
      </Pager>
    );
  const { port, turns } = loaded.value;
  const goForward = async () => {
    const forward = await port.forward();
    for (const item of forwardItems(forward, cwd)) addItem(item);
    close({ forward });
  };
  const rewind = async ({ messageId }: RewindTurn, what: RewindWhat) => {
    const result = await port.rewindTo(messageId, what);
    for (const item of rewoundItems(result, what, cwd)) addItem(item);
    if (what !== 'files') setInput(result.text);
    close({ messageId, what, result });
  };
  const { turn } = view;
  if (!turn || view.name === 'list')
    return (
      <TurnList
        turns={turns}
        initial={turn}
        canGoForward={port.canGoForward}
        onSelect={(chosen) => setView({ name: 'question', turn: chosen })}
        onOpen={(chosen) => setView({ name: 'opened', turn: chosen })}
        onForward={goForward}
        onClose={() => close()}
      />
    );
  const toList = () => setView({ name: 'list', turn });
  switch (view.name) {
    case 'opened':
      return (
        <Pager key="opened" title="Rewind · this turn" footer={BACK} onClose={toList}>
          <OpenedTurn items={port.items(turn.messageId)} />
        </Pager>
      );
    case 'files':
      return (
        <Pager
          key="files"
          title="Rewind · files"
          footer={BACK}
          onClose={() => setView({ name: 'question', turn })}
        >
          <FileChanges changes={view.files.steps} problem={view.files.problem} cwd={cwd} />
        </Pager>
      );
    case 'question':
      return (
        <RewindQuestion
          turn={turn}
          onRewind={(what) => rewind(turn, what)}
          onPreview={async () => setView({ name: 'files', turn, files: await port.preview(turn.messageId) })}
          onBack={toList}
          onClose={() => close()}
        />
      );
  }
}

const BACK = { cancelAction: 'Esc to go back' };
