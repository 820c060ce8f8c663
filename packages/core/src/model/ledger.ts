/** Tokens and cost of every model call of a session: main conversation, sub-agents, utility calls. */
import type { TokenUsage } from '../protocol/messages.js';

/** US dollars per million tokens. */
export interface Price {
  input: number;
  /** Absent: cached input costs as much as other input. */
  cachedInput?: number;
  output: number;
}

export interface PriceSource {
  /**
   * Undefined: unknown.
   * @param promptTokens size of the prompt; some models charge more for long ones
   */
  priceOf(model: string, promptTokens?: number): Price | undefined;
}

export interface LedgerEntry {
  /** The requested name with its provider, as the price table knows it. */
  model: string;
  /** `main`, `subagent`, `utility_*`. */
  role: string;
  /** Name of the sub-agent. */
  agent?: string;
  usage: TokenUsage;
}

export interface LedgerSum {
  calls: number;
  tokens: TokenUsage;
  /** US dollars; undefined when tokens were used whose price is unknown. */
  cost?: number;
}

export interface LedgerRow extends LedgerSum {
  model: string;
  role: string;
  agent?: string;
}

interface Account {
  model: string;
  role: string;
  agent: string | undefined;
  calls: number;
  tokens: TokenUsage;
  /** Millionths of a dollar; undefined once a part is unknown. */
  spent: number | undefined;
}

export class Ledger {
  private readonly accounts: Account[] = [];
  private tokensUsed = 0;

  constructor(private readonly prices: PriceSource) {}

  add({ model, role, agent, usage }: LedgerEntry): void {
    const account = this.accountOf(model, role, agent);
    account.calls++;
    addTokens(account.tokens, usage);
    account.spent = plus(account.spent, costOf(usage, this.prices.priceOf(model, usage.prompt)));
    this.tokensUsed += usage.total;
  }

  /** Total tokens; read before every call, so it is kept up to date. */
  get totalTokens(): number {
    return this.tokensUsed;
  }

  /** Total cost; undefined when a part is unknown. */
  get totalCost(): number | undefined {
    return sumOf(this.accounts).cost;
  }

  priceOf(model: string): Price | undefined {
    return this.prices.priceOf(model);
  }

  totals(): LedgerSum {
    return sumOf(this.accounts);
  }

  byModel(): Map<string, LedgerSum> {
    return this.grouped(({ model }) => model);
  }

  byRole(): Map<string, LedgerSum> {
    return this.grouped(({ role }) => role);
  }

  /** Of sub-agents, by name. */
  byAgent(): Map<string, LedgerSum> {
    const groups = this.grouped(({ agent }) => agent ?? '');
    groups.delete('');
    return groups;
  }

  /** One entry per model, role and sub-agent, in order of their first call. */
  rows(): LedgerRow[] {
    return this.accounts.map((account) => ({
      model: account.model,
      role: account.role,
      ...(account.agent !== undefined && { agent: account.agent }),
      ...sumOf([account]),
    }));
  }

  private grouped(keyOf: (account: Account) => string): Map<string, LedgerSum> {
    const groups = new Map<string, Account[]>();
    for (const account of this.accounts) {
      const key = keyOf(account);
      groups.set(key, [...(groups.get(key) ?? []), account]);
    }
    return new Map([...groups].map(([key, accounts]) => [key, sumOf(accounts)]));
  }

  private accountOf(model: string, role: string, agent: string | undefined): Account {
    const known = this.accounts.find(
      (account) => account.model === model && account.role === role && account.agent === agent,
    );
    if (known) return known;
    const account = { model, role, agent, calls: 0, tokens: noTokens(), spent: 0 };
    this.accounts.push(account);
    return account;
  }
}

function sumOf(accounts: readonly Account[]): LedgerSum {
  const tokens = noTokens();
  let calls = 0;
  let spent: number | undefined = 0;
  for (const account of accounts) {
    calls += account.calls;
    addTokens(tokens, account.tokens);
    spent = plus(spent, account.spent);
  }
  return { calls, tokens, ...(spent !== undefined && { cost: toDollars(spent) }) };
}

function plus(sum: number | undefined, amount: number | undefined): number | undefined {
  return sum === undefined || amount === undefined ? undefined : sum + amount;
}

/** Tokens times dollars per million. Thoughts count as output; what the provider's tools read counts as input. */
function costOf(tokens: TokenUsage, price: Price | undefined): number | undefined {
  if (!price) return isNothing(tokens) ? 0 : undefined;
  const cached = Math.min(tokens.cached, tokens.prompt);
  return (
    (tokens.prompt - cached + tokens.tool) * price.input +
    cached * (price.cachedInput ?? price.input) +
    (tokens.candidates + tokens.thoughts) * price.output
  );
}

/** Rounds off binary fractions: prices have few digits. */
function toDollars(millionths: number): number {
  return Number((millionths / 1e6).toFixed(12));
}

function isNothing({ prompt, candidates, thoughts, tool, total }: TokenUsage): boolean {
  return prompt + candidates + thoughts + tool + total === 0;
}

function noTokens(): TokenUsage {
  return { prompt: 0, candidates: 0, cached: 0, thoughts: 0, tool: 0, total: 0 };
}

function addTokens(sum: TokenUsage, usage: TokenUsage): void {
  sum.prompt += usage.prompt;
  sum.candidates += usage.candidates;
  sum.cached += usage.cached;
  sum.thoughts += usage.thoughts;
  sum.tool += usage.tool;
  sum.total += usage.total;
}
