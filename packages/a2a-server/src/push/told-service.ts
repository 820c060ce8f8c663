/** What clients and the page use of a service. Push targets are told of a change, also when the page or another client made it. */
import type { TaskService } from '../contract.js';
import { isRunning } from '../protocol/task-state.js';
import type { PushConfigs } from './push-configs.js';

export type ToldService = Pick<TaskService, 'send' | 'cancel' | 'get' | 'list' | 'events'>;

/** @param push absent: this server sends no notifications */
export function toldService(service: TaskService, push: PushConfigs | undefined): ToldService {
  return {
    get: (taskId) => service.get(taskId),
    list: (query) => service.list(query),
    events: (taskId, options) => service.events(taskId, options),
    async send(message) {
      const accepted = await service.send(message);
      await push?.watch(accepted.taskId, accepted.after);
      return accepted;
    },
    async cancel(taskId) {
      const before = await service.get(taskId);
      const after = await service.cancel(taskId);
      // A turn that runs ends with an event, which is followed already.
      if (!isRunning(before.task.status?.state)) push?.tellState(after);
      return after;
    },
  };
}
