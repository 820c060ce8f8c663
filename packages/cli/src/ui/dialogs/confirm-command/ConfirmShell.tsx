/** Asks about all shell commands of a custom command before any of them runs. */
import { ToolConfirmationOutcome, type ToolExecuteConfirmationDetails, visibleText } from '@gemini-cli/core';
import { useMemo } from 'react';
import { ToolConfirmationMessage } from '../../confirm/ToolConfirmationMessage.js';
import type { DialogProps } from '../dialog.js';

export interface ConfirmShellProps {
  commands: readonly string[];
  /** Program names, if they could be found. */
  rootCommands?: readonly string[];
  /** False: only once, e.g. in an untrusted folder. */
  canAllowSession?: boolean;
}

export type ShellAnswer = 'once' | 'session' | 'no';

const { ProceedOnce, ProceedAlways, Cancel } = ToolConfirmationOutcome;

export function ConfirmShellDialog({ services, props, close }: DialogProps<ConfirmShellProps, ShellAnswer>) {
  const { commands, rootCommands, canAllowSession = services.config?.isTrustedFolder() ?? true } = props;
  const details = useMemo(() => {
    const shown = commands.map((command) => visibleText(command));
    const exec: ToolExecuteConfirmationDetails = {
      type: 'exec',
      title: 'Confirm Shell Expansion',
      command: shown.join('\n'),
      commands: shown,
      rootCommand: (rootCommands ?? []).join(', '),
      rootCommands: [...(rootCommands ?? [])],
      always: { commandExact: shown.join('\n') },
      offeredOutcomes: [ProceedOnce, ...(canAllowSession ? [ProceedAlways] : []), Cancel],
      onConfirm: async () => {},
    };
    return exec;
  }, [commands, rootCommands, canAllowSession]);
  return (
    <ToolConfirmationMessage
      confirmationDetails={details}
      toolName="run_shell_command"
      displayName="Custom command"
      cwd={services.cwd}
      onAnswer={(outcome) => close(answerOf(outcome))}
    />
  );
}

function answerOf(outcome: ToolConfirmationOutcome): ShellAnswer {
  if (outcome === ProceedOnce) return 'once';
  return outcome === ProceedAlways ? 'session' : 'no';
}
