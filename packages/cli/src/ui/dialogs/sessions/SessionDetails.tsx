/** A session before it is resumed: dates, name, summary, and the last messages. */
import type { SessionInfo } from '@gemini-cli/core';
import { Box } from 'ink';
import { Paragraph } from '../../components/Paragraph.js';
import { cleanLine } from '../../text/clean.js';
import { useTheme } from '../../use-look.js';
import { nameOf, type SessionPreview, timeOf } from './session-order.js';

const MAX_TEXT_LENGTH = 2_000;

export function SessionDetails({ session, preview }: { session: SessionInfo; preview: SessionPreview }) {
  const theme = useTheme();
  const { messageCount, startTime, lastUpdated, id } = session;
  return (
    <>
      <Paragraph
        text={`${messageCount} messages, started ${dateOf(startTime)}, last ${dateOf(lastUpdated)}`}
      />
      <Paragraph text={cleanLine(`Id ${id}`)} />
      <Paragraph text={nameOf(session)} bold />
      {preview.summary && <Paragraph text={cleanLine(`Summary: ${preview.summary}`)} />}
      <Box flexDirection="column" marginTop={1}>
        {[...preview.messages.entries()].map(([at, { who, text }]) => (
          <Box key={at} flexDirection="column">
            <Paragraph text={`${who}:`} color={theme.text.accent} />
            <Paragraph text={cleanLine(text.slice(0, MAX_TEXT_LENGTH))} />
          </Box>
        ))}
      </Box>
    </>
  );
}

function dateOf(time: string): string {
  return timeOf(time) > 0 ? new Date(time).toLocaleString() : 'unknown';
}
