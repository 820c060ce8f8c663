// A server without a library, so that it can do everything a server must not. Its behaviour is JSON in the first argument.
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const plan = JSON.parse(process.argv[2] ?? '{}');
const print = (value) =>
  process.stdout.write(`${typeof value === 'string' ? value : JSON.stringify(value)}\n`);
const note = (line) => plan.log && appendFileSync(plan.log, `${line}\n`);
const reached = (stage) => {
  note(stage);
  if (plan.crashAt === stage) process.exit(plan.exitCode ?? 3);
};

const schema = { type: 'object', properties: { text: { type: 'string' } } };
const tool = (name, more = {}) => ({ name, description: `Tool ${name}.`, inputSchema: schema, ...more });

function tools() {
  const fromFile =
    plan.toolsFile && existsSync(plan.toolsFile) && JSON.parse(readFileSync(plan.toolsFile, 'utf8'));
  if (fromFile) return fromFile;
  if (plan.tools) return plan.tools;
  if (plan.count) {
    const words = 'reads writes lists finds removes updates copies moves checks counts'.split(' ');
    return Array.from({ length: plan.count }, (_, index) =>
      tool(`tool_${index}`, {
        description: `This tool ${words[index % words.length]} records of the archive number ${index}, in the given order.`,
      }),
    );
  }
  return ['echo', 'slow', 'crash', 'progress', 'image', 'audio', 'fail', 'environment'].map((name) =>
    tool(name),
  );
}

const handlers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion: plan.version ?? protocolVersion,
    capabilities: plan.capabilities ?? { tools: {} },
    serverInfo: { name: 'scripted', version: '1' },
    ...(plan.instructions && { instructions: plan.instructions }),
  }),
  ping: () => ({}),
  'tools/list': ({ cursor }) => {
    const all = tools();
    if (plan.endless)
      return { tools: [tool(`page_${cursor ?? 0}`)], nextCursor: String(Number(cursor ?? 0) + 1) };
    if (!plan.pageSize) return { tools: all };
    const start = Number(cursor ?? 0);
    const end = start + plan.pageSize;
    return { tools: all.slice(start, end), ...(end < all.length && { nextCursor: String(end) }) };
  },
  'tools/call': async ({ name, arguments: args, _meta }) => {
    if (plan.results?.[name]) return plan.results[name];
    const text = (value) => ({ content: [{ type: 'text', text: value }] });
    if (name === 'crash') process.exit(7);
    if (name === 'slow') return new Promise(() => {});
    if (name === 'huge') return text('x'.repeat(plan.bytes));
    if (name === 'hugeFail') return { ...text('x'.repeat(plan.bytes)), isError: true };
    if (name === 'fail') return { ...text('it went wrong'), isError: true };
    if (name === 'image')
      return { content: [{ type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' }] };
    if (name === 'audio') return { content: [{ type: 'audio', mimeType: 'audio/wav', data: 'UklGRg==' }] };
    if (name === 'token') return text(String(_meta?.progressToken));
    if (name === 'environment') return text(JSON.stringify(process.env));
    if (name === 'progress') {
      for (const progress of [1, 2])
        print({
          jsonrpc: '2.0',
          method: 'notifications/progress',
          params: { progressToken: _meta.progressToken, progress, total: 4, message: 'working' },
        });
      // A client may drop progress that it reads together with the answer.
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return text(`${name}: ${JSON.stringify(args)}`);
  },
};

if (plan.environmentFile) writeFileSync(plan.environmentFile, JSON.stringify(process.env));
if (plan.ignoresSignals) for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => {});
if (plan.noise) setInterval(() => print('noise\n'.repeat(1_000)), 1);
if (plan.child) spawn('sleep', ['300'], { stdio: 'ignore' });
// A daemon: in a session of its own, and deaf to signals.
if (plan.daemon)
  spawn('sh', ['-c', "trap '' TERM HUP INT; sleep 300 & wait"], { stdio: 'ignore', detached: true }).unref();
if (plan.garbage) print('Welcome! This is not JSON.\n{"jsonrpc":\n[1,2]\n"x"\n{"a":1}');
reached('start');
createInterface({ input: process.stdin }).on('line', async (line) => {
  const message = JSON.parse(line);
  const { method, id, params = {} } = message;
  if (method === undefined) return note(`answer ${JSON.stringify(message)}`);
  reached(method);
  if (plan.silentAt === method) return;
  if (method === 'notifications/initialized')
    for (const [index, request] of (plan.requests ?? []).entries())
      print({ jsonrpc: '2.0', id: `own-${index}`, ...request });
  if (method === 'notifications/initialized' && plan.floodMs) {
    const end = Date.now() + plan.floodMs;
    const flood = () => {
      for (let count = 0; count < 10; count++)
        print({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
      if (Date.now() < end) setTimeout(flood, 10);
      else note('flood over');
    };
    flood();
  }
  if (id === undefined) return;
  if (plan.wrong === method && plan.wrongError) return print({ jsonrpc: '2.0', id, error: plan.wrongError });
  const handler = handlers[method];
  if (!handler) return print({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } });
  if (plan.rawToolsFile && method === 'tools/list') {
    const tools = readFileSync(plan.rawToolsFile, 'utf8');
    return print(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"tools":${tools}}}`);
  }
  const refusal = method === 'tools/call' && plan.refusesFirst?.[params.name];
  if (refusal) {
    delete plan.refusesFirst[params.name];
    print({ jsonrpc: '2.0', id, error: refusal });
    const pages = refusal.data?.elicitations ?? [];
    for (const { elicitationId } of pages)
      print({ jsonrpc: '2.0', method: 'notifications/elicitation/complete', params: { elicitationId } });
    return;
  }
  const result = await handler(params);
  if (plan.wrong === method) return print({ jsonrpc: '2.0', id, result: plan.wrongResult });
  print({ jsonrpc: '2.0', id, result });
  if (plan.twice) print({ jsonrpc: '2.0', id, result });
});
