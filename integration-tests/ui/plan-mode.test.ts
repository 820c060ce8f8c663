import { type RecordedRequest, type Screen, testRig } from '@gemini-cli/test-utils/rig';
import { describe, expect, it } from 'vitest';
import { callTool, declaredTools, text, toolResponses } from '../test-utils.js';
import { command, isReady, LONG, startUi } from './ui.js';

const PLAN = '# Rename it\n\n1. Rename `one` to `two`.\n';

/** Where the model was told to write its plan. */
function planPath({ body }: RecordedRequest): string {
  const instructions = body.systemInstruction?.parts.map((part) => part.text).join('\n') ?? '';
  const directory = /may be written, in (.+)\.$/m.exec(instructions)?.[1] ?? 'no plans directory';
  return `${directory}/rename.md`;
}

const writePlan = (request: RecordedRequest) => [
  callTool('write_file', { file_path: planPath(request), content: PLAN }),
];
const leave = [callTool('exit_plan_mode', { plan_filename: 'rename.md' })];
const PLAN_MODE = /^ plan \(shift\+tab to leave\)/m;

async function planIsShown(screen: Screen): Promise<void> {
  await screen.waitFor(/the plan is ready[\s\S]*Rename it[\s\S]*2\. Yes, manually accept edits/, LONG);
}

describe('Plan mode requested by the model', () => {
  it('asks the user, ends with an approved plan, and the indicator follows', async () => {
    const rig = await testRig();
    rig.model.replies([callTool('enter_plan_mode', { reason: 'Many callers.' })], writePlan, leave, [
      text('Now I carry it out.'),
    ]);
    const screen = await startUi(rig);
    await command(screen, 'rename it');
    await screen.waitFor(/Action Required[\s\S]*Many callers\.[\s\S]*1\. Allow once/, LONG);
    screen.type('1');
    await planIsShown(screen);
    expect(screen.text()).toMatch(/Rename one to two/);
    screen.type('2');
    await screen.waitFor('✦ Now I carry it out.', LONG);
    await screen.waitFor('Shift+Tab to accept edits', LONG);
    const [request] = [rig.model.requests[1]].flatMap((sent) => sent ?? []);
    expect(request && toolResponses(rig)[0]?.response.output).toContain(request && planPath(request));
    const [first, planning, , after] = [0, 1, 2, 3].map((index) => declaredTools(rig, index));
    expect(first).toEqual(expect.arrayContaining(['ask_user', 'enter_plan_mode']));
    expect(first).not.toContain('exit_plan_mode');
    expect(planning).toContain('exit_plan_mode');
    expect(planning).not.toContain('enter_plan_mode');
    expect(planning).not.toContain('run_shell_command');
    expect(after).toContain('run_shell_command');
  });

  it("returns a refused plan with the user's words; edits are then accepted", async () => {
    const rig = await testRig();
    rig.model.replies(writePlan, leave, leave, [text('Good.')]);
    const screen = await startUi(rig, ['--approval-mode', 'plan']);
    await screen.waitFor(PLAN_MODE, LONG);
    await command(screen, 'rename it');
    await planIsShown(screen);
    screen.type('3');
    await screen.waitFor('What should the plan do differently?', LONG);
    screen.type('tests first');
    await screen.waitFor('> tests first', LONG);
    screen.press('Enter');
    await rig.model.waitForRequest(3);
    expect(toolResponses(rig, 2)[0]?.response.output).toContain('The user says: tests first');
    await planIsShown(screen);
    screen.type('1');
    await screen.waitFor('✦ Good.', LONG);
    await screen.waitFor('auto-accept edits', LONG);
  });

  it('continues after Esc, and the model is told', async () => {
    const rig = await testRig();
    rig.model.replies(writePlan, leave, [text('Still planning.')]);
    const screen = await startUi(rig, ['--approval-mode', 'plan']);
    await command(screen, 'rename it');
    await planIsShown(screen);
    screen.press('Esc');
    await screen.waitFor('Request cancelled.', LONG);
    await screen.waitFor((seen) => isReady(seen) && PLAN_MODE.test(seen), LONG);
    await command(screen, 'go on');
    await screen.waitFor('✦ Still planning.', LONG);
    expect(JSON.stringify(rig.model.requests.at(-1)?.body.contents)).toContain('You are still in plan mode.');
  });
});

it('with the model auto, pro plans and flash carries out', async () => {
  const rig = await testRig();
  rig.model.replies(writePlan, leave, [text('Approved.')], [text('Carried out.')]);
  const screen = await startUi(rig, ['--approval-mode', 'plan', '--model', 'auto']);
  await command(screen, 'rename it');
  await planIsShown(screen);
  screen.type('1');
  await screen.waitFor('✦ Approved.', LONG);
  await screen.waitFor(isReady, LONG);
  // Without a plan this would be a question for pro.
  await command(screen, 'design a plugin system for this editor');
  await screen.waitFor('✦ Carried out.', LONG);
  const models = rig.model.requests.map(({ model }) => model);
  expect(models[0]).toContain('pro');
  expect(models.at(-1)).toContain('flash');
});

it('questions from the model are answered by choice and in own words', async () => {
  const rig = await testRig();
  const questions = [
    {
      question: 'Which store shall it use?',
      header: 'Store',
      options: [
        { label: 'SQLite', description: 'One file.' },
        { label: 'Files', description: 'Plain JSON.' },
      ],
    },
    { question: 'How is it called?', header: 'Name', type: 'text' },
  ];
  rig.model.replies([callTool('ask_user', { questions })], [text('Thank you.')]);
  const screen = await startUi(rig);
  await command(screen, 'build it');
  await screen.waitFor(/Question from the model[\s\S]*Which store shall it use\?[\s\S]*SQLite/, LONG);
  screen.type('2');
  await screen.waitFor('How is it called?', LONG);
  screen.type('keeper');
  await screen.waitFor('keeper', LONG);
  screen.press('Enter');
  await screen.waitFor(/Files[\s\S]*keeper/, LONG);
  screen.press('Enter');
  await screen.waitFor('✦ Thank you.', LONG);
  expect(toolResponses(rig)[0]?.response.output).toBe('{"answers":{"0":"Files","1":"keeper"}}');
  expect(screen.text()).toMatch(/Store → Files[\s\S]*Name → keeper/);
});

it('dismissed questions end the request, and the model is told why', async () => {
  const rig = await testRig();
  const questions = [{ question: 'Go on?', header: 'Go on', type: 'yesno' }];
  rig.model.replies([callTool('ask_user', { questions })], [text('As you like.')]);
  const screen = await startUi(rig, ['-y']);
  await command(screen, 'ask me');
  await screen.waitFor(/Go on\?[\s\S]*Yes[\s\S]*No/, LONG);
  screen.press('Esc');
  await screen.waitFor('Request cancelled.', LONG);
  await screen.waitFor(isReady, LONG);
  await command(screen, 'go on');
  await screen.waitFor('✦ As you like.', LONG);
  expect(JSON.stringify(rig.model.requests.at(-1)?.body.contents)).toContain('dismissed the question');
});
