/**
 * Our agent for servers that are built with the A2A SDK: runs each request of the SDK's handler as a turn of a
 * `TaskService`. Our own server does not need it.
 */
import type { AgentExecutor, ExecutionEventBus, RequestContext } from '@a2a-js/sdk/server';
import type { TaskService } from '../contract.js';

const KEPT = 'coderAgentTaskId';

export class A2AExecutor implements AgentExecutor {
  /** Tasks of the service by the ids that the SDK's handler gives them. */
  private readonly tasks = new Map<string, string>();

  constructor(private readonly service: TaskService) {}

  readonly execute = async (context: RequestContext, bus: ExecutionEventBus): Promise<void> => {
    const { taskId, contextId, userMessage } = context;
    const known = this.tasks.get(taskId) ?? (await this.find(context.task?.metadata?.[KEPT]));
    const accepted = await this.service.send({ ...userMessage, contextId, taskId: known ?? '' });
    this.tasks.set(taskId, accepted.taskId);
    const { task } = await this.service.get(accepted.taskId);
    // So that a later process, whose handler has kept the task, finds the conversation in a service that has kept it, too.
    const metadata = { ...task.metadata, [KEPT]: accepted.taskId };
    bus.publish({ kind: 'task', data: { ...task, id: taskId, contextId, metadata } });
    const { signal } = new AbortController();
    for await (const { event } of this.service.events(accepted.taskId, { after: accepted.after, signal })) {
      const { payload } = event;
      if (payload?.$case === 'statusUpdate')
        bus.publish({ kind: 'statusUpdate', data: { ...payload.value, taskId, contextId } });
      if (payload?.$case === 'artifactUpdate')
        bus.publish({ kind: 'artifactUpdate', data: { ...payload.value, taskId, contextId } });
    }
    bus.finished();
  };

  readonly cancelTask = async (taskId: string): Promise<void> => {
    const known = this.tasks.get(taskId);
    // The events of the running turn end with the state `canceled`.
    if (known !== undefined) await this.service.cancel(known);
  };
  private async find(kept: unknown): Promise<string | undefined> {
    if (typeof kept !== 'string') return undefined;
    const found = this.service.get(kept);
    return found.then(
      () => kept,
      () => undefined,
    );
  }
}
