/** The bundled documentation: `docs/` beside the bundle, or the repository's in development. */
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { codeOf } from '../../base/errors.js';
import { isInside } from '../../platform/files/real-path.js';
import { ToolErrorType } from '../tool-error.js';
import { type ToolResult, toolFailure } from '../tools.js';
import { sectionOf, startOfPage } from './doc-sections.js';

/** The real path, or undefined when this installation came without documentation. */
export function findDocsFolder(from = moduleFolder()): string | undefined {
  const isSource = basename(from) === 'internal-docs';
  const candidates = isSource ? ['../../../../../docs'] : ['docs', '../docs'];
  for (const candidate of candidates) {
    try {
      const folder = realpathSync(join(from, candidate));
      if (statSync(folder).isDirectory()) return folder;
    } catch {
      // Not here; the bundle may keep this code one level deeper.
    }
  }
  return undefined;
}

export function listDocs(folder: string | undefined): ToolResult {
  const files = folder === undefined ? [] : markdownFiles(folder, '');
  if (files.length === 0) return missing();
  return {
    llmContent: `Available documentation files:\n\n${files.map((file) => `- ${file}`).join('\n')}`,
    returnDisplay: `Found ${files.length} documentation file(s)`,
  };
}

/**
 * Only regular files really inside the folder: no `..`, no absolute path, no link leading out.
 * @param pathAndSection as listed, or with `#` and a heading
 */
export function readDoc(folder: string | undefined, pathAndSection: string): ToolResult {
  if (folder === undefined) return missing();
  const [path = '', section] = pathAndSection.split('#');
  const target = resolve(folder, path);
  if (path.includes('\0') || !isInside(target, folder)) return refused(path);
  try {
    const real = realpathSync(target);
    if (!isInside(real, folder)) return refused(path);
    if (!statSync(real).isFile() || !real.endsWith('.md')) return notFound(path);
    return contentOf(readFileSync(real, 'utf8'), path, section);
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return notFound(path);
  }
}

function contentOf(text: string, path: string, section: string | undefined): ToolResult {
  if (!section) return { llmContent: startOfPage(text, path), returnDisplay: `Read ${path}` };
  const found = sectionOf(text, path, section);
  if (found.section !== undefined)
    return { llmContent: found.section, returnDisplay: `Read ${path}#${section}` };
  const problem = `There is no section "${section}" in ${path}. Its sections:\n${found.others}`;
  return toolFailure(problem, ToolErrorType.FILE_NOT_FOUND);
}

/** Relative paths with `/`, sorted; links are not followed. */
function markdownFiles(folder: string, prefix: string): string[] {
  const entries = readdirSync(join(folder, prefix), { withFileTypes: true }).sort((a, b) =>
    a.name < b.name ? -1 : 1,
  );
  return entries.flatMap((entry) => {
    const path = prefix === '' ? entry.name : `${prefix}/${entry.name}`;
    if (entry.isDirectory()) return markdownFiles(folder, path);
    return entry.isFile() && entry.name.endsWith('.md') ? [path] : [];
  });
}

/** `import.meta.url` is missing from a CommonJS bundle; then the path of the started file is used. */
function moduleFolder(): string {
  const url: string | undefined = import.meta.url;
  return dirname(url ? fileURLToPath(url) : realpathSync(process.argv[1] ?? '.'));
}

function missing(): ToolResult {
  return toolFailure('This installation has no documentation files.', ToolErrorType.FILE_NOT_FOUND);
}

function refused(path: string): ToolResult {
  return toolFailure(
    `"${path}" is outside the documentation. Call get_internal_docs without a path to see the files.`,
    ToolErrorType.PATH_NOT_IN_WORKSPACE,
  );
}

function notFound(path: string): ToolResult {
  return toolFailure(
    `There is no documentation file "${path}". Call get_internal_docs without a path to see the files.`,
    ToolErrorType.FILE_NOT_FOUND,
  );
}
