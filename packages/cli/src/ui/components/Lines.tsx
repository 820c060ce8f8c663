/** Lines that are painted and wrapped already: the one place where drawn text meets components (diffs, Markdown, history). */
import { Text } from 'ink';

export function Lines({ lines }: { lines: readonly string[] }) {
  return lines.length === 0 ? null : <Text>{lines.join('\n')}</Text>;
}
