import { hook } from '@google/gemini-cli-sdk';

// define a hook as above
// Differs from the print, which has `{...}` in the places of the definition and the action.
const myHook = hook({ event: 'BeforeTool', name: 'guard', matcher: 'write_file' }, (hook) => {
  if (hook.toolInput.path.endsWith('.env')) return { decision: 'deny', reason: 'Never write .env files.' };
});
// calling runAsCommand parses stdin, calls action, uses appropriate exit code
// with output, but you get nice strong typings to guide your impl
myHook.runAsCommand();
