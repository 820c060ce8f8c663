/** A model that does what the prompt says: `do <id> <n>` runs n commands, each of which says when it begins and ends. */
import { callTool, chunks, delay, type RecordedRequest, type Script, text } from '@gemini-cli/test-utils/rig';

export interface ScriptOptions {
  /** Where commands write. */
  log: string;
  /** A command takes so long, in seconds. */
  seconds?: number;
  /** Each model call takes so long. */
  modelMs?: number;
  /** Pieces of the last answer. */
  words?: number;
}

export function doAsTold(options: ScriptOptions) {
  const { log, seconds = 0.1, modelMs = 0, words = 1 } = options;
  return ({ body }: RecordedRequest): Script => {
    const parts = body.contents.flatMap((content) => content.parts);
    const last = parts.findLastIndex((part) => part.text !== undefined && /^do \S+ \d+$/.test(part.text));
    const [, id = '?', count = '0'] = /^do (\S+) (\d+)$/.exec(parts[last]?.text ?? '') ?? [];
    const done = parts.slice(last).filter((part) => part.functionResponse).length;
    const wait = modelMs > 0 ? [delay(modelMs)] : [];
    if (done >= Number(count))
      return [...wait, chunks(Array.from({ length: words }, (_, word) => `${id}:${word} `))];
    const name = `${id}-${done + 1}`;
    const command = `echo begin ${name} >> ${log}; sleep ${seconds}; echo end ${name} >> ${log}`;
    return [...wait, text(''), callTool('run_shell_command', { command, description: name })];
  };
}
