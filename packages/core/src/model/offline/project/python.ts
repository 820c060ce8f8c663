/** pyproject.toml, setup.py, requirements.txt. */
import { readToml } from './toml.js';
import type { ManifestContext, ManifestFacts, Task } from './types.js';

const KNOWN_TOOLS: [RegExp, string][] = [
  [/\bdjango\b/i, 'Django'],
  [/\bflask\b/i, 'Flask'],
  [/\bfastapi\b/i, 'FastAPI'],
  [/\bclick\b/i, 'Click'],
  [/\bnumpy\b/i, 'NumPy'],
  [/\bpandas\b/i, 'pandas'],
  [/\btorch\b/i, 'PyTorch'],
  [/\bpytest\b/i, 'pytest'],
  [/\bruff\b/i, 'Ruff'],
  [/\bmypy\b/i, 'mypy'],
  [/\bblack\b/i, 'Black'],
];

export function readPyproject(content: string, context: ManifestContext): ManifestFacts {
  const toml = readToml(content);
  const text = (key: string) => toml.text('project', key) ?? toml.text('tool.poetry', key);
  const python = toml.text('project', 'requires-python');
  const manager = pythonManager(content, context);
  const scripts = toml.has('project.scripts') ? toml.raw('project.scripts') : toml.raw('tool.poetry.scripts');
  const script = /^\s*([\w.-]+)\s*=/m.exec(scripts)?.[1];
  return {
    name: text('name'),
    description: text('description'),
    languages: ['Python'],
    tools: [
      ...(python ? [`Python ${python}`] : []),
      ...(manager.name ? [manager.name] : []),
      ...toolsIn(content),
    ],
    commands: [
      { task: 'install', command: manager.install },
      ...(script ? [{ task: 'run' as Task, command: `${manager.prefix}${script}` }] : []),
      ...testCommand(content, context, manager.prefix),
      ...lintCommand(content, manager.prefix),
    ],
  };
}

export function readSetupPy(content: string, context: ManifestContext): ManifestFacts {
  const field = (key: string) =>
    new RegExp(`\\b${key}\\s*=\\s*(?:["']([^"'\\n]+)["']|([^\\s"'(][^\\n]*))`).exec(content);
  const value = (key: string) =>
    field(key)?.[1] ?? (context.file.endsWith('.cfg') ? field(key)?.[2]?.trim() : undefined);
  return {
    name: value('name'),
    description: value('description'),
    languages: ['Python'],
    tools: toolsIn(content),
    commands: [{ task: 'install', command: 'pip install -e .' }, ...testCommand(content, context, '')],
  };
}

export function readRequirements(content: string, context: ManifestContext): ManifestFacts {
  const install: { task: Task; command: string } = {
    task: 'install',
    command: `pip install -r ${context.file}`,
  };
  return {
    languages: ['Python'],
    tools: toolsIn(content),
    commands: [install, ...testCommand(content, context, '')],
  };
}

/** Files that only show how the tests are run. */
export function readPythonTests(content: string, context: ManifestContext): ManifestFacts {
  return { languages: ['Python'], tools: toolsIn(content), commands: testCommand(content, context, '') };
}

function pythonManager(
  content: string,
  context: ManifestContext,
): { name?: string; install: string; prefix: string } {
  if (context.has('uv.lock') || content.includes('[tool.uv'))
    return { name: 'uv', install: 'uv sync', prefix: 'uv run ' };
  if (context.has('poetry.lock') || content.includes('[tool.poetry')) {
    return { name: 'Poetry', install: 'poetry install', prefix: 'poetry run ' };
  }
  return { install: 'pip install -e .', prefix: '' };
}

/** pytest where anything speaks for it, else the standard library's runner where there are tests at all. */
function testCommand(
  content: string,
  context: ManifestContext,
  prefix: string,
): { task: Task; command: string }[] {
  const usesPytest =
    /\bpytest\b/.test(content) ||
    context.has('pytest.ini') ||
    context.has('conftest.py') ||
    context.has('tox.ini');
  if (usesPytest) return [{ task: 'test', command: prefix === '' ? 'python3 -m pytest' : `${prefix}pytest` }];
  const hasTests =
    context.folders.some((name) => /^tests?$/.test(name)) ||
    context.files.some((name) => /^test_.*\.py$/.test(name));
  const runner = prefix === '' ? 'python3' : `${prefix}python`;
  return hasTests ? [{ task: 'test', command: `${runner} -m unittest discover` }] : [];
}

function lintCommand(content: string, prefix: string): { task: Task; command: string }[] {
  return /\bruff\b/.test(content) ? [{ task: 'lint', command: `${prefix}ruff check .` }] : [];
}

function toolsIn(content: string): string[] {
  return KNOWN_TOOLS.flatMap(([pattern, name]) => (pattern.test(content) ? [name] : []));
}
