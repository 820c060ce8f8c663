/** Lines that are painted and wrapped already, for the few places where React draws an item. */
import { Box, Text } from 'ink';

export function Lines({ lines }: { lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <Box flexDirection="column">
      <Text>{lines.join('\n')}</Text>
    </Box>
  );
}
