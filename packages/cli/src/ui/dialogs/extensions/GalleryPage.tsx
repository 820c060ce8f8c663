/** One extension of the gallery: what it brings, and what can be done with it. */
import type { GalleryEntry } from '@gemini-cli/core';
import { Paragraph } from '../../components/Paragraph.js';
import { Question } from '../../components/Question.js';
import { cleanLine } from '../../text/clean.js';
import { useTheme } from '../../use-look.js';

export interface GalleryPageProps {
  entry: GalleryEntry;
  isInstalled: boolean;
  onInstall(): void;
  onOpenUrl(): void;
  onBack(): void;
}

type Answer = 'install' | 'open' | 'back';

export function GalleryPage({ entry, isInstalled, onInstall, onOpenUrl, onBack }: GalleryPageProps) {
  const theme = useTheme();
  const items: { value: Answer; label: string }[] = [
    ...(isInstalled
      ? []
      : [{ value: 'install' as const, label: 'Install (asks again before it changes anything)' }]),
    { value: 'open', label: 'Open the repository in a browser' },
    { value: 'back', label: 'Back (esc)' },
  ];
  const act: Readonly<Record<Answer, () => void>> = { install: onInstall, open: onOpenUrl, back: onBack };
  return (
    <Question
      title={`Extension ${cleanLine(entry.extensionName)}`}
      note={isInstalled ? 'installed' : undefined}
      items={items}
      onSelect={(answer) => act[answer]()}
      onCancel={onBack}
      footer={{ primaryAction: 'Enter to select', cancelAction: 'Esc to go back' }}
    >
      <Paragraph
        text={cleanLine(entry.extensionDescription || entry.repoDescription)}
        color={theme.text.primary}
      />
      <Paragraph text={factsOf(entry).map(cleanLine).join('\n')} color={theme.text.secondary} />
    </Question>
  );
}

function factsOf(entry: GalleryEntry): string[] {
  const brings = [
    entry.hasMCP && 'MCP servers',
    entry.hasContext && 'context files',
    entry.hasHooks && 'hooks',
    entry.hasSkills && 'skills',
    entry.hasCustomCommands && 'commands',
  ].filter((word) => word !== false);
  const fact = (label: string, value: string) => (value === '' ? [] : [`${label}: ${value}`]);
  return [
    ...fact('Version', entry.extensionVersion),
    ...fact('Repository', `${entry.url}${entry.isGoogleOwned ? ' (by Google)' : ''}`),
    ...fact('Stars', entry.stars > 0 ? String(entry.stars) : ''),
    ...fact('Updated', entry.lastUpdated),
    ...fact('License', entry.licenseKey),
    ...fact('Brings', brings.join(', ')),
  ];
}
