/**
 * The minimum a Node program needs: the same streaming requests over node:http, text to stdout, and files read when the
 * model asks. Everything above its time and memory is the cost of our program.
 */
'use strict';
const http = require('node:http');
const fs = require('node:fs');
const path = require('node:path');

const model = process.argv[process.argv.indexOf('-m') + 1];
const url = `${process.env.GOOGLE_GEMINI_BASE_URL}/v1beta/models/${model}:streamGenerateContent?alt=sse`;
const agent = new http.Agent({ keepAlive: true });
const contents = [{ role: 'user', parts: [{ text: process.argv[process.argv.indexOf('-p') + 1] }] }];
// About as long as an agent's instructions and tool declarations.
const systemInstruction = { parts: [{ text: 'Do as you are told. '.repeat(600) }] };

turn();

function turn() {
  const body = JSON.stringify({ contents, systemInstruction });
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'x-goog-api-key': process.env.GEMINI_API_KEY,
  };
  const request = http.request(url, { method: 'POST', headers, agent }, (response) => {
    const parts = [];
    let pending = '';
    response.setEncoding('utf8');
    response.on('data', (data) => {
      const lines = (pending + data).split('\n');
      pending = lines.pop();
      for (const line of lines) if (line.startsWith('data: ')) take(JSON.parse(line.slice(6)), parts);
    });
    response.on('end', () => next(parts));
  });
  request.end(body);
}

function take(chunk, parts) {
  for (const part of chunk.candidates[0].content.parts) {
    parts.push(part);
    if (part.text) fs.writeSync(1, part.text);
  }
}

function next(parts) {
  const calls = parts.filter((part) => part.functionCall);
  if (calls.length === 0) {
    fs.writeSync(1, '\n');
    agent.destroy();
    return;
  }
  contents.push({ role: 'model', parts });
  contents.push({ role: 'user', parts: calls.map(({ functionCall }) => respond(functionCall)) });
  turn();
}

function respond({ id, name, args }) {
  const output = name === 'read_file' ? fs.readFileSync(path.resolve(args.file_path), 'utf8') : 'ok';
  return { functionResponse: { id, name, response: { output } } };
}
