/** Asks for an API key, which is never shown. */
import { Paragraph } from '../../components/Paragraph.js';
import { useLoaded } from '../../components/use-loaded.js';
import { FieldView } from './FieldView.js';
import type { KeyService } from './key-services.js';
import type { AuthPorts } from './ports.js';

export interface ApiKeyViewProps {
  service: KeyService;
  ports: Pick<AuthPorts, 'storage'>;
  problem: string;
  /** Empty: use the saved one. */
  onKey(key: string): void;
  onBack(): void;
}

export function ApiKeyView({ service, ports, problem, onKey, onBack }: ApiKeyViewProps) {
  const { value: place } = useLoaded(() => ports.storage(), { keysWait: false });
  const isKept = place === undefined ? '' : ` It will be checked, and stored in ${place}.`;
  return (
    <FieldView
      title={`${service.title} API key`}
      footer={{ primaryAction: 'Enter to use it', cancelAction: 'Esc to go back' }}
      problem={problem}
      placeholder="Paste your key (leave empty to use the saved one)"
      isMasked
      onSubmit={onKey}
      onBack={onBack}
    >
      <Paragraph text={`Get a key at ${service.page}.${isKept}`} />
    </FieldView>
  );
}
