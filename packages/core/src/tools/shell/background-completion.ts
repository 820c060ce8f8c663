/** Reports the end of background processes as `tools.shell.backgroundCompletionBehavior` says. */
import { headOf } from '../../base/cut-text.js';
import { wrapUntrusted } from '../../base/untrusted-context.js';
import type { BackgroundProcess, ShellExecutionService } from '../../platform/shell/shell-service.js';
import type { ShellSettings } from '../../platform/shell/shell-settings.js';
import { exitText } from './process-state.js';

export interface BackgroundCompletion {
  /** `inject`: a new message to the model. `notify`: a short note to the user. */
  kind: 'inject' | 'notify';
  text: string;
  process: BackgroundProcess;
}

export type OnBackgroundCompleted = (completion: BackgroundCompletion) => void;

const INJECTED_LINES = 100;
const SHOWN_COMMAND = 150;

/** Processes that this session stopped are not reported. Returns a function that ends the reports. */
export function watchBackgroundCompletion(
  service: ShellExecutionService,
  behavior: () => ShellSettings['backgroundCompletionBehavior'],
  onBackgroundCompleted: OnBackgroundCompleted,
): () => void {
  return service.onBackgroundExit((process, { wasStopped }) => {
    const kind = behavior();
    if (kind === 'silent' || wasStopped) return;
    const note = `Background process ${process.pid} has ended${exitText(process)}: ${shortened(process.command)}`;
    const text = kind === 'notify' ? note : `${note}\n${lastOutput(service, process.pid)}`;
    onBackgroundCompleted({ kind, text, process });
  });
}

function lastOutput(service: ShellExecutionService, pid: number): string {
  try {
    const lines = service.readBackground(pid, INJECTED_LINES)?.lines ?? [];
    return lines.length === 0 ? 'It printed nothing.' : `Its output:\n${wrapUntrusted(lines.join('\n'))}`;
  } catch {
    return 'Its output cannot be read any more.';
  }
}

function shortened(command: string): string {
  const line = command.replaceAll('\n', '\\n');
  return line.length > SHOWN_COMMAND ? `${headOf(line, SHOWN_COMMAND)}…` : line;
}
