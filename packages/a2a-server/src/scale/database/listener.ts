/** Hears the notifications of the database on one connection of its own, which is opened again when it breaks. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createLog, messageOf } from '@gemini-cli/core';
import pg from 'pg';
import { connection } from './connection.js';

const log = createLog('a2a');
const RECONNECT_MS = 200;

export const EVENTS_CHANNEL = 'gemini_a2a_events';
export const CANCEL_CHANNEL = 'gemini_a2a_cancel';

type Heard = () => void;

export class Listener {
  private client: pg.Client | undefined;
  private isClosed = false;
  private readonly waiting = new Map<string, Set<Heard>>();

  private constructor(
    private readonly url: string,
    private readonly onCancel: (taskId: string) => void,
  ) {}

  static async open(url: string, onCancel: (taskId: string) => void): Promise<Listener> {
    const listener = new Listener(url, onCancel);
    await listener.connect();
    return listener;
  }

  /** @returns a function that stops it */
  onEvents(taskId: string, heard: Heard): () => void {
    const set = this.waiting.get(taskId) ?? new Set();
    set.add(heard);
    this.waiting.set(taskId, set);
    return () => {
      set.delete(heard);
      if (set.size === 0) this.waiting.delete(taskId);
    };
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.client?.end().catch(() => undefined);
  }

  private async connect(): Promise<void> {
    const client = new pg.Client(connection(this.url, 'listen'));
    client.on('error', (error) => log.debug('the listening connection broke', error));
    let isUp = false;
    // A failed attempt ends, too: only the loop that made it tries again.
    client.once('end', () => isUp && void this.reconnect());
    client.on('notification', ({ channel, payload = '' }) => {
      if (channel === CANCEL_CHANNEL) this.onCancel(payload);
      else for (const heard of this.waiting.get(payload) ?? []) heard();
    });
    await client.connect();
    await client.query(`LISTEN ${EVENTS_CHANNEL}`);
    await client.query(`LISTEN ${CANCEL_CHANNEL}`);
    isUp = true;
    this.client = client;
    // Some may have been missed meanwhile.
    for (const set of this.waiting.values()) for (const heard of set) heard();
  }

  private async reconnect(): Promise<void> {
    while (!this.isClosed) {
      await sleep(RECONNECT_MS);
      try {
        if (!this.isClosed) await this.connect();
        return;
      } catch (error) {
        log.debug(`cannot listen: ${messageOf(error)}`);
      }
    }
  }
}
