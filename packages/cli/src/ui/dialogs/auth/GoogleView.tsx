/** Waits for the sign-in with Google: in the browser, or by a code that is typed here. Esc gives up. */
import { messageOf } from '@gemini-cli/core';
import { useEffect, useRef } from 'react';
import { isCommand } from '../../keys/bindings.js';
import { Frame } from '../../primitives/Frame.js';
import { innerWidth } from '../../primitives/frame-lines.js';
import { useSpinner } from '../../primitives/Spinner.js';
import { useDialogInput } from '../../primitives/use-dialog-input.js';
import { useField } from '../../primitives/use-field.js';
import { useLiveState } from '../../primitives/use-live-state.js';
import { cleanLine } from '../../text/clean.js';
import { breakText, wrapText } from '../../text/columns.js';
import { useLook } from '../../use-look.js';
import type { DialogServices } from '../dialog.js';
import type { AuthPorts, SignInPrompts } from './ports.js';

export interface GoogleViewProps {
  height: number;
  services: Pick<DialogServices, 'openUrl' | 'addItem'>;
  ports: AuthPorts;
  /** Undefined: signed in; otherwise why not, empty when the user gave up. */
  onDone(failure: string | undefined): void;
}

interface Waiting {
  url: string;
  /** The browser cannot come back to us: a code is wanted. */
  asksCode: boolean;
  note: string;
}

export function GoogleView({ height, services, ports, onDone }: GoogleViewProps) {
  const look = useLook();
  const state = useLiveState<Waiting>({ url: '', asksCode: false, note: '' });
  const field = useField();
  const giveCode = useRef<((code: string | undefined) => void) | undefined>(undefined);
  const abort = useRef(new AbortController());
  const spinner = useSpinner(!state.now.asksCode);
  const width = innerWidth(look);

  // biome-ignore lint/correctness/useExhaustiveDependencies: one attempt per view
  useEffect(() => {
    const { signal } = abort.current;
    const prompts: SignInPrompts = {
      confirm: async () => true,
      showUrl: (url) => state.set({ ...state.now, url }),
      openBrowser: (url) => services.openUrl(url),
      askCode: (url, problem) => {
        state.set({ url, asksCode: true, note: problem ?? '' });
        field.set('');
        return new Promise((resolve) => {
          giveCode.current = resolve;
        });
      },
      warn: (message) => services.addItem({ type: 'warning', text: cleanLine(message) }),
    };
    ports.signInWithGoogle(prompts, signal).then(
      () => onDone(undefined),
      (error: unknown) => onDone(signal.aborted ? '' : messageOf(error)),
    );
    return () => abort.current.abort();
  }, []);

  useDialogInput({
    onKey: (key) => {
      if (isCommand(key, 'basic.cancel')) {
        abort.current.abort();
        giveCode.current?.(undefined);
        onDone('');
      } else if (!state.now.asksCode) return false;
      else if (isCommand(key, 'basic.confirm')) giveCode.current?.(field.text.trim());
      else return field.handle(key);
      return true;
    },
    onPaste: (text) => state.now.asksCode && field.paste(text.trim()),
  });

  const { url, asksCode, note } = state.now;
  const drawn = field.draw({ width: width - 2, placeholder: 'Paste the code here' });
  const before = [
    ...(note
      ? wrapText(cleanLine(note), width).map((row) => look.paint(row, { color: look.theme.status.error }))
      : []),
    ...(url ? wrapText('Open this address in a browser if it has not opened by itself:', width) : []),
    ...breakText(url, width),
  ];
  const waiting = `${spinner}Waiting for the sign-in, at most 5 minutes…`;
  return (
    <Frame
      title="Sign in with Google"
      hint={[...(asksCode ? ['Enter to send the code'] : []), 'Esc to cancel']}
      lines={[...before, asksCode ? `> ${drawn.line}` : waiting]}
      height={height}
      caret={asksCode ? { row: before.length, column: drawn.caretColumn + 2 } : undefined}
    />
  );
}
