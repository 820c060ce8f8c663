/** What the session has used so far, for `/stats` and the box at the end. */
import { type AgentEvent, type Config, emptyMetrics, loadWorktrees, recordMetrics } from '@gemini-cli/core';
import type { HistoryItemWithoutId, StatsView } from '../../../history/item.js';
import type { AppContext } from '../context/app-context.js';
import type { EngineHost } from './engine-host.js';
import { accountFacts } from './session-facts.js';

export class SessionStats {
  private metrics = emptyMetrics();
  private readonly startedAt: number;

  constructor(
    private readonly context: AppContext,
    private readonly engine: EngineHost,
  ) {
    this.startedAt = context.now();
  }

  record(event: AgentEvent): void {
    recordMetrics(this.metrics, event);
  }

  /** For another session. */
  reset(): void {
    this.metrics = emptyMetrics();
  }

  view(): StatsView {
    const { config, sessionId } = this.engine;
    const auth = config?.getAuthType();
    const cost = config?.getLedger().totalCost;
    return {
      sessionId,
      metrics: this.metrics,
      wallMs: this.context.now() - this.startedAt,
      ...(auth && { auth }),
      ...accountFacts(config, this.context.settings),
      ...(cost !== undefined && { cost }),
      ...(this.metrics.agents && { agentCosts: agentCosts(config) }),
    };
  }

  /** Shown when the user quits; without a conversation it has no numbers. */
  async goodbye({ isDeleted }: { isDeleted: boolean }): Promise<HistoryItemWithoutId> {
    const wasUsed = Object.keys(this.metrics.models).length > 0;
    const sessionId = wasUsed && !isDeleted ? this.engine.sessionId : undefined;
    const { worktree } = this.context.folder;
    const notes = [
      ...this.endedCommands(),
      ...this.endedAgents(),
      ...(worktree ? (await loadWorktrees()).worktreeFarewell(worktree, sessionId) : []),
    ];
    return {
      type: 'quit',
      ...(wasUsed && { stats: this.view() }),
      ...(sessionId && { resume: sessionId }),
      ...(notes.length > 0 && { notes }),
    };
  }

  /** Agents in the background end with the program; their transcripts stay. */
  private endedAgents(): string[] {
    const runs = this.engine.config?.getAgentCaller().list() ?? [];
    const running = runs.filter(({ isBackground, status }) => isBackground && status === 'running');
    if (running.length === 0) return [];
    const many = running.length === 1 ? '1 background agent' : `${running.length} background agents`;
    return [`Ended ${many}:`, ...running.map(({ name, prompt }) => `  ${name}: ${oneLine(prompt)}`)];
  }

  /** Commands in the background end with the program. */
  private endedCommands(): string[] {
    const tasks = this.engine.shells?.listBackground() ?? [];
    const running = tasks.filter(({ status }) => status === 'running');
    if (running.length === 0) return [];
    const many = running.length === 1 ? '1 background command' : `${running.length} background commands`;
    return [`Ended ${many}:`, ...running.map(({ command, pid }) => `  ${oneLine(command)} (PID ${pid})`)];
  }
}

function agentCosts(config: Config | undefined): Record<string, number> {
  const sums = [...(config?.getLedger().byAgent() ?? [])];
  return Object.fromEntries(sums.flatMap(([name, { cost }]) => (cost === undefined ? [] : [[name, cost]])));
}

const SHOWN_COMMAND = 60;

function oneLine(command: string): string {
  const line = command.replace(/\s+/g, ' ').trim();
  return line.length > SHOWN_COMMAND ? `${line.slice(0, SHOWN_COMMAND - 1)}…` : line;
}
