/** A turning sign that work is in progress. A screen reader would read every turn, so there it is the label alone. */
import { Text } from 'ink';
import { useEffect, useState } from 'react';
import { useLook, useTheme } from '../use-look.js';

const TURNS = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const TURN_MS = 100;

export function Spinner({ label }: { label: string }) {
  const { screenReader } = useLook();
  const theme = useTheme();
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    if (screenReader) return undefined;
    const timer = setInterval(() => setTurn((now) => (now + 1) % TURNS.length), TURN_MS);
    return () => clearInterval(timer);
  }, [screenReader]);
  return (
    <Text wrap="truncate">
      {!screenReader && <Text color={theme.text.accent}>{TURNS[turn]} </Text>}
      {label}
    </Text>
  );
}
