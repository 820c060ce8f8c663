/** Lists models of other providers and of local servers that answer. */
import type { Settings } from '@gemini-cli/core';
import { useState } from 'react';
import { ErrorText } from '../../components/ErrorText.js';
import { Paragraph } from '../../components/Paragraph.js';
import { Question } from '../../components/Question.js';
import { Spinner } from '../../components/Spinner.js';
import { useLoaded } from '../../components/use-loaded.js';
import { FieldView } from './FieldView.js';
import type { KeyService } from './key-services.js';
import type { AuthPorts } from './ports.js';
import { type FoundProviders, type ProviderChoice, providerItems, providerNotes } from './providers.js';

export interface ProviderViewProps {
  settings: Settings;
  ports: Pick<AuthPorts, 'env' | 'findServers' | 'savedKeys'>;
  problem: string;
  onModel(name: string): void;
  /** A service that needs a key; `hasKey`: it has one. */
  onService(service: KeyService, hasKey: boolean): void;
  onBack(): void;
}

export function ProviderView(props: ProviderViewProps) {
  const { settings, ports, problem, onModel, onService, onBack } = props;
  const { value: found = NONE, isLoading } = useLoaded(
    async (signal) => {
      const [servers, savedKeys] = await Promise.all([ports.findServers(signal), ports.savedKeys()]);
      return { servers, savedKeys };
    },
    { keysWait: false },
  );
  const choose = (choice: ProviderChoice) => {
    if (choice.kind === 'type') setIsTyping(true);
    else if (choice.kind === 'model') onModel(choice.name);
    else onService(choice.service, choice.kind === 'models');
  };
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
      items={isLoading ? [] : providerItems(found, settings, ports.env)}
      onSelect={choose}
      onCancel={onBack}
    >
      <ErrorText text={problem} />
      {isLoading ? (
        <Spinner label="Looking for model servers…" />
      ) : (
        <Paragraph text={providerNotes(found.servers).join('\n')} />
      )}
    </Question>
  );
}

const NONE: FoundProviders = { servers: [], savedKeys: [] };
