/** The engine of the server's own folder, for commands. It starts with the first one that needs it. */
import { Config, EventStream, openProject, type Variables } from '@gemini-cli/core';
import { environmentOf } from '../turns/open-engine.js';

export class ServerConfig {
  private starting: Promise<Config> | undefined;

  constructor(private readonly place: { workspace: string; env: Variables }) {}

  get(): Promise<Config> {
    this.starting ??= this.start().catch((error: unknown) => {
      this.starting = undefined;
      throw error;
    });
    return this.starting;
  }

  async close(): Promise<void> {
    const config = await this.starting?.catch(() => undefined);
    await config?.shutdown();
  }

  private async start(): Promise<Config> {
    const { workspace, env } = this.place;
    const project = await openProject({
      cwd: workspace,
      env: environmentOf(this.place),
      // As for tasks: a folder without a decision is untrusted, and the commands run.
      frontEnd: { interactive: true, events: new EventStream() },
    });
    if (env['CHECKPOINTING'] === 'true') project.change({ checkpointing: true });
    const config = new Config(project);
    await config.initialize();
    return config;
  }
}
