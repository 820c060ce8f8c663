/** Waits for the Google sign-in, in the browser or with a typed code. Esc cancels. */
import { messageOf } from '@gemini-cli/core';
import { Text } from 'ink';
import { useState } from 'react';
import { DialogFrame } from '../../components/DialogFrame.js';
import { Paragraph } from '../../components/Paragraph.js';
import { Spinner } from '../../components/Spinner.js';
import { useDialogKeys } from '../../components/use-dialog-keys.js';
import { useLoaded } from '../../components/use-loaded.js';
import { isCommand } from '../../keys/bindings.js';
import { cleanLine } from '../../text/clean.js';
import { breakText } from '../../text/columns.js';
import { useLook } from '../../use-look.js';
import type { DialogServices } from '../dialog.js';
import { FieldView } from './FieldView.js';
import type { AuthPorts, SignInPrompts } from './ports.js';

export interface GoogleViewProps {
  services: Pick<DialogServices, 'openUrl' | 'addItem'>;
  ports: Pick<AuthPorts, 'signInWithGoogle'>;
  /** Undefined: signed in; otherwise why not, empty when the user cancelled. */
  onDone(failure: string | undefined): void;
}

/** The browser cannot redirect to this machine, so a code is needed. */
interface CodeQuestion {
  attempt: number;
  /** The problem with the code before. */
  problem: string;
  answer(code: string | undefined): void;
}

const TITLE = 'Sign in with Google';

export function GoogleView({ services, ports, onDone }: GoogleViewProps) {
  const [url, setUrl] = useState('');
  const [question, setQuestion] = useState<CodeQuestion>();
  const prompts: SignInPrompts = {
    confirm: async () => true,
    showUrl: setUrl,
    openBrowser: (address) => services.openUrl(address),
    askCode: (address, problem = '') => {
      setUrl(address);
      return new Promise((answer) =>
        setQuestion((last) => ({ attempt: (last?.attempt ?? 0) + 1, problem, answer })),
      );
    },
    warn: (message) => services.addItem({ type: 'warning', text: cleanLine(message) }),
  };
  // Aborted when the user goes back; its result is ignored then.
  useLoaded(
    async (signal) => {
      const failure = await ports.signInWithGoogle(prompts, signal).then(() => undefined, messageOf);
      if (!signal.aborted) onDone(failure);
    },
    { keysWait: false },
  );
  const giveUp = () => {
    question?.answer(undefined);
    onDone('');
  };
  useDialogKeys(
    {
      onKey: (key) => {
        const isCancel = isCommand(key, 'basic.cancel');
        if (isCancel) giveUp();
        return isCancel;
      },
    },
    question === undefined,
  );
  if (!question)
    return (
      <DialogFrame title={TITLE} footer={{ cancelAction: 'Esc to cancel' }}>
        <Address url={url} />
        <Spinner label="Waiting for the sign-in, at most 5 minutes…" />
      </DialogFrame>
    );
  return (
    <FieldView
      key={question.attempt}
      title={TITLE}
      footer={{ primaryAction: 'Enter to send the code', cancelAction: 'Esc to cancel' }}
      problem={question.problem}
      placeholder="Paste the code here"
      onSubmit={question.answer}
      onBack={giveUp}
    >
      <Address url={url} />
    </FieldView>
  );
}

function Address({ url }: { url: string }) {
  const { width } = useLook();
  if (url === '') return null;
  return (
    <>
      <Paragraph text="Open this address in a browser if it has not opened by itself:" />
      <Text>{breakText(url, width).join('\n')}</Text>
    </>
  );
}
