// A chat over HTTP: POST /chat?user=ada with a text answers as server-sent events. Each user has a session and a folder.
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, resolve } from 'node:path';
import { GeminiCliAgent, SessionBusyError } from '@gemini-cli/sdk';

const root = resolve(process.env.CHAT_ROOT ?? 'chats');
const MAX_BYTES = 64 * 1024;
const users = new Map();

function sessionOf(user) {
  let found = users.get(user);
  if (!found) {
    const cwd = join(root, user);
    mkdirSync(cwd, { recursive: true });
    const agent = new GeminiCliAgent({
      cwd,
      trust: true,
      settings: 'none',
      instructions: `You talk with ${user}.`,
      // A chat has no use for commands.
      policies: [{ toolName: 'run_shell_command', decision: 'deny' }],
    });
    found = { agent, session: agent.session() };
    users.set(user, found);
  }
  return found.session;
}

async function bodyOf(request) {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) {
    text += chunk;
    if (text.length > MAX_BYTES) throw new RangeError('The message is too long.');
  }
  return text;
}

const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  const user = searchParams.get('user') ?? '';
  if (request.method !== 'POST' || pathname !== '/chat' || !/^[a-z0-9]{1,32}$/.test(user)) {
    response.writeHead(404).end();
    return;
  }
  const left = new AbortController();
  response.on('close', () => left.abort());
  const send = (event) => response.write(`data: ${JSON.stringify(event)}\n\n`);
  try {
    const prompt = await bodyOf(request);
    const stream = sessionOf(user).sendStream(prompt, { signal: left.signal });
    let next = await stream.next();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (; !next.done; next = await stream.next())
      if (['content', 'error'].includes(next.value.type)) send(next.value);
    send({ type: 'end', value: next.value.finishReason });
  } catch (error) {
    const status = error instanceof SessionBusyError ? 409 : error instanceof RangeError ? 413 : 500;
    // What is wrong with the server is not for its users.
    if (status === 500) console.error(error.message);
    if (!response.headersSent) response.writeHead(status);
    response.write(status === 500 ? 'There is no answer now.' : error.message);
  }
  response.end();
});

server.listen(Number(process.env.PORT ?? 0), '127.0.0.1', () =>
  console.log(`http://127.0.0.1:${server.address().port}`),
);

process.once('SIGTERM', async () => {
  server.close();
  await Promise.all([...users.values()].map(({ agent }) => agent.dispose()));
});
