/** What works in the background, commands and agents, as the pane of tasks shows it. */
import type { AgentRunView, Config, ShellExecutionService } from '@gemini-cli/core';
import type { Key } from '../../keys/key.js';
import { cleanLine, cleanText } from '../../text/clean.js';

export interface BackgroundTask {
  /** Process id, or the name of the run. */
  id: string;
  state: string;
  /** The command, or the agent's task. */
  title: string;
  isRunning: boolean;
  /** The last lines of what it shows. */
  output(maxLines: number): string[];
  /** Takes a key that is typed into it. */
  type(key: Key): void;
  end(): void;
}

export type TaskSources = {
  shells: () =>
    | Pick<ShellExecutionService, 'listBackground' | 'readBackground' | 'write' | 'kill'>
    | undefined;
  agents: () => Pick<ReturnType<Config['getAgentCaller']>, 'list' | 'stop' | 'say'> | undefined;
};

/** Commands first, then agents, each in the order of their start. */
export function backgroundTasks(sources: TaskSources, drafts: Map<string, string>): BackgroundTask[] {
  const shells = sources.shells();
  const agents = sources.agents();
  return [
    ...(shells ? shells.listBackground().map((task) => commandTask(task, shells)) : []),
    ...(agents
      ? agents
          .list()
          .filter(({ isBackground }) => isBackground)
          .map((run) => agentTask(run, agents, drafts))
      : []),
  ];
}

type Shells = NonNullable<ReturnType<TaskSources['shells']>>;
type Agents = NonNullable<ReturnType<TaskSources['agents']>>;

function commandTask(
  { pid, command, status, exitCode, signal }: ReturnType<Shells['listBackground']>[number],
  shells: Shells,
): BackgroundTask {
  const isRunning = status === 'running';
  return {
    id: String(pid),
    state: isRunning ? 'running' : exitCode === null ? endedBy(signal) : `exit ${exitCode}`,
    title: command,
    isRunning,
    output: (maxLines) => [...(shells.readBackground(pid, maxLines)?.lines ?? [])],
    type: ({ sequence }) => void shells.write(pid, sequence),
    end: () => void shells.kill(pid),
  };
}

/** A line typed into an agent reaches it between two of its turns. */
function agentTask(run: AgentRunView, agents: Agents, drafts: Map<string, string>): BackgroundTask {
  const { id, name, prompt, status, progress } = run;
  const isRunning = status === 'running' || status === 'waiting';
  const draft = drafts.get(id) ?? '';
  return {
    id: cleanLine(id),
    state: status,
    title: `agent ${cleanLine(name)}: ${prompt}`,
    isRunning,
    output: (maxLines) => {
      const steps = (progress?.recentActivity ?? []).map(
        ({ content, status: state = '' }) =>
          `${state === 'completed' ? '' : `${state}: `}${cleanText(content)}`,
      );
      const report = !isRunning && progress?.result ? progress.result.split('\n') : [];
      return [...steps, ...report, ...(draft ? [`> ${draft}`] : [])].slice(-maxLines);
    },
    type: ({ name: keyName, text }) => {
      if (keyName === 'enter') {
        if (agents.say(id, draft)) drafts.delete(id);
      } else if (keyName === 'backspace') drafts.set(id, draft.slice(0, -1));
      else drafts.set(id, draft + text);
    },
    end: () => void agents.stop(id),
  };
}

function endedBy(signal: string | null): string {
  return signal ? `ended by ${signal}` : 'ended';
}
