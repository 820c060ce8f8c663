// Hooks as a package: import them into agents, or run one of the files beside this one as a command hook.
import { hook } from '@gemini-cli/sdk';

const SECRET = /\bAKIA[0-9A-Z]{16}|\bghp_[A-Za-z0-9]{36}|-----BEGIN [A-Z ]*PRIVATE KEY-----/;

/** Nothing that looks like a key gets into a file. */
export const noSecrets = hook(
  { event: 'BeforeTool', name: 'no-secrets', matcher: 'write_file|replace' },
  ({ toolInput }) => {
    const text = [toolInput.content, toolInput.new_string]
      .filter((value) => typeof value === 'string')
      .join('\n');
    if (SECRET.test(text))
      return { decision: 'deny', reason: 'This looks like a secret key. Read it from the environment.' };
  },
);

/** Tells the model what its changes are called in the project. */
export const branchName = hook({ event: 'SessionStart', name: 'branch-name' }, async (_payload, ctx) => {
  const head = await ctx.fs.readFile('.git/HEAD');
  const branch = /^ref: refs\/heads\/(.+)$/m.exec(head ?? '')?.[1];
  if (branch) return { hookSpecificOutput: { additionalContext: `The current branch is ${branch}.` } };
});

export const all = [noSecrets, branchName];
