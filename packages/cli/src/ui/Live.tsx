/** What stands in place of the input: the open question, or the open dialog. */
import type { ToolCallStatus, ToolConfirmationOutcome, ToolConfirmationPayload } from '@gemini-cli/core';
import { type ReactNode, useEffect, useState } from 'react';
import type { FrameSize } from '../terminal/frame-writer.js';
import { AnswerHint } from './components/DialogFooter.js';
import { FailureBoundary } from './components/FailureBoundary.js';
import { RowsContext } from './components/Room.js';
import { ToolConfirmationMessage } from './confirm/ToolConfirmationMessage.js';
import type { DialogServices } from './dialogs/dialog.js';
import { loadDialog, loadedDialog } from './dialogs/registry.js';
import { type InkSurface, mountInk } from './ink-surface.js';
import { KeyScope, KeyScopeContext } from './keys/key-scope.js';
import type { InputRouter } from './keys/router.js';
import type { Look } from './look.js';
import type { OpenDialog, UiState } from './store/state.js';
import type { Store } from './store/store.js';
import { useSelector } from './store/use-selector.js';
import { LookContext, useLookWithGrammars } from './use-look.js';
import { StreamingContext } from './use-ui-state.js';

export { loadDialog } from './dialogs/registry.js';

export interface LiveProps {
  store: Store;
  router: InputRouter;
  look: () => Look;
  services: () => DialogServices;
  onAnswer(outcome: ToolConfirmationOutcome, payload?: ToolConfirmationPayload): void;
  onClose(result: unknown): void;
  /** Keys can be delivered to what is open. */
  onReady(): void;
  /** Keys wait until this is over. */
  onBusy(work: Promise<unknown>): void;
  /** What is open cannot be drawn. */
  onFailure(error: unknown): void;
}

/** Shows it until `unmount`. */
export function mountLive(props: LiveProps, size: () => FrameSize, onFrame: () => void): InkSurface {
  return mountInk(<Live {...props} />, { size, onFrame, hasAttributes: props.look().hasAttributes });
}

/** Of the state, each part by itself: what is not rendered anew is not laid out anew. */
function Live({ store, router, look, services, onAnswer, onClose, onReady, onBusy, onFailure }: LiveProps) {
  const currentLook = useLookWithGrammars(useSelector(store, look));
  const rows = useSelector(store, roomOf);
  const confirmation = useSelector(store, (state) => state.confirmation);
  const dialog = useSelector(store, (state) => state.dialog);
  const answerHint = useSelector(store, (state) => state.answerHint);
  const streaming = useSelector(store, (state) => state.streaming);
  const [keys] = useState(() => new KeyScope(router, { onReady, onBusy }));
  return (
    <KeyScopeContext.Provider value={keys}>
      <LookContext.Provider value={currentLook}>
        <AnswerHint.Provider value={answerHint}>
          <StreamingContext.Provider value={streaming}>
            <RowsContext.Provider value={confirmation ? questionRows(rows) : rows}>
              <FailureBoundary subject={confirmation ?? dialog} onFailure={onFailure}>
                {confirmation ? (
                  <Question store={store} services={services} onAnswer={onAnswer} />
                ) : dialog ? (
                  <DialogHost dialog={dialog} services={services()} onClose={onClose} onFailure={onFailure} />
                ) : null}
              </FailureBoundary>
            </RowsContext.Provider>
          </StreamingContext.Provider>
        </AnswerHint.Provider>
      </LookContext.Provider>
    </KeyScopeContext.Provider>
  );
}

/** Not yet begun: one of them is asked about, the others may be next. */
const WAITING: ReadonlySet<ToolCallStatus> = new Set(['validating', 'awaiting_approval', 'scheduled']);

function Question({ store, services, onAnswer }: Pick<LiveProps, 'store' | 'services' | 'onAnswer'>) {
  const state = useSelector(store, (all) => all);
  const { confirmation, pending } = state;
  if (!confirmation) return null;
  const waiting = pending.flatMap((item) =>
    item.type === 'tool_group' ? item.tools.filter(({ status }) => WAITING.has(status)) : [],
  );
  const index = waiting.findIndex(({ callId }) => callId === confirmation.callId);
  const { toolName, details, subagent } = confirmation;
  const displayName = waiting[index]?.displayName;
  return (
    <ToolConfirmationMessage
      confirmationDetails={details}
      toolName={toolName}
      displayName={displayName}
      subagent={subagent}
      cwd={state.facts.cwd}
      index={Math.max(0, index)}
      total={Math.max(1, waiting.length)}
      fullRows={roomOf(state)}
      onAnswer={onAnswer}
      openEditor={services().openEditor}
    />
  );
}

/** The component of a dialog is loaded when the dialog is opened for the first time. */
function DialogHost(props: {
  dialog: OpenDialog;
  services: DialogServices;
  onClose(result: unknown): void;
  onFailure(error: unknown): void;
}): ReactNode {
  const { dialog, services, onClose, onFailure } = props;
  const [loaded, setLoaded] = useState(() => ({ dialog, Dialog: loadedDialog(dialog.name) }));
  const Dialog = loaded.dialog === dialog ? loaded.Dialog : undefined;
  useEffect(() => {
    if (Dialog) return undefined;
    let isCurrent = true;
    loadDialog(dialog.name).then(
      (found) => isCurrent && setLoaded({ dialog, Dialog: found }),
      (error: unknown) => isCurrent && onFailure(error),
    );
    return () => {
      isCurrent = false;
    };
  }, [dialog, Dialog, onFailure]);
  if (!Dialog) return null;
  // The code that opened the dialog passed the props that fit it.
  return <Dialog services={services} props={dialog.props as never} close={onClose} />;
}

/** A question leaves a part of the conversation in sight. */
function questionRows(all: number): number {
  return Math.min(all, Math.max(8, Math.floor(all * 0.7)));
}

/** A frame that is higher than the screen would be squeezed into one line. */
function roomOf({ rows }: UiState): number {
  return Math.max(3, rows - 1);
}
