/** Tells how long each selection of an editor was on its way. Bundled by ide-rows.ts; prints JSON. */
import { createIde } from '../packages/core/src/ide/create.js';

const [, , folder = '', count = '1'] = process.argv;
void main(Number(count));

/** Each selection is the time at which it was made; of those that come too fast only the last arrives. */
async function main(limit: number): Promise<void> {
  const delays: number[] = [];
  const environment = { variables: process.env, cwd: folder, home: folder };
  const client = createIde(environment, () => {
    const selected = client.context?.openFiles[0]?.selectedText;
    if (selected === undefined) return;
    if (selected !== 'end' && delays.length < limit) {
      delays.push(performance.timeOrigin + performance.now() - Number(selected));
      return;
    }
    console.log(JSON.stringify(delays));
    void client.disconnect();
  });
  await client.connect();
}
