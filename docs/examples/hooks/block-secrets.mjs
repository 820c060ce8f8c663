// BeforeTool: refuses to write a file that contains a key or a password.
const { tool_input } = JSON.parse(await readStdin());
const text = tool_input.content ?? tool_input.new_string ?? '';

const SECRETS = {
  'a Google API key': /\bAIza[\w-]{35}/,
  'an AWS key': /\bAKIA[0-9A-Z]{16}\b/,
  'a GitHub token': /\b(?:gh[pousr]_\w{36}|github_pat_\w{22,})/,
  'a private key': /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
  'a password': /\bpassword\s*[:=]\s*["'][^"']{8,}["']/i,
};

const found = Object.entries(SECRETS).find(([, pattern]) => pattern.test(text));
if (found) {
  // The model gets the reason and can do it another way.
  const reason = `The text contains ${found[0]}. Read it from an environment variable instead.`;
  console.log(JSON.stringify({ decision: 'deny', reason }));
}

async function readStdin() {
  let input = '';
  for await (const chunk of process.stdin) input += chunk;
  return input;
}
