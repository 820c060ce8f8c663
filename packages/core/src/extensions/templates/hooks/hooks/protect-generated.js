// Runs before each call of write_file and replace: see hooks.json beside it.
// stdin: one JSON object about the call. stdout: one JSON object with the answer.
const chunks = [];
process.stdin.on('data', (chunk) => chunks.push(chunk));
process.stdin.on('end', () => {
  const { tool_input: input } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  const path = String(input?.file_path ?? '');
  const isGenerated = path.split(/[\\/]/).includes('generated');
  const answer = isGenerated
    ? { decision: 'deny', reason: `${path} is generated. Change its source and run the generator.` }
    : { decision: 'allow' };
  process.stdout.write(JSON.stringify(answer));
});
