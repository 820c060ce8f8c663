/** Lists what tools and commands changed, newest first, to undo it. */
import type { SnapshotSummary, UndoPreview, UndoResult } from '@gemini-cli/core';
import { Text } from 'ink';
import { useState } from 'react';
import type { UndoTarget } from '../../../output/undo-text.js';
import { ErrorText } from '../../components/ErrorText.js';
import { Pager } from '../../components/Pager.js';
import { Question } from '../../components/Question.js';
import type { RadioItem } from '../../components/RadioButtonSelect.js';
import { useAction } from '../../components/use-action.js';
import { useLoaded } from '../../components/use-loaded.js';
import { cleanLine } from '../../text/clean.js';
import type { DialogProps } from '../dialog.js';
import { FileChanges } from '../files/FileChanges.js';
import { openUndoPort, type UndoPort } from './port.js';

export interface UndoProps {
  port?: UndoPort;
}

interface Preview extends UndoPreview {
  target: UndoTarget;
}

/** In the list beside the ids of single changes. */
const LAST_PROMPT = 'last prompt';

export function UndoDialog({ services, props, close }: DialogProps<UndoProps, UndoResult>) {
  const loaded = useLoaded(async () => {
    const port = props.port ?? (await openUndoPort(services));
    return { port, snapshots: [...(await port.list())].reverse(), lastPrompt: await port.lastPrompt() };
  });
  const [preview, setPreview] = useState<Preview>();
  const [marked, setMarked] = useState<string>();
  const opening = useAction();
  const nameOf = (toolName: string) =>
    services.config?.getToolRegistry().getTool(toolName)?.displayName ?? toolName;
  const { port, snapshots = [], lastPrompt = [] } = loaded.value ?? {};
  if (!port || snapshots.length === 0)
    return (
      <Pager title="Undo" onClose={() => close()}>
        <ErrorText text={loaded.problem} />
        {loaded.isLoading && <Text>Looking…</Text>}
        {port && <Text>Nothing was changed yet.</Text>}
      </Pager>
    );
  if (preview)
    return (
      <UndoQuestion
        preview={preview}
        cwd={services.cwd}
        onUndo={async () => close(await port.undo(preview.target))}
        onBack={() => setPreview(undefined)}
      />
    );
  return (
    <Question
      title="Undo"
      footer={{ primaryAction: 'Enter to preview', cancelAction: 'Esc to close' }}
      items={itemsOf(snapshots, lastPrompt, nameOf)}
      initial={marked}
      onHighlight={setMarked}
      isActive={!opening.isRunning}
      onSelect={(value) =>
        opening.run(async () => {
          const newest = lastPrompt.at(-1)?.id ?? 'last';
          const target: UndoTarget =
            value === LAST_PROMPT ? { id: newest, scope: 'prompt' } : { id: value, scope: 'only' };
          setPreview({ target, ...(await port.preview(target)) });
        })
      }
      onCancel={() => close()}
    >
      <ErrorText text={opening.problem} />
    </Question>
  );
}

interface UndoQuestionProps {
  preview: UndoPreview;
  cwd: string;
  onUndo(): Promise<void>;
  onBack(): void;
}

function UndoQuestion({ preview: { steps }, cwd, onUndo, onBack }: UndoQuestionProps) {
  const undoing = useAction();
  const isReady = steps.some(({ status }) => status === 'ready');
  return (
    <Question
      title="Undo"
      question={isReady ? 'Restore these files?' : 'There is nothing to restore.'}
      footer={{ primaryAction: 'Enter to select', cancelAction: 'Esc to go back' }}
      items={[
        { value: true, label: 'Yes', disabled: !isReady },
        { value: false, label: 'No (esc)' },
      ]}
      isActive={!undoing.isRunning}
      onSelect={(isSure) => (isSure ? undoing.run(onUndo) : onBack())}
      onCancel={onBack}
    >
      <FileChanges changes={steps} cwd={cwd} problem={undoing.problem} />
    </Question>
  );
}

/** Newest first, below everything of the last prompt where that is more than one change. */
function itemsOf(
  snapshots: readonly SnapshotSummary[],
  lastPrompt: readonly SnapshotSummary[],
  nameOf: (toolName: string) => string,
): RadioItem<string>[] {
  const files = new Set(lastPrompt.flatMap(({ changes }) => changes.map(({ path }) => path))).size;
  const turn = {
    value: LAST_PROMPT,
    label: 'Everything of the last prompt',
    detail: `${lastPrompt.length} changes, ${fileCount(files)}`,
  };
  return [
    ...(lastPrompt.length > 1 ? [turn] : []),
    ...snapshots.map((snapshot) => ({
      value: snapshot.id,
      label: cleanLine(snapshot.description || snapshot.toolName),
      detail: detailOf(snapshot, nameOf(snapshot.toolName)),
      disabled: snapshot.undoneBy ? 'undone' : undefined,
    })),
  ];
}

function fileCount(count: number): string {
  return `${count} file${count === 1 ? '' : 's'}`;
}

function detailOf({ changes, startedAt }: SnapshotSummary, toolName: string): string {
  const time = new Date(startedAt);
  return cleanLine(
    `${toolName}, ${fileCount(changes.length)}${Number.isNaN(time.getTime()) ? '' : `, ${time.toLocaleString()}`}`,
  );
}
