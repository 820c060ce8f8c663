/** Updates of a session through the protocol library and the lines of a stream. Bundled by acp-rows.ts; prints JSON. */
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { registerMethods } from '../packages/sdk/src/acp/agent/register.js';
import { ClientPort } from '../packages/sdk/src/acp/session/client-port.js';
import { lineStream } from '../packages/sdk/src/acp/wire/lines.js';

void run(Number(process.argv[2]));

async function run(count: number): Promise<void> {
  const output = new PassThrough();
  const noAgent = () => {
    throw new Error('Nothing is asked here.');
  };
  const { client } = registerMethods(noAgent).connect(lineStream({ input: new PassThrough(), output }));
  const port = new ClientPort(client, 'session');
  const started = performance.now();
  const arrived = inOrder(output, count);
  for (let index = 0; index < count; index++) {
    port.say(String(index));
    await port.keepUp();
  }
  await arrived;
  process.stdout.write(JSON.stringify(performance.now() - started));
  process.exit(0);
}

/** Resolves with the last update. @throws when one is missing, or at another place */
function inOrder(input: PassThrough, count: number): Promise<void> {
  let next = 0;
  return new Promise((resolve, reject) => {
    createInterface({ input }).on('line', (line) => {
      const { text } = JSON.parse(line).params.update.content;
      if (text !== String(next)) reject(new Error(`Update ${text} came at place ${next}.`));
      if (++next === count) resolve();
    });
  });
}
