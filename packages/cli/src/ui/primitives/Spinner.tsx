/** A turning sign that something goes on. A screen reader would read every turn of it, so there it is a word. */
import { Text } from 'ink';
import { useEffect, useState } from 'react';
import { useLook } from '../use-look.js';

const TURNS = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const TURN_MS = 100;

/** The sign as text, for those who draw lines. */
export function useSpinner(isActive = true): string {
  const { screenReader } = useLook();
  const [turn, setTurn] = useState(0);
  const turns = isActive && !screenReader;
  useEffect(() => {
    if (!turns) return undefined;
    const timer = setInterval(() => setTurn((now) => (now + 1) % TURNS.length), TURN_MS);
    return () => clearInterval(timer);
  }, [turns]);
  return turns ? `${TURNS[turn]} ` : '';
}

export function Spinner({ label }: { label: string }) {
  const { paint, theme } = useLook();
  const sign = useSpinner();
  return <Text wrap="truncate">{paint(sign, { color: theme.text.accent }) + label}</Text>;
}
