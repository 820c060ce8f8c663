/** What leaves this machine, and the one switch about it. */
import { messageOf, setting } from '@gemini-cli/core';
import { innerWidth } from '../../primitives/frame-lines.js';
import { Question } from '../../primitives/Question.js';
import { useLiveState } from '../../primitives/use-live-state.js';
import { cleanLine } from '../../text/clean.js';
import { wrapText } from '../../text/columns.js';
import { useLook } from '../../use-look.js';
import type { DialogProps } from '../dialog.js';

const TEXT = [
  'What you type, and what tools read for it, goes to the model you chose, and to nobody else. With a local model or the offline guide nothing leaves this machine.',
  'This program collects no usage statistics, whatever is set below; other programs that read the same settings may.',
  'Telemetry goes only where you send it yourself (telemetry in settings.json); it is off unless you switch it on.',
  'What the provider does with your data is in its own terms. Google: https://policies.google.com/privacy',
];

export function PrivacyDialog({ services, close }: DialogProps) {
  const look = useLook();
  const { settings, height } = services;
  const message = useLiveState('');
  const isOn = setting(settings.merged, 'privacy.usageStatisticsEnabled');
  const width = innerWidth(look);
  const change = async () => {
    try {
      await services.changeSetting('user', 'privacy.usageStatisticsEnabled', !isOn);
      close();
    } catch (error) {
      message.set(messageOf(error));
    }
  };
  return (
    <Question
      title="Privacy"
      content={[
        ...(message.now ? wrapText(cleanLine(message.now), width) : []),
        ...TEXT.flatMap((text) => wrapText(text, width)),
      ]}
      choices={[
        { value: 'close', label: 'Close (esc)' },
        { value: 'change', label: isOn ? 'Forbid usage statistics' : 'Allow usage statistics' },
      ]}
      height={height}
      onSelect={(value) => (value === 'change' ? void change() : close())}
      onCancel={() => close()}
    />
  );
}
