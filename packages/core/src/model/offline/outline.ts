/** The structure of a file by rules: opening comment, imports, definitions with their lines. Guesses no meaning. */
import { closesFence, type Fence, openingFence } from '../../base/markdown-fences.js';

export interface OutlineItem {
  line: number;
  label: string;
}

export interface Outline {
  opening?: string;
  imports: string[];
  items: OutlineItem[];
  /** What the items are: "exports", "headings", … */
  itemsAre: string;
}

interface LanguageRules {
  itemsAre: string;
  /** Group 1 is what an import line names. */
  import?: RegExp;
  /** The whole match, trimmed, is the label. */
  item: RegExp;
  /** Only items indented like the first. */
  outermost?: boolean;
  /** Used when `item` finds nothing. */
  otherwise?: RegExp;
}

const JS: LanguageRules = {
  itemsAre: 'exports',
  import: /(?:^import\b.*?|^\} from |\brequire\()\s*['"]([^'"]+)['"]/,
  item: /^export\s+(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:function\*?|class|interface|type|enum|const|let|var|namespace)\s+[\w$]+|^export\s+default\b.{0,60}|^export\s+(?:\*|\{).{0,80}|^(?:module\.)?exports(?:\.\w+)?\s*=.{0,60}/,
  otherwise: /^(?:async\s+)?(?:function\*?|class|const|let|var)\s+[\w$]+/,
};

const RULES: Record<string, LanguageRules> = {
  js: JS,
  ts: JS,
  jsx: JS,
  tsx: JS,
  mjs: JS,
  cjs: JS,
  mts: JS,
  cts: JS,
  py: {
    itemsAre: 'definitions',
    import: /^(?:from\s+([\w.]+)\s+import|import\s+([\w.]+))/,
    item: /^(?: {4})?(?:async\s+)?(?:def|class)\s+\w+/,
  },
  rs: {
    itemsAre: 'public items',
    import: /^use\s+([^;{]+)/,
    item: /^\s*pub(?:\([^)]*\))?\s+(?:async\s+|unsafe\s+|const\s+)*(?:fn|struct|enum|trait|mod|type|const|static)\s+\w+/,
    otherwise: /^(?:async\s+)?(?:fn|struct|enum|trait|mod|type|const|static|impl)\s+[\w<>]+/,
  },
  go: {
    itemsAre: 'definitions',
    import: /^(?:import\s+)?\s*"([^"]+)"$/,
    item: /^(?:func\s+(?:\([^)]*\)\s*)?|type\s+)\w+/,
  },
  java: JVM(),
  kt: JVM(),
  cs: JVM(),
  rb: {
    itemsAre: 'definitions',
    import: /^require(?:_relative)?\s+['"]([^'"]+)/,
    item: /^\s*(?:class|module|def)\s+[\w.:?!]+/,
  },
  php: {
    itemsAre: 'definitions',
    import: /^use\s+([^;]+)/,
    item: /^\s*(?:(?:public|private|protected|static|abstract|final)\s+)*(?:class|interface|trait|function)\s+\w+/,
  },
  sh: { itemsAre: 'functions', item: /^(?:function\s+)?[\w-]+\s*\(\)/ },
  c: {
    itemsAre: 'definitions',
    import: /^#include\s+[<"]([^>"]+)/,
    item: /^(?:typedef\s+)?(?:struct|enum|union)\s+\w+|^[A-Za-z_][\w *]*\b\w+\s*\([^;]*$/,
  },
  md: { itemsAre: 'headings', item: /^#{1,4}\s+.+/ },
  toml: { itemsAre: 'sections', item: /^\[\[?[^\]]+\]\]?/ },
  ini: { itemsAre: 'sections', item: /^\[[^\]]+\]/ },
  yaml: { itemsAre: 'top-level keys', item: /^[\w"'-]+(?=:)/ },
  json: { itemsAre: 'top-level keys', item: /^\s+"[^"]+"(?=:)/, outermost: true },
  css: { itemsAre: 'rules', item: /^[.#@:\w][^{;]*(?=\{)/ },
};

function JVM(): LanguageRules {
  return {
    itemsAre: 'definitions',
    import: /^(?:import|using)\s+(?:static\s+)?([\w.*]+)/,
    item: /^\s*(?:(?:public|private|protected|internal|static|final|abstract|sealed|data|open|override|async)\s+)*(?:class|interface|enum|record|object|struct|fun)\s+\w+/,
  };
}

const ALIASES: Record<string, string> = {
  h: 'c',
  cc: 'c',
  cpp: 'c',
  hpp: 'c',
  kts: 'kt',
  yml: 'yaml',
  jsonc: 'json',
  bash: 'sh',
  zsh: 'sh',
  mdx: 'md',
  pyi: 'py',
  scss: 'css',
  cfg: 'ini',
};

export function outlineOf(path: string, lines: readonly string[]): Outline {
  const extension = /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? '';
  const rules = RULES[ALIASES[extension] ?? extension];
  const opening = openingComment(lines);
  if (!rules) return { opening, imports: [], items: [], itemsAre: 'items' };
  const source = extension === 'md' || extension === 'mdx' ? withoutFences(lines) : lines;
  let items = collect(rules.outermost ? outermostOnly(source, rules.item) : source, rules.item);
  let { itemsAre } = rules;
  if (items.length === 0 && rules.otherwise) {
    items = collect(source, rules.otherwise);
    itemsAre = 'definitions (nothing is exported)';
  }
  return { opening, imports: importsOf(lines, rules.import), items, itemsAre };
}

function collect(lines: readonly string[], pattern: RegExp): OutlineItem[] {
  return lines.flatMap((line, index) => {
    const label = pattern.exec(line)?.[0].trim();
    return label ? [{ line: index + 1, label }] : [];
  });
}

/** Lines that are indented more than the first item are emptied. */
function outermostOnly(lines: readonly string[], pattern: RegExp): string[] {
  const first = lines.find((line) => pattern.test(line)) ?? '';
  const indent = first.length - first.trimStart().length;
  return lines.map((line) => (line.length - line.trimStart().length === indent ? line : ''));
}

function importsOf(lines: readonly string[], pattern: RegExp | undefined): string[] {
  if (!pattern) return [];
  const names = lines.flatMap((line) => {
    const found = pattern.exec(line);
    return found ? [(found[1] ?? found[2] ?? '').trim()] : [];
  });
  return [...new Set(names)].filter((name) => name !== '');
}

/** The comment or docstring at the top, in the author's words. */
function openingComment(lines: readonly string[]): string | undefined {
  const start = lines.findIndex(
    (line) => line.trim() !== '' && !/^#!|^['"]use \w+['"]|^<\?php|^# -\*-/.test(line),
  );
  const rest = lines.slice(Math.max(0, start), start + 40);
  const text = rest.join('\n');
  const found =
    /^\s*\/\*+([\s\S]*?)\*\//.exec(text)?.[1] ??
    /^\s*(?:"""|''')([\s\S]*?)(?:"""|''')/.exec(text)?.[1] ??
    /^\s*<!--([\s\S]*?)-->/.exec(text)?.[1] ??
    lineComment(rest);
  const clean = found
    ?.split('\n')
    .map((line) => line.replace(/^\s*\*+ ?/, '').trim())
    .join('\n')
    .trim();
  return clean === '' ? undefined : clean;
}

function lineComment(lines: readonly string[]): string | undefined {
  const marker = /^\s*(\/\/[/!]?|--|;+|#(?!\s*(?:include|define|pragma|if|!|\[)))(?= |$)/.exec(
    lines[0] ?? '',
  )?.[1];
  if (
    !marker ||
    (marker === '#' && /^#\s/.test(lines[0] ?? '') && lines.some((line) => /^#{2,}\s/.test(line)))
  )
    return undefined;
  const end = lines.findIndex((line) => !line.trimStart().startsWith(marker));
  return lines
    .slice(0, end < 0 ? lines.length : end)
    .map((line) => line.trimStart().slice(marker.length).trim())
    .join('\n');
}

function withoutFences(lines: readonly string[]): string[] {
  let fence: Fence | undefined;
  return lines.map((line) => {
    if (fence) {
      if (closesFence(line, fence)) fence = undefined;
      return '';
    }
    fence = openingFence(line);
    return fence ? '' : line;
  });
}
