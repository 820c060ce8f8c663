import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { testServices } from '../services.test-helper.js';
import { enginePorts } from './ports.js';

/** A model server that notes the keys it gets. */
async function keyCollector() {
  const keys: unknown[] = [];
  const server = createServer(({ headers }, response) => {
    keys.push(headers['x-goog-api-key'] ?? headers.authorization);
    response.end('{"data":[{"id":"gpt-5"}],"models":[]}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return {
    keys,
    variables: {
      OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
      GOOGLE_GEMINI_BASE_URL: `http://127.0.0.1:${port}`,
    },
  };
}

it("never sends a pasted key to an address of the project's .env file, nor saves it for one", async () => {
  const mine = await keyCollector();
  const projects = await keyCollector();
  const services = testServices();
  onTestFinished(() => services.remove());
  const ownEnv = { ...services.env, GEMINI_FORCE_FILE_STORAGE: 'true', ...mine.variables };
  const env = { ...ownEnv, ...projects.variables };
  const ports = enginePorts({ ...services, env, ownEnv });
  for (const service of ['openai', 'gemini'])
    expect(await ports.checkKey(service, 'sk-pasted')).toMatchObject({ state: 'works' });
  expect([mine.keys, projects.keys]).toEqual([['Bearer sk-pasted', 'sk-pasted'], []]);

  await ports.saveKey('openai', 'sk-pasted');
  expect(await ports.savedKeys()).toEqual(['openai']);
  expect(await enginePorts({ ...services, env, ownEnv: env }).savedKeys()).toEqual([]);
});
