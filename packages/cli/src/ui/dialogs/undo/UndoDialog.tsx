/** Lists what tools and commands changed, newest first, to undo it. */
import type { SnapshotSummary, UndoPreview, UndoResult } from '@gemini-cli/core';
import { Text } from 'ink';
import { useState } from 'react';
import { ErrorText } from '../../components/ErrorText.js';
import { Pager } from '../../components/Pager.js';
import { Question } from '../../components/Question.js';
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
  id: string;
}

export function UndoDialog({ services, props, close }: DialogProps<UndoProps, UndoResult>) {
  const loaded = useLoaded(async () => {
    const port = props.port ?? (await openUndoPort(services));
    return { port, snapshots: [...(await port.list())].reverse() };
  });
  const [preview, setPreview] = useState<Preview>();
  const [marked, setMarked] = useState<string>();
  const opening = useAction();
  const { port, snapshots = [] } = loaded.value ?? {};
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
        onUndo={async () => close(await port.undo(preview.id))}
        onBack={() => setPreview(undefined)}
      />
    );
  return (
    <Question
      title="Undo"
      footer={{ primaryAction: 'Enter to preview', cancelAction: 'Esc to close' }}
      items={snapshots.map((snapshot) => ({
        value: snapshot.id,
        label: cleanLine(snapshot.description || snapshot.toolName),
        detail: detailOf(snapshot),
        disabled: snapshot.undoneBy ? 'undone' : undefined,
      }))}
      initial={marked}
      onHighlight={setMarked}
      isActive={!opening.isRunning}
      onSelect={(id) => opening.run(async () => setPreview({ id, ...(await port.preview(id)) }))}
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

function detailOf({ toolName, changes, startedAt }: SnapshotSummary): string {
  const count = `${changes.length} file${changes.length === 1 ? '' : 's'}`;
  const time = new Date(startedAt);
  return cleanLine(
    `${toolName}, ${count}${Number.isNaN(time.getTime()) ? '' : `, ${time.toLocaleString()}`}`,
  );
}
