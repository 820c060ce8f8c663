/**
 * Confirmation details as a front end gets them: characters that hide, reorder or overwrite text are shown by
 * their code. Contents and paths that a front end works with (diff in an editor) stay as they are.
 */
import { visibleName, visibleText, visibleValue, visibleWithHosts } from '../../base/visible-text.js';
import type {
  PolicyUpdateOptions,
  ProjectAnswer,
  ToolCallConfirmationDetails,
  UserQuestion,
} from '../../protocol/confirmation.js';
import type { ConfirmationView } from '../../protocol/questions.js';

export function shownDetails(all: ToolCallConfirmationDetails): ConfirmationView {
  const details = dataOf(all);
  const common = {
    title: visibleName(details.title),
    ...(details.always && { always: visibleValue(details.always) as PolicyUpdateOptions }),
    ...(details.projectAnswers && {
      projectAnswers: visibleValue(details.projectAnswers) as readonly ProjectAnswer[],
    }),
    ...(details.systemMessage !== undefined && { systemMessage: visibleText(details.systemMessage) }),
  };
  switch (details.type) {
    case 'edit':
      return {
        ...details,
        ...common,
        fileName: visibleName(details.fileName),
        fileDiff: visibleLines(details.fileDiff),
      };
    case 'exec':
      return {
        ...details,
        ...common,
        command: visibleWithHosts(details.command),
        rootCommand: visibleName(details.rootCommand),
        rootCommands: details.rootCommands.map(visibleName),
        ...(details.commands && { commands: details.commands.map(visibleWithHosts) }),
      };
    case 'mcp':
      return {
        ...details,
        ...common,
        serverName: visibleName(details.serverName),
        toolName: visibleName(details.toolName),
        toolDisplayName: visibleName(details.toolDisplayName),
        ...(details.toolArgs && { toolArgs: visibleValue(details.toolArgs) as Record<string, unknown> }),
        ...(details.toolDescription !== undefined && {
          toolDescription: visibleWithHosts(details.toolDescription),
        }),
        ...(details.toolParameterSchema !== undefined && {
          toolParameterSchema: visibleValue(details.toolParameterSchema),
        }),
      };
    case 'info':
      return {
        ...details,
        ...common,
        prompt: visibleWithHosts(details.prompt),
        ...(details.urls && { urls: details.urls.map(visibleWithHosts) }),
      };
    case 'ask_user':
      return { ...details, ...common, questions: details.questions.map(shownQuestion) };
    case 'exit_plan_mode':
      return { ...details, ...common };
    case 'sandbox_expansion':
      return {
        ...details,
        ...common,
        command: visibleWithHosts(details.command),
        rootCommand: visibleName(details.rootCommand),
        additionalPermissions: visibleValue(
          details.additionalPermissions,
        ) as typeof details.additionalPermissions,
      };
  }
}

/** The functions stay with the scheduler, which calls them when the answer comes. */
function dataOf(details: ToolCallConfirmationDetails): ConfirmationView {
  if (details.type === 'edit') {
    const { onConfirm: _, ideConfirmation: _ide, ...data } = details;
    return data;
  }
  const { onConfirm: _, ...data } = details;
  return data;
}

/** A carriage return at the end of a line (CRLF) is harmless. */
function visibleLines(diff: string): string {
  return visibleText(diff.replaceAll('\r\n', '\n'));
}

function shownQuestion(question: UserQuestion): UserQuestion {
  return {
    ...question,
    question: visibleWithHosts(question.question),
    header: visibleName(question.header),
    ...(question.options && {
      options: question.options.map(({ label, description }) => ({
        label: visibleName(label),
        description: visibleWithHosts(description),
      })),
    }),
    ...(question.placeholder !== undefined && { placeholder: visibleName(question.placeholder) }),
  };
}
