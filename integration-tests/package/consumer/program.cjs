// The same from CommonJS, where the package is loaded by `import()`; here Config reads the canned answers itself.
async function main() {
  const { Config, VERSION } = await import('@gemini-cli/core');
  const config = new Config({
    sessionId: 'consumer-cjs',
    targetDir: process.cwd(),
    debugMode: false,
    model: 'any-name',
    interactive: false,
    allowedTools: ['run_shell_command(printf)', 'write_file'],
    fakeResponses: { path: 'responses.jsonl', strict: true },
  });
  await config.initialize();
  let answer = '';
  for await (const event of config.getSession().send('Say hello.')) {
    if (event.type === 'content') answer += event.text;
    if (event.type === 'error') throw new Error(event.error.message);
  }
  await config.shutdown();
  console.log(JSON.stringify({ version: VERSION, answer }));
}

void main();
