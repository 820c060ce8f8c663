/** Reads the files that add to a scope: `mcp-settings.json` and `hooks.toml`. An error in one never ends the program. */
import { messageOf } from '../../base/errors.js';
import { isObject } from '../../base/objects.js';
import { type Layer, type LayerSource, readLayer, resolveLayer } from '../layer.js';
import type { FileProblem, SettingScope } from '../types.js';
import { cleanSettings } from './parse.js';
import { readSettingsText } from './read-file.js';

/** `{"mcpServers": {…}}`: read like a settings file; other keys are reported. */
export function readMcpSettings(path: string): LayerSource | undefined {
  const source = readLayer('user', path);
  return source.file.exists ? onlyKey(source, 'mcpServers') : undefined;
}

/** `[hooks.Event]` with one group of hooks, or `[[hooks.Event]]` with several. */
export async function readHooksToml(
  scope: Extract<SettingScope, 'user' | 'workspace'>,
  path: string,
): Promise<LayerSource | undefined> {
  const file = readSettingsText(path);
  if (!file.exists) return undefined;
  const source: LayerSource = { scope, file, raw: {}, findings: [] };
  if (file.failure !== undefined) return { ...source, failure: unusable(path, file.failure) };
  const { parse, TomlError } = await import('smol-toml');
  try {
    const { root, findings } = cleanSettings(parse(file.text));
    return onlyKey({ ...source, raw: withLists(root), findings }, 'hooks');
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const { line, column } = error;
    return { ...source, failure: { ...unusable(path, firstLine(error)), line, column } };
  }
}

/** Problems are never fatal; in a TOML file they are located at the table of their event. */
export function resolveExtra(source: LayerSource, env: NodeJS.ProcessEnv): Layer {
  const layer = resolveLayer(source, env);
  const isToml = source.file.path.endsWith('.toml');
  const problems = layer.problems.map((problem): FileProblem => {
    const milder: FileProblem = problem.severity === 'fatal' ? { ...problem, severity: 'error' } : problem;
    return isToml && milder.line === undefined
      ? { ...milder, ...tablePlace(source.file.text, milder) }
      : milder;
  });
  return { ...layer, problems, renamed: [] };
}

function onlyKey(source: LayerSource, key: string): LayerSource {
  const others = Object.keys(source.raw).filter((name) => name !== key);
  if (others.length === 0) return source;
  const findings = others.map((name) => ({ path: [name], message: `only "${key}" is read from this file` }));
  const kept = Object.hasOwn(source.raw, key) ? { [key]: source.raw[key] } : {};
  return { ...source, raw: kept, findings: [...source.findings, ...findings] };
}

function withLists(root: Record<string, unknown>): Record<string, unknown> {
  const { hooks } = root;
  if (!isObject(hooks)) return { ...root };
  const events = Object.entries(hooks).map(([event, value]) => [event, isObject(value) ? [value] : value]);
  return { ...root, hooks: Object.fromEntries(events) };
}

/** The line of `[hooks.Event]`, or of the right one of several. */
function tablePlace(text: string, { keyPath }: FileProblem): Pick<FileProblem, 'line'> {
  const [, event, index] = /^hooks\.(\w+)(?:\[(\d+)\])?/.exec(keyPath ?? '') ?? [];
  if (event === undefined) return {};
  const lines = text.split('\n');
  const heads = lines.flatMap((line, at) =>
    new RegExp(`^\\s*\\[{1,2}\\s*hooks\\.${event}\\s*\\]{1,2}`).test(line) ? [at + 1] : [],
  );
  const line = heads[Number(index ?? 0)] ?? heads[0];
  return line === undefined ? {} : { line };
}

function unusable(file: string, message: string): FileProblem {
  return { severity: 'error', file, message, hint: 'Nothing of this file takes effect. Correct it.' };
}

function firstLine(error: unknown): string {
  return messageOf(error).split('\n')[0] ?? '';
}
