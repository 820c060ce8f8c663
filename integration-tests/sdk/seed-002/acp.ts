import { GeminiCliAgent } from '@google/gemini-cli-sdk';
// The type is not in the print.
import { GeminiCliAcpServer, type JsonRpcMessage } from '@google/gemini-cli-sdk/acp';

// Not in the print, which has comments in these places: what arrives, and what is sent.
export const received: JsonRpcMessage[] = [];
const clientMessage: JsonRpcMessage = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: 1 },
};

// Differs from the print ('{...}'): the options are spelled out.
const server = new GeminiCliAcpServer(new GeminiCliAgent({ cwd: process.cwd() }));
// Differs from the print: the promise is kept for the test.
export const started = server.start(); // calling start runs a stdio ACP server

// Differs from the print: exported for the test.
export const client = server.connect({
  onMessage: (message) => {
    /* updates etc received here */
    received.push(message);
  },
});
client.send({ ...clientMessage }); // e.g. a "session/prompt" message
