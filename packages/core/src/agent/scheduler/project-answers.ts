/** The answers that allow calls in this project for good, and the rules they save. */

import type { MessageBus } from '../../bus/message-bus.js';
import { isInside, realPathOf } from '../../platform/files/real-path.js';
import {
  MessageBusType,
  type PolicyUpdateOptions,
  type ProjectAnswer,
  type ToolCallConfirmationDetails,
  ToolConfirmationOutcome,
  type ToolConfirmationPayload,
} from '../../protocol/confirmation.js';
import { REPLACE, WRITE_FILE } from '../../protocol/tool-names.js';

/** Both write a file's new content: who allows one for a file or project means the other, too. */
const EDITORS: readonly string[] = [WRITE_FILE, REPLACE];

/** Undefined: no rule can say what would be allowed. */
export function projectAnswers(
  details: ToolCallConfirmationDetails,
  toolName: string,
  projectDir: string,
): ProjectAnswer[] | undefined {
  const { always } = details;
  if (!always) return undefined;
  switch (details.type) {
    case 'edit':
      return EDITORS.includes(toolName) ? editAnswers(always, realPathOf(projectDir)) : undefined;
    case 'exec':
      return commandAnswers(always, details.command.trim());
    case 'info':
    case 'mcp':
      return [{ covers: isNarrow(always) ? 'call' : 'project', rule: always }];
    default:
      return undefined;
  }
}

function editAnswers({ path }: PolicyUpdateOptions, folder: string): ProjectAnswer[] | undefined {
  if (path === undefined) return undefined;
  const file: ProjectAnswer = { covers: 'call', rule: { path } };
  return isInside(path, folder) ? [{ covers: 'project', rule: { folder } }, file] : [file];
}

function commandAnswers(always: PolicyUpdateOptions, command: string): ProjectAnswer[] | undefined {
  if (always.commandExact !== undefined) return [{ covers: 'call', rule: always }];
  if (always.commandPrefix === undefined) return undefined;
  const { commandPrefix: _prefix, ...rest } = always;
  return [
    { covers: 'project', rule: always },
    { covers: 'call', rule: { ...rest, commandExact: command } },
  ];
}

function isNarrow({ path, argsPattern }: PolicyUpdateOptions): boolean {
  return path !== undefined || argsPattern !== undefined;
}

/** The chosen answer; undefined if the front end chose none, or one that was not offered. */
export function chosenProjectAnswer(
  { projectAnswers: offered }: ToolCallConfirmationDetails,
  outcome: ToolConfirmationOutcome,
  payload: ToolConfirmationPayload | undefined,
): ProjectAnswer | undefined {
  if (outcome !== ToolConfirmationOutcome.ProceedAlwaysAndSave) return undefined;
  return payload?.projectAnswer === undefined ? undefined : offered?.[payload.projectAnswer];
}

export function saveProjectAnswer(bus: MessageBus, toolName: string, { rule }: ProjectAnswer): void {
  for (const name of EDITORS.includes(toolName) ? EDITORS : [toolName])
    bus.publish({ type: MessageBusType.UPDATE_POLICY, toolName: name, persist: true, ...rule });
}
