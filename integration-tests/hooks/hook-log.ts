/** Hooks of a test: each writes its input to a file and prints what the test wants. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestRig } from '../test-utils.js';

export const EVENTS = [
  'SessionStart',
  'BeforeAgent',
  'PreCompress',
  'BeforeModel',
  'BeforeToolSelection',
  'AfterModel',
  'BeforeTool',
  'Notification',
  'AfterTool',
  'AfterAgent',
  'SessionEnd',
] as const;

export type EventName = (typeof EVENTS)[number];

/** A shell command that appends its input to `hooks.log` of the workspace, then runs `then`. */
export function logging(then = ''): string {
  return `{ cat; echo; } >> "$GEMINI_PROJECT_DIR/hooks.log"; ${then}`;
}

export function printing(output: object | string): string {
  const text = typeof output === 'string' ? output : JSON.stringify(output);
  return `printf %s '${text.replaceAll("'", "'\\''")}'`;
}

/** `hooks` of the settings: one logging hook for each event, which then prints its output. */
export function loggingHooks(outputs: Partial<Record<EventName, object | string>> = {}): object {
  return Object.fromEntries(
    EVENTS.map((event) => {
      const output = outputs[event];
      const command = logging(output === undefined ? '' : printing(output));
      return [event, [{ hooks: [{ type: 'command', name: `log-${event}`, command }] }]];
    }),
  );
}

export interface LoggedInput {
  hook_event_name: EventName;
  session_id: string;
  transcript_path: string;
  cwd: string;
  timestamp: string;
  [key: string]: unknown;
}

export function loggedInputs(rig: TestRig): LoggedInput[] {
  const file = join(rig.workspace, 'hooks.log');
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line): LoggedInput => JSON.parse(line));
}
