/** What a folder would load if it were trusted. Warnings and errors come first, as a user may not scroll to them. */
import type { DiscoveryResults as Results } from '@gemini-cli/core';
import { Text } from 'ink';
import { Paragraph } from '../../components/Paragraph.js';
import { cleanLine } from '../../text/clean.js';
import { cutText, wrapText } from '../../text/columns.js';
import { useLook, useTheme } from '../../use-look.js';

const SECTIONS = [
  ['commands', 'Commands'],
  ['mcps', 'MCP Servers'],
  ['hooks', 'Hooks'],
  ['skills', 'Skills'],
  ['agents', 'Agents'],
  ['settings', 'Setting overrides'],
  ['policies', 'Policies'],
  ['contextFiles', 'Context files'],
  ['envFiles', 'Environment files'],
  ['extensions', 'Extensions'],
] as const;

export function DiscoveryResults({ results }: { results: Results }) {
  const { screenReader } = useLook();
  const { status } = useTheme();
  const found = SECTIONS.filter(([key]) => results[key].length > 0);
  const warning = screenReader ? 'Warning: ' : '⚠️ ';
  const error = screenReader ? 'Error: ' : '❌ ';
  return (
    <>
      <Problems mark={warning} texts={results.securityWarnings} color={status.warning} />
      <Problems mark={error} texts={results.discoveryErrors} color={status.error} />
      {found.map(([key, title]) => (
        <Section key={key} title={title} items={results[key]} />
      ))}
      {found.length === 0 && <Paragraph text="This folder has none of these." />}
    </>
  );
}

function Problems({ mark, texts, color }: { mark: string; texts: readonly string[]; color: string }) {
  return texts.map((text) => <Paragraph key={text} text={mark + cleanLine(text)} color={color} />);
}

function Section({ title, items }: { title: string; items: readonly string[] }) {
  const { width } = useLook();
  const { text } = useTheme();
  // One text for all of them: Ink would be slow with an element for each of a thousand files.
  return (
    <>
      <Text bold color={text.primary}>
        {`${title} (${items.length})`}
      </Text>
      <Text color={text.secondary}>{items.map((item) => bulleted(item, width)).join('\n')}</Text>
    </>
  );
}

/** More than core's discovery lets through. */
const LONGEST = 4_000;

function bulleted(item: string, width: number): string {
  return `  - ${wrapText(cutText(cleanLine(item), LONGEST), width - 4).join('\n    ')}`;
}
