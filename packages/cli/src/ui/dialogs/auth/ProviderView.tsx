/** Lists models of other providers and of local servers that answer. */
import type { Settings } from '@gemini-cli/core';
import { useState } from 'react';
import { ErrorText } from '../../components/ErrorText.js';
import { Paragraph } from '../../components/Paragraph.js';
import { Question } from '../../components/Question.js';
import { Spinner } from '../../components/Spinner.js';
import { useLoaded } from '../../components/use-loaded.js';
import { FieldView } from './FieldView.js';
import type { AuthPorts } from './ports.js';
import { providerItems, providerNotes, TYPE_NAME } from './providers.js';

export interface ProviderViewProps {
  settings: Settings;
  ports: Pick<AuthPorts, 'env' | 'findServers'>;
  problem: string;
  onModel(name: string): void;
  onBack(): void;
}

export function ProviderView({ settings, ports, problem, onModel, onBack }: ProviderViewProps) {
  const { value: servers = [], isLoading } = useLoaded((signal) => ports.findServers(signal), {
    keysWait: false,
  });
  const [isTyping, setIsTyping] = useState(false);
  if (isTyping)
    return (
      <FieldView
        title="Model name"
        footer={{ primaryAction: 'Enter to use it', cancelAction: 'Esc to go back' }}
        problem={problem}
        placeholder="provider/model"
        onSubmit={(name) => name !== '' && onModel(name)}
        onBack={() => setIsTyping(false)}
      />
    );
  return (
    <Question
      key={isLoading ? 'looking' : 'found'}
      title="Another provider or local server"
      footer={{ primaryAction: 'Enter to select', cancelAction: 'Esc to go back' }}
      items={isLoading ? [] : providerItems(servers, settings)}
      onSelect={(model) => (model === TYPE_NAME ? setIsTyping(true) : onModel(model))}
      onCancel={onBack}
    >
      <ErrorText text={problem} />
      {isLoading ? (
        <Spinner label="Looking for model servers…" />
      ) : (
        <Paragraph text={providerNotes(servers, ports.env).join('\n')} />
      )}
    </Question>
  );
}
