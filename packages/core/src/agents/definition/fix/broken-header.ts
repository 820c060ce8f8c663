/** Reads the header of an agent file even where it is not closed, not at the beginning, or in a code block. */
import { parseFrontMatter } from '../../../base/front-matter.js';

export interface BrokenHeader {
  data: Readonly<Record<string, unknown>>;
  list?: readonly unknown[];
  body: string;
  changes: string[];
  /** The file names tools, but outside of what could be read as a header. */
  losesTools?: boolean;
}

export async function readBrokenHeader(text: string): Promise<BrokenHeader> {
  const header = await parseFrontMatter(text);
  if (header.hasHeader) {
    const changes = header.problem ? ['The header is valid YAML now.'] : [];
    return { data: header.data, body: header.body, changes, ...(header.list && { list: header.list }) };
  }
  const repaired = withoutFence(text.replace(/^\ufeff/, '').replace(/^\s*\n/, ''));
  const again = await parseFrontMatter(repaired);
  if (again.hasHeader) return withTools(again, 'The header is at the beginning of the file now.');
  const closed = await parseFrontMatter(closeHeader(repaired));
  if (closed.hasHeader) return withTools(closed, 'The header is closed by --- now.');
  return withTools({ data: {}, body: `\n${header.body}` }, 'Added a header.');
}

const TOOLS_LINE = /^(?:tools|allowed[-_]?tools|disallowedTools):/im;

function withTools({ data, body }: Pick<BrokenHeader, 'data' | 'body'>, change: string): BrokenHeader {
  return { data, body, changes: [change], losesTools: TOOLS_LINE.test(body) };
}

/** Some files are wrapped in a code block as a whole. */
function withoutFence(text: string): string {
  const [, inner] = /^```\w*[ \t]*\r?\n(---[\s\S]*?)\r?\n```\s*$/.exec(text) ?? [];
  return inner ?? text;
}

const FIELD_LINE = /^(?:[A-Za-z_][\w-]*:(?:\s.*)?|\s+\S.*|-\s.*|#.*)$/;

/** Ends the header before the first line that is not a field. */
function closeHeader(text: string): string {
  const lines = text.split('\n');
  if (lines[0]?.trim() !== '---') return text;
  const end = lines.findIndex((line, index) => index > 0 && !FIELD_LINE.test(line.replace(/\r$/, '')));
  const at = end === -1 ? lines.length : end;
  return at < 2 ? text : [...lines.slice(0, at), '---', ...lines.slice(at)].join('\n');
}
