/** What is sent from this machine, and the setting about it. */
import { setting } from '@gemini-cli/core';
import { ErrorText } from '../../components/ErrorText.js';
import { Paragraph } from '../../components/Paragraph.js';
import { Question } from '../../components/Question.js';
import { useAction } from '../../components/use-action.js';
import type { DialogProps } from '../dialog.js';

const TEXT = [
  'What you type, and what tools read for it, goes only to the model you chose. With a local model or the offline guide nothing leaves this machine.',
  'This program collects no usage statistics. The setting below is for other programs that share these settings.',
  'Telemetry goes only where you send it yourself (telemetry in settings.json); it is off unless you enable it.',
  'What the provider does with your data is in its own terms. Google: https://policies.google.com/privacy',
].join('\n');

export function PrivacyDialog({ services, close }: DialogProps) {
  const saving = useAction();
  const isOn = setting(services.settings.merged, 'privacy.usageStatisticsEnabled');
  const change = async () => {
    await services.changeSetting('user', 'privacy.usageStatisticsEnabled', !isOn);
    close();
  };
  return (
    <Question
      title="Privacy"
      items={[
        { value: 'close', label: 'Close (esc)' },
        { value: 'change', label: isOn ? 'Forbid usage statistics' : 'Allow usage statistics' },
      ]}
      onSelect={(value) => (value === 'change' ? saving.run(change) : close())}
      onCancel={() => close()}
    >
      <ErrorText text={saving.problem} />
      <Paragraph text={TEXT} />
    </Question>
  );
}
