import { callTool, evalTask, text } from '../task.js';

const plan = (content: string) => callTool('write_file', { file_path: 'plans/currencies.md', content });

export default evalTask({
  kind: 'plan',
  about: 'writes a plan that names the files to change, and submits it',
  mode: 'plan',
  settings: { general: { plan: { directory: 'plans' } } },
  prompt:
    'Plan how invoices could be written in pounds as well as euros. Name the files that would change with their paths. Submit the plan; do not carry it out.',
  judge(judge) {
    const plans = judge.created().filter((path) => /^plans\/.*\.md$/.test(path));
    const content = plans.map((path) => judge.read(path)).join('\n');
    judge.that('there is one plan', plans.length === 1, `there are ${plans.length}`);
    judge.that('the plan names src/format.js', content.includes('src/format.js'));
    judge.that('the plan names src/invoice.js', content.includes('src/invoice.js'));
    judge.called('exit_plan_mode');
  },
  right: [
    [callTool('read_file', { file_path: 'src/invoice.js' })],
    [
      plan(
        '# Currencies\n\n1. `src/format.js`: a parameter for the currency\n2. `src/invoice.js`: pass it on\n',
      ),
      callTool('exit_plan_mode', { plan_filename: 'currencies.md' }),
    ],
    [text('The plan is in plans/currencies.md.')],
  ],
  wrong: {
    'only talks about it': [[text('I would add a parameter to formatPrice.')]],
    'does not submit it': [[plan('# Currencies\n\nChange the source.\n')], [text('See the plan.')]],
  },
});
