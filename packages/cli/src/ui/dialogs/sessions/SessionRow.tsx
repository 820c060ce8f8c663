/** A session in the list: index, messages, age, name; below it the matches of a search. */
import type { SessionInfo } from '@gemini-cli/core';
import { Box, Text } from 'ink';
import { memo } from 'react';
import { cleanLine } from '../../text/clean.js';
import { cutText } from '../../text/columns.js';
import { useLook, useTheme } from '../../use-look.js';
import { nameOf } from './session-order.js';

export interface SessionRowProps {
  session: SessionInfo;
  age: string;
  isChosen: boolean;
}

export const SessionRow = memo(function SessionRow({ session, age, isChosen }: SessionRowProps) {
  const { width, screenReader } = useLook();
  const { ui, text } = useTheme();
  const { index, messageCount, isCurrentSession, matchSnippets = [] } = session;
  const name = nameOf(session);
  const current = isCurrentSession ? ' (current)' : '';
  const first = `${isChosen ? '● ' : '  '}${String(index).padStart(3)} ${String(messageCount).padStart(4)} msgs ${age.padStart(14)}  `;
  // A long name is cut, not the mark after it.
  const room = Math.max(1, width - first.length - current.length);
  const facts = screenReader
    ? `${index}. ${name}${current}, ${messageCount} messages, ${age}${isChosen ? ', selected' : ''}`
    : `${first}${cutText(name, room)}${current}`;
  const snippets = matchSnippets.map(({ before, match, after }) =>
    cutText(`      … ${cleanLine(`${before}[${match}]${after}`)}`, width),
  );
  return (
    <Box flexDirection="column" flexShrink={0}>
      <Text color={isChosen ? ui.focus : isCurrentSession ? text.secondary : text.primary} bold={isChosen}>
        {cutText(facts, width)}
      </Text>
      {snippets.length > 0 && <Text color={text.secondary}>{snippets.join('\n')}</Text>}
    </Box>
  );
});

export function sessionRows({ matchSnippets = [] }: SessionInfo): number {
  return 1 + matchSnippets.length;
}
