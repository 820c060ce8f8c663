/** The models of one provider, to begin with one of them. */
import { useState } from 'react';
import { ErrorText } from '../../components/ErrorText.js';
import { Paragraph } from '../../components/Paragraph.js';
import { Question } from '../../components/Question.js';
import { Spinner } from '../../components/Spinner.js';
import { useLoaded } from '../../components/use-loaded.js';
import { cleanLine } from '../../text/clean.js';
import { FieldView } from './FieldView.js';
import type { KeyService } from './key-services.js';
import type { AuthPorts } from './ports.js';

export interface ProviderModelsViewProps {
  service: KeyService;
  ports: Pick<AuthPorts, 'modelsOf'>;
  problem: string;
  onModel(name: string): void;
  onOtherKey(): void;
  onBack(): void;
}

/** Instead of a model. */
const TYPE_NAME = '\0type';
const OTHER_KEY = '\0key';
const MAX_MODELS = 100;

export function ProviderModelsView(props: ProviderModelsViewProps) {
  const { service, ports, problem, onModel, onOtherKey, onBack } = props;
  const { id, title } = service;
  const { value, isLoading } = useLoaded((signal) => ports.modelsOf(id, signal), { keysWait: false });
  const [isTyping, setIsTyping] = useState(false);
  if (isTyping)
    return (
      <FieldView
        title={`${title} model`}
        footer={{ primaryAction: 'Enter to use it', cancelAction: 'Esc to go back' }}
        problem={problem}
        placeholder="model name"
        onSubmit={(name) => name !== '' && onModel(`${id}/${name}`)}
        onBack={() => setIsTyping(false)}
      />
    );
  const items = (value?.models ?? []).slice(0, MAX_MODELS).map((model) => ({
    value: `${id}/${model}`,
    label: cleanLine(`${id}/${model}`),
  }));
  const more = [
    { value: TYPE_NAME, label: 'Type a model name' },
    { value: OTHER_KEY, label: 'Paste another key' },
  ];
  return (
    <Question
      key={isLoading ? 'looking' : 'found'}
      title={title}
      footer={{ primaryAction: 'Enter to select', cancelAction: 'Esc to go back' }}
      items={isLoading ? [] : [...items, ...more]}
      onSelect={(choice) => {
        if (choice === TYPE_NAME) setIsTyping(true);
        else if (choice === OTHER_KEY) onOtherKey();
        else onModel(choice);
      }}
      onCancel={onBack}
    >
      <ErrorText text={problem || (value?.problem ?? '')} />
      {isLoading ? <Spinner label="Asking for models…" /> : <Paragraph text="Which model should answer?" />}
    </Question>
  );
}
