/** What tools show, and what a question about a call shows, as content of a tool call. */
import type { ToolCallContent } from '@agentclientprotocol/sdk';
import type { AnsiOutput, ConfirmationView, FileDiff, LiveOutput, ToolResultDisplay } from '@gemini-cli/core';

/** Longer text is cut at its beginning: the client shows it, the model has it. */
const MAX_CHARS = 1_000_000;

/** Tools of servers and programs describe a call by its arguments alone. */
export function callTitle(description = '', displayName = ''): string {
  if (displayName === '' || !/^\s*[{[]/.test(description)) return description || displayName;
  return description === '{}' ? displayName : `${displayName}: ${description}`;
}

export function textContent(text: string): ToolCallContent[] {
  if (text === '') return [];
  const shown = text.length > MAX_CHARS ? `…${text.slice(-MAX_CHARS)}` : text;
  return [{ type: 'content', content: { type: 'text', text: shown } }];
}

function diffContent({
  filePath,
  originalContent,
  newContent,
}: Pick<FileDiff, 'filePath' | 'originalContent' | 'newContent'>): ToolCallContent {
  const kind = originalContent === null ? 'add' : newContent === '' ? 'delete' : 'modify';
  return { type: 'diff', path: filePath, oldText: originalContent, newText: newContent, _meta: { kind } };
}

/** While the tool runs, and at its end. */
export function displayContent(display: ToolResultDisplay | LiveOutput | undefined): ToolCallContent[] {
  if (display === undefined) return [];
  if (typeof display === 'string') return textContent(display);
  if (Array.isArray(display)) return textContent(ansiText(display));
  if ('fileDiff' in display) return [diffContent(display)];
  if ('todos' in display) return [];
  if ('isSubagentProgress' in display) {
    const steps = display.recentActivity.map(({ content }) => content).filter(Boolean);
    return textContent(display.result ?? steps.join('\n'));
  }
  if ('matches' in display) {
    const lines = display.matches.map(
      ({ filePath, lineNumber, line }) => `${filePath}:${lineNumber}: ${line}`,
    );
    return textContent([display.summary, ...lines].join('\n'));
  }
  return textContent([display.summary, ...display.files].join('\n'));
}

/** What the user decides about. */
export function questionContent(details: ConfirmationView): ToolCallContent[] {
  const note = textContent(details.systemMessage ?? '');
  switch (details.type) {
    case 'edit':
      return [diffContent(details), ...note];
    case 'exec':
      return [...textContent(details.command), ...note];
    case 'mcp': {
      const args = details.toolArgs ? `\n${JSON.stringify(details.toolArgs, null, 2)}` : '';
      return [...textContent(`${details.serverName}: ${details.toolDisplayName}${args}`), ...note];
    }
    case 'info':
      return [...textContent([details.prompt, ...(details.urls ?? [])].join('\n')), ...note];
    case 'sandbox_expansion':
      return [
        ...textContent(`${details.command}\n${JSON.stringify(details.additionalPermissions, null, 2)}`),
        ...note,
      ];
    case 'exit_plan_mode':
      return [...textContent(`The plan is in ${details.planPath}`), ...note];
    case 'ask_user':
      return [...textContent(details.questions.map(({ question }) => question).join('\n')), ...note];
  }
}

function ansiText(lines: AnsiOutput): string {
  return lines
    .map((line) =>
      line
        .map(({ text }) => text)
        .join('')
        .trimEnd(),
    )
    .join('\n')
    .trimEnd();
}
