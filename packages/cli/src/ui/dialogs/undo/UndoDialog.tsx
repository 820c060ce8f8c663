/** What tools and commands changed, newest first, and the way back. */
import {
  loadSnapshots,
  messageOf,
  type SnapshotSummary,
  type UndoPreview,
  type UndoResult,
} from '@gemini-cli/core';
import { useEffect } from 'react';
import { innerWidth } from '../../primitives/frame-lines.js';
import { Pager } from '../../primitives/Pager.js';
import { Question } from '../../primitives/Question.js';
import { useLiveState } from '../../primitives/use-live-state.js';
import { cleanLine } from '../../text/clean.js';
import { wrapText } from '../../text/columns.js';
import { useLook } from '../../use-look.js';
import type { DialogProps, DialogServices } from '../dialog.js';
import { changeLines } from '../files/report-lines.js';

export interface UndoPort {
  list(): Promise<readonly SnapshotSummary[]>;
  preview(id: string): Promise<UndoPreview>;
  undo(id: string): Promise<UndoResult>;
}

export interface UndoProps {
  port?: UndoPort;
}

interface State {
  port?: UndoPort;
  list?: readonly SnapshotSummary[];
  preview?: { id: string; plan: UndoPreview } | undefined;
  message: string;
}

export function UndoDialog({ services, props, close }: DialogProps<UndoProps, UndoResult>) {
  const look = useLook();
  const { height, cwd } = services;
  const state = useLiveState<State>({ message: '' });
  const change = (part: Partial<State>) => state.set({ ...state.now, ...part });
  const attempt = (work: () => Promise<void>) =>
    work().catch((error: unknown) => change({ message: messageOf(error) }));
  // biome-ignore lint/correctness/useExhaustiveDependencies: read once
  useEffect(() => {
    void attempt(async () => {
      const port = props.port ?? (await openPort(services));
      change({ port, list: [...(await port.list())].reverse() });
    });
  }, []);

  const { port, list, preview, message } = state.now;
  const width = innerWidth(look);
  const problem = message
    ? wrapText(cleanLine(message), width).map((row) => look.paint(row, { color: look.theme.status.error }))
    : [];
  if (!port || !list || list.length === 0) {
    const lines = problem.length > 0 ? problem : [list ? 'Nothing was changed yet.' : 'Looking…'];
    return <Pager title="Undo" lines={lines} height={height} onClose={() => close()} />;
  }
  if (preview) {
    const { id, plan } = preview;
    const isReady = plan.steps.some(({ status }) => status === 'ready');
    return (
      <Question
        key="preview"
        title="Undo"
        content={[...problem, ...plan.steps.flatMap((step) => changeLines(look, step, cwd, width))]}
        question={isReady ? 'Bring these files back?' : 'There is nothing to bring back.'}
        choices={[
          { value: true, label: 'Yes', ...(!isReady && { disabled: true }) },
          { value: false, label: 'No (esc)' },
        ]}
        height={height}
        onSelect={(isSure) =>
          isSure
            ? void attempt(async () => {
                close(await port.undo(id));
              })
            : change({ preview: undefined, message: '' })
        }
        onCancel={() => change({ preview: undefined, message: '' })}
      />
    );
  }
  return (
    <Question
      title="Undo"
      hint={['Enter to look at it', 'Esc to close']}
      content={problem}
      choices={list.map((snapshot) => ({
        value: snapshot.id,
        label: cleanLine(snapshot.description || snapshot.toolName),
        detail: detailOf(snapshot),
        disabled: snapshot.undoneBy ? 'undone' : undefined,
      }))}
      height={height}
      onSelect={(id) =>
        void attempt(async () => change({ preview: { id, plan: await port.preview(id) }, message: '' }))
      }
      onCancel={() => close()}
    />
  );
}

function detailOf({ toolName, changes, startedAt }: SnapshotSummary): string {
  const count = `${changes.length} file${changes.length === 1 ? '' : 's'}`;
  const time = new Date(startedAt);
  return cleanLine(
    `${toolName}, ${count}${Number.isNaN(time.getTime()) ? '' : `, ${time.toLocaleString()}`}`,
  );
}

async function openPort({ config }: Pick<DialogServices, 'config'>): Promise<UndoPort> {
  if (!config) throw new Error('There is no session yet.');
  const { SnapshotEngine, previewOf } = await loadSnapshots();
  const engine = new SnapshotEngine({
    storeDir: config.storage.getSnapshotDir(),
    globalDir: config.storage.getGlobalGeminiDir(),
    roots: [...config.getWorkspaceContext().getDirectories()],
    maxBytes: config.parameters.undo.maxBytes,
  });
  return {
    list: async () => engine.list(),
    preview: (id) => previewOf(engine.preview(id)),
    undo: async (id) => engine.undo(id),
  };
}
