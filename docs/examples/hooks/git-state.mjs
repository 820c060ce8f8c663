// BeforeAgent: adds branch and changed files to each prompt.
import { execFileSync } from 'node:child_process';

const git = (...args) =>
  execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

try {
  const branch = git('branch', '--show-current') || 'no branch';
  const changes = git('status', '--short').split('\n').filter(Boolean);
  const shown = changes.slice(0, 30).join('\n');
  const more = changes.length > 30 ? `\n… and ${changes.length - 30} more` : '';
  const additionalContext = `Git branch: ${branch}\nChanged files:\n${shown || 'none'}${more}`;
  console.log(JSON.stringify({ hookSpecificOutput: { additionalContext } }));
} catch {
  // Not a repository, or no git: the prompt goes out as it is.
}
