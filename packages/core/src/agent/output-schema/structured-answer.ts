/** `--output-schema`: the last answer is one JSON value that fits a schema, repaired up to twice. */
import { OutputSchemaError } from '../../base/errors.js';
import { jsonIn } from '../../model/wire/json-in-text.js';
import { type Message, type Part, textOf } from '../../protocol/messages.js';
import type { FinalAnswerCheck } from '../chat/final-answer-check.js';
import { type CompiledSchema, compileSchema, readSchemaFile } from './answer-schema-file.js';
import instruction from './structured-answer.md';

export type AnswerCheck =
  /** `text` is the JSON as the model wrote it. */
  { ok: true; value: unknown; text: string } | { ok: false; problems: string[] };

const MAX_REPAIRS = 2;
const MAX_PROBLEMS = 20;

export class AnswerSchema {
  private constructor(
    private readonly schema: Record<string, unknown>,
    private readonly compiled: CompiledSchema,
  ) {}

  /** @throws FatalInputError with the file and its problem */
  static async load(path: string): Promise<AnswerSchema> {
    const schema = readSchemaFile(path);
    return new AnswerSchema(schema, await compileSchema(schema, path));
  }

  check(text: string): AnswerCheck {
    const found = jsonIn(text);
    const [json] = found;
    if (!json) return { ok: false, problems: ['There is no complete JSON value in the message.'] };
    if (found.length > 1) {
      return { ok: false, problems: [`There are ${found.length} JSON values in the message, not one.`] };
    }
    const problems = this.compiled(json.value);
    return problems.length === 0
      ? { ok: true, ...json }
      : { ok: false, problems: problems.slice(0, MAX_PROBLEMS) };
  }

  /** Added to the prompt. */
  instruction(): string {
    return `${instruction.trim()}\n${JSON.stringify(this.schema)}`;
  }

  correction(problems: readonly string[]): Message {
    const list = problems.map((problem) => `- ${problem}`).join('\n');
    const text = `Your last message does not fit the JSON Schema:\n${list}\nSend the whole answer again as one JSON value that fits it, and nothing else.`;
    return { role: 'user', origin: 'correction', parts: [{ text }] };
  }
}

/** Shows only the answer that fits. */
export class StructuredAnswers implements FinalAnswerCheck {
  readonly holdsBack = true;
  private repairs = 0;

  constructor(private readonly schema: AnswerSchema) {}

  opening(parts: Part[]): Part[] {
    this.repairs = 0;
    return [...parts, { text: `\n\n${this.schema.instruction()}` }];
  }

  /** @throws OutputSchemaError after two failed repairs */
  async after(history: readonly Message[]): Promise<{ message: Message } | { content: string }> {
    const last = history.at(-1);
    const result = this.schema.check(last?.role === 'model' ? textOf(last.parts) : '');
    if (result.ok) return { content: result.text };
    if (this.repairs >= MAX_REPAIRS) throw new OutputSchemaError(MAX_REPAIRS, result.problems);
    this.repairs++;
    return { message: this.schema.correction(result.problems) };
  }
}
