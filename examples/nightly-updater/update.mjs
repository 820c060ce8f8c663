// Updates dependencies at night, when no user can answer: node update.mjs [folder]. Which files may change is decided here.
import { relative } from 'node:path';
import { GeminiCliAgent } from '@gemini-cli/sdk';

const [folder = process.cwd()] = process.argv.slice(2);
const MAY_CHANGE = /^(package\.json|package-lock\.json|CHANGELOG\.md)$/;
const decisions = [];

const agent = new GeminiCliAgent({
  cwd: folder,
  trust: true,
  instructions:
    'You update dependencies, one at a time: edit package.json, run "npm install --ignore-scripts", then the tests. Undo an update that breaks them.',
  policies: [
    {
      // Installing runs no code of a new version before the tests do.
      commandPrefix: [
        'npm install --ignore-scripts',
        'npm outdated',
        'npm view',
        'npm test',
        'git diff',
        'git status',
      ],
      decision: 'allow',
    },
    {
      commandPrefix: ['git push', 'npm publish'],
      decision: 'deny',
      denyMessage: 'A person does that in the morning.',
    },
  ],
  onApproval: ({ toolName, details }) => {
    const what = details.type === 'edit' ? relative(folder, details.filePath) : details.title;
    const isFine = details.type === 'edit' && MAY_CHANGE.test(what);
    decisions.push(`${isFine ? 'allowed' : 'refused'}: ${toolName} ${what}`);
    return isFine
      ? 'allow'
      : { outcome: 'deny', reason: 'Only the package files may change without a person.' };
  },
});
const { text, toolCalls, finishReason } = await agent.send('Update the dependencies of this project.', {
  maxTurns: 60,
});
await agent.dispose();

for (const decision of decisions) console.log(decision);
console.log(
  `${toolCalls.filter(({ status }) => status === 'success').length} steps, ${finishReason}\n${text}`,
);
