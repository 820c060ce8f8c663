import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeBus, tempDir } from '@gemini-cli/test-utils';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Storage } from '../../platform/storage/storage.js';
import { ToolErrorType } from '../tool-error.js';
import { TRACKER_TOOLS, TrackerTool } from './tracker-tools.js';

function lab() {
  const folder = tempDir('tracker-');
  onTestFinished(() => folder.cleanup());
  const storage = new Storage({ globalDir: folder.path, projectRoot: folder.path, projectId: 'p' });
  const host = { storage, getSessionId: () => 'session-1' };
  const directory = join(storage.getProjectTempDir(), 'session-1/tracker');
  const build = (name: string, params: object) => {
    const definition = TRACKER_TOOLS.find((tool) => tool.name === `tracker_${name}`);
    if (!definition) throw new Error(`There is no ${name}.`);
    return new TrackerTool(host, makeBus(), definition).build(params);
  };
  const run = (name: string, params: object = {}) =>
    build(name, params).execute({ abortSignal: new AbortController().signal });
  const create = async (title: string, more: object = {}) => {
    const { llmContent, error } = await run('create_task', { title, description: '', type: 'task', ...more });
    if (error) throw new Error(error.message);
    return /^Created task ([0-9a-f]{6}): /.exec(String(llmContent))?.[1] ?? '';
  };
  return { directory, build, run, create, files: () => readdirSync(directory) };
}

describe('the task tracker', () => {
  it('keeps each task in a file of the session, for this user only', async () => {
    const { create, directory, files } = lab();
    const id = await create('Parse', { description: 'All of it', type: 'epic' });
    expect(files()).toEqual([`${id}.json`]);
    const path = join(directory, `${id}.json`);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
      id,
      title: 'Parse',
      description: 'All of it',
      type: 'epic',
      status: 'open',
      dependencies: [],
    });
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('names the file that a call will change, for undo', async () => {
    const { build, create, directory, files } = lab();
    const creation = build('create_task', { title: 'a', description: '', type: 'bug' });
    const [location] = creation.toolLocations();
    await creation.execute({ abortSignal: new AbortController().signal });
    expect(files().map((name) => join(directory, name))).toEqual([location?.path]);
    const id = await create('b');
    expect(build('update_task', { id, status: 'closed' }).toolLocations()).toEqual([
      { path: join(directory, `${id}.json`) },
    ]);
    const wrong = build('update_task', { id: '../../x' }).toolLocations();
    expect(wrong.map(({ path }) => dirname(path))).toEqual([directory]);
    expect(build('get_task', { id }).toolLocations()).toEqual([]);
  });

  it('changes, shows and lists tasks', async () => {
    const { run, create } = lab();
    const epic = await create('Release', { type: 'epic' });
    const id = await create('Notes', { parentId: epic });
    expect((await run('update_task', { id, status: 'in_progress', title: 'Notes!' })).llmContent).toBe(
      `Updated task ${id}. Status: in_progress`,
    );
    expect(JSON.parse(String((await run('get_task', { id })).llmContent))).toMatchObject({
      title: 'Notes!',
      parentId: epic,
    });
    expect((await run('get_task', { id: 'abcdef' })).llmContent).toBe('Task abcdef not found.');
    const inProgress = await run('list_tasks', { status: 'in_progress' });
    expect(inProgress.llmContent).toBe(`- [${id}] task in_progress: Notes!`);
    expect((await run('list_tasks', { parentId: epic })).llmContent).toContain(id);
    expect((await run('list_tasks', { type: 'bug' })).llmContent).toBe('No tasks match.');
  });

  it('shows the whole graph to the user as todos, and to the model as a tree', async () => {
    const { run, create } = lab();
    const epic = await create('Release', { type: 'epic' });
    const build = await create('Build', { parentId: epic });
    const ship = await create('Ship', { parentId: epic, dependencies: [build] });
    const { llmContent, returnDisplay } = await run('visualize');
    const tree = String(llmContent).split('\n');
    expect(tree[0]).toBe(`[EPIC] ${epic} Release [open]`);
    expect(tree.slice(1).sort()).toEqual(
      [`+- [TASK] ${build} Build [open]`, `+- [TASK] ${ship} Ship [open] (depends on ${build})`].sort(),
    );
    const { todos } = returnDisplay as { todos: { description: string; status: string }[] };
    expect(todos[0]).toEqual({ description: `[EPIC] Release (${epic})`, status: 'pending' });
    await run('update_task', { id: build, status: 'closed' });
    const after = (await run('visualize')).returnDisplay as typeof returnDisplay & { todos: typeof todos };
    expect(after.todos).toContainEqual({ description: `  [TASK] Build (${build})`, status: 'completed' });
    expect((await lab().run('visualize')).llmContent).toBe('There are no tasks.');
  });

  it.each([
    ['create_task', { title: 'x', description: '', type: 'task', parentId: 'ffffff' }, 'no task ffffff'],
    ['create_task', { title: 'x', description: '', type: 'task', dependencies: ['../x'] }, 'no task ../x'],
    ['update_task', { id: 'ffffff', status: 'closed' }, 'Task ffffff not found.'],
    ['add_dependency', { taskId: 'ffffff', dependencyId: 'eeeeee' }, 'Task ffffff not found.'],
  ])('refuses %s with %j', async (name, params, message) => {
    const { error } = await lab().run(name, params);
    expect(error?.message).toContain(message);
    expect(error?.type).toBe(ToolErrorType.EXECUTION_FAILED);
  });

  it('refuses circles and closing before what a task depends on', async () => {
    const { run, create } = lab();
    const a = await create('a');
    const b = await create('b', { dependencies: [a] });
    const c = await create('c');
    expect((await run('add_dependency', { taskId: c, dependencyId: b })).llmContent).toBe(
      `Task ${c} now depends on ${b}.`,
    );
    const circle = await run('add_dependency', { taskId: a, dependencyId: c });
    expect(circle.error?.message).toBe(`Circular dependency: ${a} -> ${c} -> ${b} -> ${a}.`);
    const itself = await run('update_task', { id: a, dependencies: [a] });
    expect(itself.error?.message).toBe(`Circular dependency: ${a} -> ${a}.`);
    const early = await run('update_task', { id: b, status: 'closed' });
    expect(early.error?.message).toBe(`Task ${b} depends on tasks that are not closed: ${a}.`);
    await run('update_task', { id: a, status: 'closed' });
    expect((await run('update_task', { id: b, status: 'closed' })).error).toBeUndefined();
  });

  it('leaves out damaged files and survives parents that form a circle', async () => {
    const { run, directory } = lab();
    const task = (id: string, parentId: string) =>
      JSON.stringify({
        id,
        parentId,
        title: id,
        description: '',
        type: 'task',
        status: 'open',
        dependencies: [],
      });
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, 'aaaaaa.json'), task('aaaaaa', 'bbbbbb'));
    writeFileSync(join(directory, 'bbbbbb.json'), task('bbbbbb', 'aaaaaa'));
    writeFileSync(join(directory, 'cccccc.json'), '{"id":"cccc');
    const { llmContent } = await run('visualize');
    expect(llmContent).toBe('[TASK] aaaaaa aaaaaa [open]\n+- [TASK] bbbbbb bbbbbb [open]');
  });
});
