/** Notices that a command of the model runs, and when it has no output: it may be waiting for input. */
import type { AgentEventBody } from '@gemini-cli/core';
import type { Store } from '../../store/store.js';

const SILENT_MS = 5_000;
/** Redirected output is not seen. */
const SILENT_REDIRECTED_MS = 20_000;
const SHELL = 'run_shell_command';

export class ShellWatch {
  private readonly running = new Map<string, { isRedirected: boolean }>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly store: Store) {}

  observe(event: AgentEventBody): void {
    if (event.type === 'tool_requested' && event.request.name === SHELL) {
      const command = String(event.request.args['command'] ?? '');
      this.running.set(event.request.callId, { isRedirected: />/.test(command) });
    } else if (event.type === 'tool_status' && event.status === 'executing') this.listen(event.callId);
    else if (event.type === 'tool_output') this.listen(event.callId);
    else if (event.type === 'tool_finished') this.end(event.call.request.callId);
    else if (event.type === 'turn_finished') this.clear();
  }

  private listen(callId: string): void {
    const call = this.running.get(callId);
    if (!call) return;
    this.hush();
    this.store.dispatch({ type: 'switched', what: 'isShellRunning', to: true });
    const set = () => this.store.dispatch({ type: 'switched', what: 'isShellWaiting', to: true });
    this.timer = setTimeout(set, call.isRedirected ? SILENT_REDIRECTED_MS : SILENT_MS);
    this.timer.unref();
  }

  private end(callId: string): void {
    if (!this.running.delete(callId) || this.running.size > 0) return;
    this.hush();
    this.store.dispatch({ type: 'switched', what: 'isShellRunning', to: false });
    this.store.dispatch({ type: 'switched', what: 'isShellFocused', to: false });
  }

  private clear(): void {
    this.running.clear();
    this.hush();
  }

  private hush(): void {
    clearTimeout(this.timer);
    this.store.dispatch({ type: 'switched', what: 'isShellWaiting', to: false });
  }
}
