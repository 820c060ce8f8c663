/** Another program of the same protocol, made with the 1.x library: it reads the discovery file, and nothing of ours. */
import { readFileSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

interface Heard {
  method: string;
  params?: Record<string, unknown> | undefined;
}

export class OtherProgram {
  readonly heard: Heard[] = [];
  private readonly client = new Client({ name: 'other-program', version: '1' });

  static async connect(discoveryFile: string): Promise<OtherProgram> {
    const { port, authToken } = JSON.parse(readFileSync(discoveryFile, 'utf8'));
    const program = new OtherProgram();
    program.client.fallbackNotificationHandler = async ({ method, params }) => {
      program.heard.push({ method, params });
    };
    const transport = new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`), {
      requestInit: { headers: { Authorization: `Bearer ${authToken}` } },
    });
    await program.client.connect(transport as Parameters<Client['connect']>[0]);
    return program;
  }

  /** What the editor told last. */
  last(method: string): Heard['params'] {
    return this.heard.findLast((one) => one.method === method)?.params;
  }

  async call(name: 'openDiff' | 'closeDiff', args: Record<string, unknown>): Promise<unknown> {
    return (await this.client.callTool({ name, arguments: args }))['content'];
  }

  close(): Promise<void> {
    return this.client.close();
  }
}
