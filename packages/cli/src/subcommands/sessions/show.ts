/** Formats a recorded conversation as text. */
import type { ConversationRecord, SessionInfo, Sessions } from '@gemini-cli/core';
import { oneLine, safeText } from '../../output/output.js';
import type { SessionProject } from '../../sessions/project.js';
import { ageOf, titleFor } from './format.js';

type Item = ReturnType<Sessions['convertSessionToHistoryFormats']>['uiHistory'][number];
type ToolCall = Extract<Item, { type: 'tool_group' }>['tools'][number];

/** The export has the whole result. */
const RESULT_LINES = 12;

/** Text is indented under its speaker, so that it cannot imitate another speaker. */
export function formatConversation(
  record: ConversationRecord,
  session: SessionInfo,
  project: SessionProject,
): string {
  const { uiHistory } = project.sessions.convertSessionToHistoryFormats(record);
  const head = [
    `Session ${session.index}: ${titleFor(session, project)}`,
    `${oneLine(session.id)}, ${record.messageCount} messages, ${ageOf(session, project).toLowerCase()}`,
  ].join('\n');
  const agents = new Map((record.agents ?? []).map((agent) => [agent.parentCallId, agent]));
  const workOf = (callId: string) => agentBlocks(agents.get(callId), project);
  const blocks = project.redactor.redactValue(uiHistory).flatMap((item) => blocksOf(item, workOf));
  return `${[head, ...blocks].join('\n\n')}\n`;
}

/** The work of a sub-agent, one line per step; its prompt is the call's. */
function agentBlocks(agent: ConversationRecord | undefined, project: SessionProject): string[] {
  if (!agent) return [];
  const { uiHistory } = project.sessions.convertSessionToHistoryFormats(agent);
  const steps = project.redactor.redactValue(uiHistory).flatMap((item): string[] => {
    if (item.type === 'tool_group')
      return item.tools.map(({ name, description, status }) => `${name} (${status}) ${description}`.trim());
    return item.type === 'gemini' ? [item.text] : [];
  });
  const head = `Agent ${oneLine(agent.agentName ?? '')} (${oneLine(agent.sessionId)})`;
  return [block(head, steps.map((step) => oneLine(step)).join('\n'))];
}

type WorkOf = (callId: string) => string[];

function blocksOf(item: Item, workOf: WorkOf = () => []): string[] {
  switch (item.type) {
    case 'user':
      return [block('You', item.text)];
    case 'gemini':
      return [block('Model', item.text)];
    case 'info':
    case 'warning':
    case 'error':
      return [block(HEADS[item.type], item.text)];
    case 'tool_group':
      return item.tools.flatMap((tool) => [...workOf(tool.callId), callBlock(tool)]);
    case 'thinking':
      return [];
  }
}

const HEADS = { info: 'Note', warning: 'Warning', error: 'Error' } as const;

function callBlock({ name, description, status, resultDisplay }: ToolCall): string {
  const head = `Tool ${oneLine(name)} (${oneLine(String(status))})`;
  const lines = safeText(displayText(resultDisplay)).trimEnd().split('\n');
  const more = lines.length - RESULT_LINES;
  const shown = more > 0 ? [...lines.slice(0, RESULT_LINES), `… ${more} more lines`] : lines;
  return block(head, [description, ...shown].filter((line, at) => at > 0 || line !== '').join('\n'));
}

function block(head: string, text: string): string {
  const lines = safeText(text).trim().split('\n');
  return [`${head}:`, ...lines.map((line) => `  ${line}`.trimEnd())].join('\n').trimEnd();
}

/** Another program may have written the file: unknown forms are skipped. */
function displayText(display: unknown): string {
  if (typeof display === 'string') return display;
  if (Array.isArray(display)) return display.map(terminalLine).join('\n');
  if (typeof display !== 'object' || display === null) return '';
  if ('fileDiff' in display) return String(display.fileDiff);
  if ('isSubagentProgress' in display) return String('result' in display ? display.result : '');
  if ('summary' in display) return String(display.summary);
  if ('todos' in display && Array.isArray(display.todos)) return display.todos.map(todoLine).join('\n');
  return '';
}

function terminalLine(line: unknown): string {
  if (!Array.isArray(line)) return '';
  return line.map((token: { text?: unknown } | null) => String(token?.text ?? '')).join('');
}

function todoLine(todo: { status?: unknown; description?: unknown } | null): string {
  return `[${String(todo?.status ?? '')}] ${String(todo?.description ?? '')}`;
}
