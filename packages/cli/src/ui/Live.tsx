/** What stands in place of the input: the open question, or the open dialog. */
import type { ToolCallStatus, ToolConfirmationOutcome, ToolConfirmationPayload } from '@gemini-cli/core';
import { type ReactNode, useEffect, useState } from 'react';
import type { FrameSize } from '../terminal/frame-writer.js';
import { AnswerHint } from './components/DialogFooter.js';
import { RowsContext } from './components/Room.js';
import { ToolConfirmationMessage } from './confirm/ToolConfirmationMessage.js';
import type { DialogServices } from './dialogs/dialog.js';
import { type AnyDialog, loadDialog } from './dialogs/registry.js';
import { type InkSurface, mountInk } from './ink-surface.js';
import { KeyScope, KeyScopeContext } from './keys/key-scope.js';
import type { InputRouter } from './keys/router.js';
import type { Look } from './look.js';
import type { OpenDialog, UiState } from './store/state.js';
import type { Store } from './store/store.js';
import { useSelector } from './store/use-selector.js';
import { LookContext } from './use-look.js';
import { StreamingContext } from './use-ui-state.js';

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
}

/** Shows it until `unmount`. */
export function mountLive(props: LiveProps, size: () => FrameSize, onFrame: () => void): InkSurface {
  return mountInk(<Live {...props} />, { size, onFrame, hasAttributes: props.look().hasAttributes });
}

function Live({ store, router, look, services, onAnswer, onClose, onReady, onBusy }: LiveProps) {
  const state = useSelector(store, (all) => all);
  const [keys] = useState(() => new KeyScope(router, { onReady, onBusy }));
  return (
    <KeyScopeContext.Provider value={keys}>
      <LookContext.Provider value={look()}>
        <AnswerHint.Provider value={state.answerHint}>
          <StreamingContext.Provider value={state.streaming}>
            <RowsContext.Provider value={state.confirmation ? questionRows(state) : roomOf(state)}>
              {state.confirmation ? (
                <Question state={state} services={services} onAnswer={onAnswer} />
              ) : state.dialog ? (
                <DialogHost dialog={state.dialog} services={services()} onClose={onClose} />
              ) : null}
            </RowsContext.Provider>
          </StreamingContext.Provider>
        </AnswerHint.Provider>
      </LookContext.Provider>
    </KeyScopeContext.Provider>
  );
}

/** Not yet begun: one of them is asked about, the others may be next. */
const WAITING: ReadonlySet<ToolCallStatus> = new Set(['validating', 'awaiting_approval', 'scheduled']);

function Question({
  state,
  services,
  onAnswer,
}: Pick<LiveProps, 'services' | 'onAnswer'> & { state: UiState }) {
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
}): ReactNode {
  const { dialog, services, onClose } = props;
  const [loaded, setLoaded] = useState<{ dialog: OpenDialog; Dialog: AnyDialog }>();
  useEffect(() => {
    let isCurrent = true;
    void loadDialog(dialog.name).then((Dialog) => {
      if (isCurrent) setLoaded({ dialog, Dialog });
    });
    return () => {
      isCurrent = false;
    };
  }, [dialog]);
  if (loaded?.dialog !== dialog) return null;
  // The code that opened the dialog passed the props that fit it.
  return <loaded.Dialog services={services} props={dialog.props as never} close={onClose} />;
}

/** A question leaves a part of the conversation in sight. */
function questionRows(state: UiState): number {
  const all = roomOf(state);
  return Math.min(all, Math.max(8, Math.floor(all * 0.7)));
}

/** A frame that is higher than the screen would be squeezed into one line. */
function roomOf({ rows }: UiState): number {
  return Math.max(3, rows - 1);
}
