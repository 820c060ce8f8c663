/** The model of an agent that has a fixed one: no routing, and a short list of fallbacks. */
import { errorClassOf } from '../model/errors/error-class.js';
import type { AgentEventBody } from '../protocol/agent-events.js';
import type { AgentModel } from './gemini-client.js';

export class FixedModel implements AgentModel {
  private current: string;
  private readonly standIns: string[];

  constructor(model: string, standIns: readonly string[] = []) {
    this.current = model;
    this.standIns = standIns.filter((name) => name !== model);
  }

  get model(): string {
    return this.current;
  }

  async startPrompt(): Promise<AgentEventBody> {
    return { type: 'model_routed', model: this.current, source: 'agent', reasoning: '', latencyMs: 0 };
  }

  endPrompt(): void {}

  attemptsFor(): undefined {
    return undefined;
  }

  succeeded(): void {}

  async switchAfter({ error, isLast }: { error: unknown; isLast: boolean }) {
    const errorClass = errorClassOf(error);
    const model = isLast && errorClass ? this.standIns.shift() : undefined;
    if (model === undefined || errorClass === undefined) return undefined;
    this.current = model;
    return { model, errorClass, reason: '' };
  }
}
