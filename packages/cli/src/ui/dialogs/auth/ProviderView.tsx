/** Models of other providers, and of servers on this machine that answer. */
import type { Settings } from '@gemini-cli/core';
import { useEffect } from 'react';
import { isCommand } from '../../keys/bindings.js';
import { Frame } from '../../primitives/Frame.js';
import { innerWidth } from '../../primitives/frame-lines.js';
import { Question } from '../../primitives/Question.js';
import { useSpinner } from '../../primitives/Spinner.js';
import { useDialogInput } from '../../primitives/use-dialog-input.js';
import { useField } from '../../primitives/use-field.js';
import { useLiveState } from '../../primitives/use-live-state.js';
import { cleanLine } from '../../text/clean.js';
import { wrapText } from '../../text/columns.js';
import { useLook } from '../../use-look.js';
import type { AuthPorts, LocalServer } from './ports.js';
import { type ProviderChoice, providerChoices, providerNotes } from './providers.js';

export interface ProviderViewProps {
  height: number;
  settings: Settings;
  ports: Pick<AuthPorts, 'env' | 'findServers'>;
  problem: string | undefined;
  onModel(name: string): void;
  onBack(): void;
}

export function ProviderView({ height, settings, ports, problem, onModel, onBack }: ProviderViewProps) {
  const look = useLook();
  const servers = useLiveState<readonly LocalServer[] | undefined>(undefined);
  const isTyping = useLiveState(false);
  const spinner = useSpinner(servers.now === undefined);
  const width = innerWidth(look);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the machine is looked at once
  useEffect(() => {
    const over = new AbortController();
    ports.findServers(over.signal).then(
      (found) => servers.set(found),
      () => servers.set([]),
    );
    return () => over.abort();
  }, []);

  const error = problem
    ? wrapText(cleanLine(problem), width).map((row) => look.paint(row, { color: look.theme.status.error }))
    : [];
  if (isTyping.now)
    return <NameView height={height} error={error} onName={onModel} onBack={() => isTyping.set(false)} />;
  const found = servers.now;
  if (!found)
    return (
      <Question
        title={TITLE}
        height={height}
        content={[...error, `${spinner}Looking for model servers…`]}
        choices={[]}
        onSelect={() => {}}
        onCancel={onBack}
      />
    );
  return (
    <Question
      key="found"
      title={TITLE}
      hint={['Enter to select', 'Esc to go back']}
      content={[...error, ...providerNotes(found, ports.env).flatMap((note) => wrapText(note, width))]}
      choices={providerChoices(found, settings)}
      height={height}
      onSelect={(choice: ProviderChoice) => (choice === 'type' ? isTyping.set(true) : onModel(choice.model))}
      onCancel={onBack}
    />
  );
}

const TITLE = 'Another provider or local server';

interface NameViewProps {
  height: number;
  error: readonly string[];
  onName(name: string): void;
  onBack(): void;
}

function NameView({ height, error, onName, onBack }: NameViewProps) {
  const look = useLook();
  const field = useField();
  useDialogInput({
    onKey: (key) => {
      if (isCommand(key, 'basic.cancel')) onBack();
      else if (!isCommand(key, 'basic.confirm')) return field.handle(key);
      else if (field.text.trim()) onName(field.text.trim());
      return true;
    },
    onPaste: (text) => field.paste(text),
  });
  const { line, caretColumn } = field.draw({ width: innerWidth(look) - 2, placeholder: 'provider/model' });
  return (
    <Frame
      title="Name of the model"
      hint={['Enter to use it', 'Esc to go back']}
      lines={[...error, `> ${line}`]}
      height={height}
      caret={{ row: error.length, column: caretColumn + 2 }}
    />
  );
}
