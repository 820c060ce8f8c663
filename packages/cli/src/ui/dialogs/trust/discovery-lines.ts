/** What a folder would load if it were trusted, as lines. */
import type { DiscoveryResults } from '@gemini-cli/core';
import type { Look } from '../../look.js';
import { cleanLine } from '../../text/clean.js';
import { wrapText } from '../../text/columns.js';

const GROUPS: readonly (readonly [keyof DiscoveryResults & GroupKey, string])[] = [
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
];

type GroupKey = Exclude<keyof DiscoveryResults, 'loadedPolicies' | 'securityWarnings' | 'discoveryErrors'>;

export function discoveryLines(look: Look, results: DiscoveryResults, width: number): string[] {
  const { paint, theme, screenReader } = look;
  const groups = GROUPS.flatMap(([key, title]) => groupLines(look, title, results[key], width));
  const warnings = results.securityWarnings.flatMap((text) =>
    marked(screenReader ? 'Warning: ' : '⚠️ ', text, width).map((row) =>
      paint(row, { color: theme.status.warning }),
    ),
  );
  const errors = results.discoveryErrors.flatMap((text) =>
    marked(screenReader ? 'Error: ' : '❌ ', text, width).map((row) =>
      paint(row, { color: theme.status.error }),
    ),
  );
  const found = groups.length > 0 ? groups : ['Nothing of that kind was found here.'];
  // What is dangerous comes first: nobody scrolls for it.
  return [...warnings, ...errors, ...found];
}

function groupLines(
  { paint, theme }: Look,
  title: string,
  items: readonly string[],
  width: number,
): string[] {
  if (items.length === 0) return [];
  return [
    paint(`${title} (${items.length})`, { color: theme.text.primary, bold: true }),
    ...items.flatMap((item) =>
      wrapText(cleanLine(item), width - 4).map((row, at) =>
        paint(`${at === 0 ? '  - ' : '    '}${row}`, { color: theme.text.secondary }),
      ),
    ),
  ];
}

function marked(mark: string, text: string, width: number): string[] {
  return wrapText(mark + cleanLine(text), width);
}
