/** The metrics of one task in the browser. */
import type { BrowserAgentHost } from './host.js';
import { type BrowserStart, isVisual } from './session-settings.js';

export class TaskMetrics {
  private readonly startedAt: number;
  private readonly session: { session_mode: string; headless: boolean };

  constructor(
    private readonly host: BrowserAgentHost,
    { mode, headless }: BrowserStart,
  ) {
    this.startedAt = host.now();
    this.session = { session_mode: mode, headless };
  }

  /** @param error what kept the browser from opening */
  opened(error?: Error): void {
    const { recorder } = this.host;
    const outcome = {
      ...this.session,
      success: error === undefined,
      ...(error && { error_type: error.name }),
    };
    recorder.histogram('gemini_cli.browser_agent.connection.duration', this.elapsed(), outcome);
    if (error) recorder.count('gemini_cli.browser_agent.connection.failure.count', 1, outcome);
  }

  offered(tools: number): void {
    const { host } = this;
    const { recorder } = host;
    recorder.histogram('gemini_cli.browser_agent.tools.discovered', tools, this.session);
    const reason = host.settings().visualModel ? 'sign_in' : 'no_model';
    recorder.count('gemini_cli.browser_agent.vision.status', 1, {
      enabled: isVisual(host),
      ...(!isVisual(host) && { disabled_reason: reason }),
    });
  }

  /** Closes the browser. @returns when it is gone, or could not be closed */
  async closing(isSuccess: boolean, close: () => Promise<void>): Promise<void> {
    const { recorder, now } = this.host;
    const outcome = { ...this.session, success: isSuccess, vision_enabled: isVisual(this.host) };
    recorder.count('gemini_cli.browser_agent.task.outcome', 1, outcome);
    recorder.histogram('gemini_cli.browser_agent.task.duration', this.elapsed(), outcome);
    const before = now();
    try {
      await close();
    } catch {
      recorder.count('gemini_cli.browser_agent.cleanup.failure.count', 1, this.session);
    }
    recorder.histogram('gemini_cli.browser_agent.cleanup.duration', now() - before, this.session);
  }

  private elapsed(): number {
    return this.host.now() - this.startedAt;
  }
}
