/** Formats sessions as text and as JSON. Recorded text must not control the terminal. */
import type { SessionInfo } from '@gemini-cli/core';
import { escapeControls } from '../../output/json-text.js';
import { oneLine } from '../../output/output.js';
import type { SessionProject } from '../../sessions/project.js';

export function formatList(list: readonly SessionInfo[], project: SessionProject): string {
  if (list.length === 0) return 'No previous sessions found for this project.\n';
  const lines = list.map((session) => `  ${sessionLine(session, project)}`);
  return `\nAvailable sessions for this project (${list.length}):\n${lines.join('\n')}\n`;
}

export function formatFound(found: readonly SessionInfo[], words: string, project: SessionProject): string {
  if (found.length === 0) return `No session of this project contains "${oneLine(words)}".\n`;
  const blocks = found.map((session) =>
    [
      sessionLine(session, project),
      ...(session.matchSnippets ?? []).map((match) => snippet(match, project)),
    ].join('\n'),
  );
  return `${blocks.join('\n\n')}\n`;
}

/** `<n>. <title> (<relative time>[, current]) [<session id>]` */
function sessionLine(session: SessionInfo, project: SessionProject): string {
  const current = session.isCurrentSession ? ', current' : '';
  const { index, id } = session;
  return `${index}. ${titleFor(session, project)} (${ageOf(session, project)}${current}) [${oneLine(id)}]`;
}

function snippet(
  { before, match, after, role }: NonNullable<SessionInfo['matchSnippets']>[number],
  { redactor }: SessionProject,
): string {
  const who = role === 'user' ? 'You' : 'Model';
  return `     ${who}: ${oneLine(redactor.redact(`…${before}${match}${after}…`))}`;
}

export function titleFor(session: SessionInfo, { sessions, redactor }: SessionProject): string {
  const displayName = oneLine(redactor.redact(session.displayName));
  return sessions.titleOf({ displayName });
}

export function ageOf({ lastUpdated }: SessionInfo, { sessions, now }: SessionProject): string {
  return sessions.relativeTime(lastUpdated, now());
}

/** A session in a JSON list. */
export function asEntry(session: SessionInfo) {
  const { index, id, displayName, summary, firstUserMessage, startTime, lastUpdated } = session;
  const { messageCount, userMessageCount, path, matchSnippets } = session;
  return {
    index,
    id,
    displayName,
    ...(summary !== undefined && { summary }),
    firstUserMessage,
    startTime,
    lastUpdated,
    messageCount,
    userMessageCount,
    path,
    ...(matchSnippets && { matchSnippets }),
  };
}

export function asJson(value: unknown, { redactor }: SessionProject): string {
  return `${escapeControls(JSON.stringify(redactor.redactValue(value), null, 2))}\n`;
}
