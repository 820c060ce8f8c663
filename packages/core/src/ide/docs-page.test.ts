import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readUpdate } from './connection/read-update.js';
import { editor } from './ide-client.test-helper.js';

const PAGE = readFileSync(join(import.meta.dirname, '../../../../docs/ide.md'), 'utf8');
const [file = '', update = ''] = [...PAGE.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json]) => json);

it('connects to a companion whose file has the fields of the page', async () => {
  const { port: _, workspacePath: _paths, authToken: _token, ...names } = JSON.parse(file);
  const { client } = await editor({ file: names });
  await client.connect();
  expect(client.status).toEqual({ kind: 'connected', ide: names.ideInfo });
});

it('understands all of the update on the page', () => {
  const { workspaceState } = JSON.parse(update);
  expect(readUpdate({ workspaceState })).toEqual(workspaceState);
});
