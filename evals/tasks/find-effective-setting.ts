import { callTool, evalTask, text } from '../task.js';

const SERVER = `import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';

const read = (name) => JSON.parse(readFileSync('config/' + name + '.json', 'utf8')).server;

/** The settings of the environment win over the default ones. */
export function serverSettings(environment) {
  return { ...read('default'), ...read(environment) };
}

export function startServer(environment) {
  return createServer().listen(serverSettings(environment).port);
}
`;

export default evalTask({
  kind: 'find',
  about: 'follows a setting to the value that wins, past an outdated page',
  mode: 'default',
  prompt: 'On which port does the server of this project listen in production? Answer with the number only.',
  files: {
    'config/default.json': '{\n  "server": { "port": 3000 }\n}\n',
    'config/production.json': '{\n  "server": { "port": 8443 }\n}\n',
    'docs/server.md': '# Server\n\nIn production the server listens on port 8080.\n',
    'src/server.js': SERVER,
  },
  judge(judge) {
    judge.answerHas(/^\D*8443\D*$/);
  },
  right: [
    [callTool('grep_search', { pattern: 'port' })],
    [callTool('read_file', { file_path: 'src/server.js' })],
    [text('8443')],
  ],
  wrong: {
    'believes the page': [[callTool('grep_search', { pattern: 'port', dir_path: 'docs' })], [text('8080')]],
  },
});
