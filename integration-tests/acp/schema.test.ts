/** Every message of a conversation fits the schema that the protocol publishes. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it, onTestFinished } from 'vitest';
import { BUNDLE, callTool, type TestRig, testRig, text, thought } from '../test-utils.js';

const require = createRequire(import.meta.url);
const SCHEMA = JSON.parse(
  readFileSync(require.resolve('@agentclientprotocol/sdk/schema/schema.json'), 'utf8'),
);
const ajv = new Ajv2020({ strict: false, allErrors: true, logger: false });
ajv.addSchema(SCHEMA, 'acp');

/** What is said as the answer to a request of ours, or by the agent itself. */
const ANSWERS: Record<string, string> = {
  initialize: 'InitializeResponse',
  'session/new': 'NewSessionResponse',
  'session/set_mode': 'SetSessionModeResponse',
  'session/list': 'ListSessionsResponse',
  'session/load': 'LoadSessionResponse',
  'session/prompt': 'PromptResponse',
};
const SAID: Record<string, string> = {
  'session/update': 'SessionNotification',
  'session/request_permission': 'RequestPermissionRequest',
};

interface Message {
  id?: number;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: unknown;
}

it('sends nothing that its schema does not know', { timeout: 60_000 }, async () => {
  const rig = await testRig({ files: { 'a.txt': 'one\n' } });
  const edit = { file_path: 'a.txt', instruction: 'x', old_string: 'one', new_string: 'two' };
  const todos = { todos: [{ description: 'look', status: 'in_progress' }] };
  rig.model.replies(
    [thought('**Plan** first'), callTool('replace', edit)],
    [callTool('write_todos', todos), callTool('run_shell_command', { command: 'echo hi' })],
    [callTool('read_file', { file_path: 'missing.txt' })],
    [text('done')],
  );
  const agent = new AcpProcess(rig);
  await agent.ask('initialize', { protocolVersion: 1, clientCapabilities: {} });
  const { sessionId } = await agent.ask('session/new', { cwd: rig.workspace, mcpServers: [] });
  await agent.ask('session/set_mode', { sessionId, modeId: 'default' });
  await agent.ask('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'edit it' }] });
  await agent.ask('session/list', {});
  await agent.ask('session/load', { sessionId, cwd: rig.workspace, mcpServers: [] });
  expect(rig.read('a.txt')).toBe('two\n');
  expect(agent.kinds).toEqual(
    expect.arrayContaining(['session/request_permission', 'tool_call', 'tool_call_update', 'plan']),
  );
  expect(agent.problems).toEqual([]);
});

class AcpProcess {
  /** Messages that do not fit, with the reasons. */
  readonly problems: unknown[] = [];
  /** Methods and kinds of updates of the agent. */
  readonly kinds: string[] = [];
  private readonly child;
  private readonly asked = new Map<number, { method: string; answer: (message: Message) => void }>();

  constructor(rig: TestRig) {
    this.child = spawn(process.execPath, [BUNDLE, '--acp'], {
      cwd: rig.workspace,
      env: rig.environment(),
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const ended = once(this.child, 'close');
    onTestFinished(async () => {
      this.child.stdin.end();
      await ended;
    });
    createInterface({ input: this.child.stdout }).on('line', (line) => this.hear(JSON.parse(line)));
  }

  /** @returns the result */
  async ask(method: string, params: object): Promise<{ sessionId: string }> {
    const id = this.asked.size;
    const answered = new Promise<Message>((answer) => this.asked.set(id, { method, answer }));
    this.send({ id, method, params });
    const { result, error } = await answered;
    expect(error).toBeUndefined();
    return result as { sessionId: string };
  }

  private hear(message: Message): void {
    const { id, method, params, result } = message;
    if (method === undefined) {
      const asked = this.asked.get(id ?? -1);
      this.check(ANSWERS[asked?.method ?? ''], result);
      asked?.answer(message);
      return;
    }
    const { update } = params as { update?: { sessionUpdate: string } };
    this.kinds.push(update?.sessionUpdate ?? method);
    this.check(SAID[method], params);
    if (method === 'session/request_permission')
      this.send({ id, result: { outcome: { outcome: 'selected', optionId: 'proceed_once' } } });
  }

  private check(name: string | undefined, value: unknown): void {
    const fits = ajv.getSchema(`acp#/$defs/${name}`);
    if (!fits?.(value)) this.problems.push({ name, value, errors: fits?.errors });
  }

  private send(message: object): void {
    this.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }
}
