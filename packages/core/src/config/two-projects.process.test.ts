/** Two projects in one process, at the same time: neither sees anything of the other. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  callTool,
  type ModelServer,
  sendPrompt,
  startModelServer,
  tempDir,
  text,
  waitUntil,
} from '@gemini-cli/test-utils';
import { expect, it, onTestFinished } from 'vitest';
import { openProject } from '../project/open-project.js';
import { Config } from './config.js';

/** By the settings of the project, and by those of the user. */
const EXCLUDED: Readonly<Record<string, string>> = { mona: 'glob', luis: 'list_directory' };
const MODELS: Readonly<Record<string, string>> = { mona: 'gemini-2.5-flash', luis: 'gemini-2.5-pro' };

const COMMAND = 'echo "$GREETING [$ONLY_MONA] $HOME $GEMINI_CLI_HOME"; pwd';

it('keeps folders, homes, .env files, settings, keys and sessions of two projects apart', async () => {
  const before = JSON.stringify(process.env);
  const [mona, luis] = [await project('mona'), await project('luis')];
  // Each waits in the middle of a request for the other: first Luis's command, then Mona's, then both answers.
  mona.model.replies([waitUntil(luis.model.waitForRequest(2)), shellCall()], [text('Mona is done')]);
  luis.model.replies(
    [waitUntil(mona.model.waitForRequest(1)), shellCall()],
    [waitUntil(mona.model.waitForRequest(2)), text('Luis is done')],
  );
  const events = await Promise.all([
    sendPrompt(mona.config, 'a question of mona'),
    sendPrompt(luis.config, 'a question of luis'),
  ]);
  expect(events.map((all) => all.at(-1))).toMatchObject([{ reason: 'completed' }, { reason: 'completed' }]);

  for (const [own, other] of [
    [mona, luis],
    [luis, mona],
  ] as const) {
    const { model, home, folder, name } = own;
    expect(model.requests.map(({ headers }) => headers['x-goog-api-key'])).toEqual([
      `key-of-${name}`,
      `key-of-${name}`,
    ]);
    const sent = model.requests.map(({ body }) => JSON.stringify(body)).join('\n');
    expect(sent).toContain(
      `hello ${name} [${name === 'mona' ? 'yes' : ''}] ${join(home, 'user')} ${home}\\n${folder}`,
    );
    expect(sent).toContain(`a question of ${name}`);
    expect(sent).not.toContain(other.name);
    const declared = model.requests.at(-1)?.body.tools?.flatMap((tool) => tool.functionDeclarations ?? []);
    const names = declared?.map((tool) => tool.name);
    expect(names).not.toContain(EXCLUDED[name]);
    expect(names).toContain(EXCLUDED[other.name]);
    expect(own.config.getModel()).toBe(MODELS[name]);
    expect(sessionTexts(own)).toContain(`a question of ${name}`);
    expect(sessionTexts(own)).not.toContain(other.name);
    expect(Object.keys(projectsIn(own))).toEqual([folder]);
    expect(own.config.validatePathAccess(join(other.folder, 'a.txt'))).toContain('Path not in workspace');
  }
  expect(JSON.stringify(process.env)).toBe(before);
});

interface Project {
  name: string;
  config: Config;
  model: ModelServer;
  home: string;
  folder: string;
}

async function project(name: string): Promise<Project> {
  const model = await startModelServer();
  const root = tempDir(`two-projects-${name}-`);
  const [home, folder] = [join(root.path, 'home'), join(root.path, 'work')];
  for (const path of [join(home, 'user'), folder]) mkdirSync(path, { recursive: true });
  const variables = {
    PATH: process.env['PATH'],
    HOME: join(home, 'user'),
    GEMINI_CLI_HOME: home,
    GEMINI_API_KEY: `key-of-${name}`,
    GOOGLE_GEMINI_BASE_URL: model.url,
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
  };
  const write = (path: string, content: string) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  };
  write(join(folder, '.env'), `GREETING=hello ${name}\n${name === 'mona' ? 'ONLY_MONA=yes\n' : ''}`);
  write(join(folder, '.gemini/settings.json'), JSON.stringify({ tools: { exclude: [EXCLUDED[name]] } }));
  write(join(home, '.gemini/settings.json'), JSON.stringify({ model: { name: MODELS[name] } }));
  const opened = await openProject({
    cwd: folder,
    env: variables,
    overrides: { approvalMode: 'yolo' },
    frontEnd: { interactive: false },
  });
  const config = new Config(opened);
  onTestFinished(async () => {
    await config.shutdown();
    await model.close();
    root.cleanup();
  });
  await config.initialize();
  return { name, config, model, home, folder };
}

function shellCall() {
  return callTool('run_shell_command', { command: COMMAND });
}

function sessionTexts({ config }: Project): string {
  const chats = config.storage.getChatsDir();
  const names = readdirSync(chats).filter((name) => name.endsWith('.jsonl'));
  return names.map((name) => readFileSync(join(chats, name), 'utf8')).join('');
}

function projectsIn({ home }: Project): Record<string, string> {
  const { projects } = JSON.parse(readFileSync(join(home, '.gemini/projects.json'), 'utf8'));
  return projects;
}
