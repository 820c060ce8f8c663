/**
 * Runs inside the sandbox: listens on a port as the proxy of the command, forwards connections to the socket of our
 * proxy outside, and runs the command. It is a string because our own files are not visible inside.
 */

export const PROXY_PORT = 3128;
/** Path of the proxy's socket inside the sandbox. */
export const PROXY_SOCKET = '/run/gemini-proxy.sock';

const PROXY_URL = `http://127.0.0.1:${PROXY_PORT}`;

export const PROXY_VARIABLES: Readonly<Record<string, string>> = {
  HTTP_PROXY: PROXY_URL,
  HTTPS_PROXY: PROXY_URL,
  ALL_PROXY: PROXY_URL,
  http_proxy: PROXY_URL,
  https_proxy: PROXY_URL,
  all_proxy: PROXY_URL,
  NO_PROXY: '127.0.0.1,localhost,::1',
  no_proxy: '127.0.0.1,localhost,::1',
  // Makes Node's fetch use the variables above.
  NODE_USE_ENV_PROXY: '1',
};

/** Arguments for Node: the bridge, then the command it runs. */
export function bridgeArguments(command: string, args: readonly string[]): string[] {
  return ['-e', BRIDGE, '--', command, ...args];
}

const BRIDGE = `
const net = require('node:net');
const { spawn } = require('node:child_process');
const { constants } = require('node:os');
const [command, ...args] = process.argv.slice(1);
const server = net.createServer((client) => {
  const proxy = net.connect(${JSON.stringify(PROXY_SOCKET)});
  for (const [from, to] of [[client, proxy], [proxy, client]]) {
    from.on('error', () => to.destroy());
    from.on('close', () => to.destroy());
    from.pipe(to);
  }
});
server.on('error', (error) => {
  process.stderr.write('sandbox: the network proxy cannot be reached: ' + error.message + '\\n');
  process.exit(126);
});
server.listen(${PROXY_PORT}, '127.0.0.1', () => {
  const child = spawn(command, args, { stdio: 'inherit' });
  child.on('error', (error) => {
    process.stderr.write('sandbox: ' + error.message + '\\n');
    process.exit(error.code === 'ENOENT' ? 127 : 126);
  });
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']) process.on(signal, () => child.kill(signal));
});
`;
