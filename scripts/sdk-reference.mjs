// Writes docs/sdk-reference.md from the published type declarations of the SDK: `npm run generate:sdk-reference`, after a build.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const types = join(root, 'packages/sdk/dist/types');

const HEAD = `# Reference of the SDK

Every name that \`@gemini-cli/sdk\` exports, generated from its type declarations (\`npm run generate:sdk-reference\`). The guide is
[sdk.md](sdk.md). \`z\` is that of zod.
`;

/** @returns the whole page */
export function sdkReference(folder = types) {
  const index = readFileSync(join(folder, 'index.d.ts'), 'utf8');
  const exported = [...index.matchAll(/^export (?:type )?\{([^}]*)\} from '(\.[^']+)\.js';/gm)];
  const sections = exported.map(([, names, path]) => {
    const wanted = names.split(',').map((name) => name.trim().replace(/^type /, ''));
    const declarations = declarationsOf(readFileSync(join(folder, `${path}.d.ts`), 'utf8'));
    const texts = wanted.filter(Boolean).map((name) => {
      const own = declarations.filter((item) => item.name === name);
      // It comes from core, as it is.
      if (own.length === 0) return `### ${name}\n\nFrom \`@gemini-cli/core\`.\n`;
      return `### ${name}\n\n\`\`\`ts\n${own.map(({ text }) => text).join('\n')}\n\`\`\`\n`;
    });
    return { path: path.replace('./', ''), text: texts.join('\n') };
  });
  const byFile = new Map();
  for (const { path, text } of sections)
    byFile.set(path, [byFile.get(path), text].filter(Boolean).join('\n'));
  const parts = [...byFile].map(([path, text]) => `## ${path}\n\n${text}`);
  return `${HEAD}\n${parts.join('\n')}`;
}

/** Top-level declarations with the comment before them; overloads are several. */
function declarationsOf(text) {
  const found = [];
  let comment = [];
  let open;
  for (const line of text.split('\n')) {
    if (open) {
      open.lines.push(line);
      if (isClosed(open.lines)) open = undefined;
      continue;
    }
    const name = /^export (?:declare )?(?:abstract )?(?:type|interface|class|function|const) (\w+)/.exec(
      line,
    )?.[1];
    if (name) {
      open = { name, lines: [...comment, line.replace(/^export (?:declare )?/, '')] };
      found.push(open);
      if (isClosed(open.lines)) open = undefined;
      comment = [];
    } else if (/^(\/\*\*| \*|\/\/)/.test(line) && !line.includes('biome-ignore')) comment.push(line);
    else comment = [];
  }
  return found.map(({ name, lines }) => ({
    name,
    text: lines.filter((line) => !/^ {4}private /.test(line)).join('\n'),
  }));
}

/** All brackets are closed, and the statement has ended: a type with `;`, since members of a union end with `}`, too. */
function isClosed(lines) {
  const isType = lines.some((line) => line.startsWith('type '));
  const code = lines
    .join('\n')
    .replaceAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*|'[^'\n]*'/g, '')
    .replaceAll('=>', '');
  const count = (characters) => [...code].filter((letter) => characters.includes(letter)).length;
  return count('{([<') === count('})]>') && (isType ? /;\s*$/ : /[;}]\s*$/).test(code);
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(join(root, 'docs/sdk-reference.md'), sdkReference());
