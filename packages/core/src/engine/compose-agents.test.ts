import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { EventStream } from '../bus/event-stream.js';
import { storageOf } from '../platform/storage/project-id.js';
import { ApprovalMode } from '../protocol/confirmation.js';
import { LoadedSettings } from '../settings/loaded-settings.js';
import { composeAgents } from './compose-agents.js';
import type { ConfigParameters } from './parameters.js';
import { Project } from './project.js';

function setup(given: Partial<ConfigParameters> = {}) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'compose-agents-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const targetDir = join(root, 'project');
  mkdirSync(targetDir);
  const env = { GEMINI_CLI_HOME: join(root, 'home') };
  const events = new EventStream();
  const notices: string[] = [];
  events.subscribe((event) => {
    if (event.type === 'notice') notices.push(event.message);
  });
  const settings = LoadedSettings.load({ cwd: targetDir, env, trusted: true });
  const project = new Project({
    sessionId: 's',
    targetDir,
    debugMode: false,
    model: 'offline',
    interactive: true,
    events,
    settings,
    deriveForTrust: () => ({
      agents: { overrides: settings.merged.agents?.overrides ?? {} },
      enableAgents: settings.merged.experimental?.enableAgents ?? true,
    }),
    ...given,
  });
  const storage = storageOf(env, targetDir);
  const signal = new AbortController().signal;
  const agents = composeAgents({ project, targetDir, storage, events, signal, isKnownModel: () => false });
  onTestFinished(agents.close);
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  /** Answers every question about agents. */
  const answer = (value: boolean) => {
    const asked: string[][] = [];
    events.subscribe(
      (event) => {
        if (event.type !== 'question' || event.question.kind !== 'project_agents') return;
        asked.push(event.question.agents.map(({ name, state }) => `${name} ${state}`));
        events.answer(event.id, value);
      },
      { answers: true },
    );
    return asked;
  };
  const names = () => agents.registry.getAllAgents().map(({ name }) => name);
  return { agents, project, settings, notices, write, answer, names };
}

const agent = (name: string) => `---\nname: ${name}\ndescription: Does it.\n---\nWork.\n`;
const PROJECT = 'project/.gemini/agents';
const USER = 'home/.gemini/agents';

describe('agents of a project', () => {
  it('asks the user about new agents once, and then loads them without a question', async () => {
    const { agents, write, answer, names, notices } = setup();
    const asked = answer(true);
    write(`${PROJECT}/a.md`, agent('a'));
    write(`${USER}/b.md`, agent('b'));
    await Promise.all([agents.load(), agents.load()]);
    expect(asked).toEqual([['a new']]);
    expect(names()).toEqual(['b', 'a']);
    await agents.reload();
    expect(asked).toHaveLength(1);
    expect(notices).toEqual([]);
  });

  it('does not ask in a headless run, not in yolo mode either', async () => {
    const { agents, write, answer, names, notices } = setup({
      interactive: false,
      approvalMode: ApprovalMode.YOLO,
    });
    const asked = answer(true);
    write(`${PROJECT}/a.md`, agent('a'));
    await agents.load();
    expect([asked, names()]).toEqual([[], []]);
    expect(notices).toHaveLength(1);
    expect(notices[0]).toContain('The project agent a is not enabled');
  });

  it('loads no agents of an untrusted folder, and says so once the folder has some', async () => {
    const { agents, write, answer, names, notices, project } = setup({ trusted: false });
    const asked = answer(true);
    await agents.load();
    expect(notices).toEqual([]);
    write(`${PROJECT}/a.md`, agent('a'));
    await agents.reload();
    expect([names(), asked]).toEqual([[], []]);
    expect(notices).toEqual(['The agents of this folder are not loaded, because the folder is not trusted.']);
    project.setTrusted(true);
    await agents.reload();
    expect(names()).toEqual(['a']);
    project.setTrusted(false);
    expect(names()).toEqual([]);
  });

  it('reads nothing while there are no folders or agents are disabled', async () => {
    const { agents, names } = setup();
    await agents.load();
    expect(names()).toEqual([]);
    const off = setup({ enableAgents: false });
    off.write(`${USER}/b.md`, agent('b'));
    await off.agents.load();
    expect(off.names()).toEqual([]);
  });

  it('loads agents of extensions last', async () => {
    const { agents, write, names, project } = setup();
    write(`${USER}/b.md`, agent('b'));
    write('ext/agents/c.md', `${agent('c')}\nLook in \${extensionPath}/data, not in \${other}.\n`);
    const dir = join(dirname(project.parameters.targetDir), 'ext/agents');
    project.change({
      extensionAgents: [{ dir, extensionName: 'ext', variables: { extensionPath: '/ext' } }],
    });
    await agents.load();
    expect(names()).toEqual(['b', 'c']);
    expect(agents.registry.getAgent('c')?.source).toMatchObject({ kind: 'extension', extensionName: 'ext' });
  });

  it('follows a change of the settings at once', async () => {
    const { agents, write, names, settings } = setup();
    write(`${USER}/my-agent.md`, agent('my-agent'));
    await agents.load();
    let changes = 0;
    agents.registry.onChange(() => changes++);
    await settings.setValue('user', 'agents.overrides.my_agent.enabled', false);
    expect(names()).toEqual([]);
    expect(changes).toBeGreaterThan(0);
    await settings.setValue('user', 'agents.overrides.my_agent.enabled', undefined);
    expect(names()).toEqual(['my-agent']);
  });
});
