import { type AgentCard, Task } from '@a2a-js/sdk';
import { DefaultRequestHandler, InMemoryTaskStore, ServerCallContext } from '@a2a-js/sdk/server';
import { expect, it } from 'vitest';
import { lines, ServiceRig } from '../local/service-rig.test-helper.js';
import { A2AExecutor } from './a2a-executor.js';
import { textPart } from './events/event-factory.js';

it('serves our agent behind the request handler of the A2A SDK', async () => {
  const rig = await ServiceRig.open(['Hello.', 'Hello again.', 'And again.']);
  const card = { capabilities: { streaming: true }, name: 'test' } as AgentCard;
  const store = new InMemoryTaskStore();
  const newHandler = () => new DefaultRequestHandler(card, store, new A2AExecutor(rig.service));
  let handler = newHandler();
  const send = async (taskId = '', contextId = '') => {
    const message = rig.message([textPart('hi')], { taskId, contextId });
    const request = { message, tenant: '', configuration: undefined, metadata: undefined };
    const events = [];
    for await (const event of handler.sendMessageStream(request, new ServerCallContext())) events.push(event);
    return events;
  };
  const first = await send();
  const task = first[0]?.payload?.$case === 'task' ? first[0].payload.value : Task.fromJSON({});
  const said = (events: typeof first) =>
    lines(events.slice(1).map((event, index) => ({ id: `1-${index}`, event, isLast: false })));
  expect(said(first)).toContain('text-content working Hello.');
  expect(said(await send(task.id, task.contextId))).toContain('text-content working Hello again.');

  // Another process with the same stores.
  handler = newHandler();
  expect(said(await send(task.id, task.contextId))).toContain('text-content working And again.');
  expect(JSON.stringify(rig.model.requests.at(-1)?.messages)).toMatch(/Hello\..*Hello again\./);
});
