/** Asks for a Gemini API key, which is never shown. */
import { Paragraph } from '../../components/Paragraph.js';
import { FieldView } from './FieldView.js';

export interface ApiKeyViewProps {
  problem: string;
  /** Empty: use the saved one. */
  onKey(key: string): void;
  onBack(): void;
}

const ABOUT =
  'Get a key at https://aistudio.google.com/apikey. It will be stored in the system keychain, or in ' +
  '~/.gemini/gemini-credentials.json where there is none.';

export function ApiKeyView({ problem, onKey, onBack }: ApiKeyViewProps) {
  return (
    <FieldView
      title="Gemini API key"
      footer={{ primaryAction: 'Enter to use it', cancelAction: 'Esc to go back' }}
      problem={problem}
      placeholder="Paste your key (leave empty to use the saved one)"
      isMasked
      onSubmit={onKey}
      onBack={onBack}
    >
      <Paragraph text={ABOUT} />
    </FieldView>
  );
}
