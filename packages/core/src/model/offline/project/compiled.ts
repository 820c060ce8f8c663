/** Cargo.toml, go.mod, pom.xml, Gradle, Composer, Bundler, Mix, .NET, CMake, Make. */
import { objectAt, parseObject, textAt } from './node.js';
import { readToml } from './toml.js';
import type { ManifestContext, ManifestFacts, Task } from './types.js';

export function readCargo(content: string, context: ManifestContext): ManifestFacts {
  const toml = readToml(content);
  const members = [...toml.raw('workspace').matchAll(/"([\w./-]+)\/\*"/g)].flatMap((found) => found[1] ?? []);
  const edition = toml.text('package', 'edition');
  const isBinary = toml.has('bin') || content.includes('default-run') || context.has('main.rs');
  return {
    name: toml.text('package', 'name'),
    description: toml.text('package', 'description') ?? toml.text('workspace.package', 'description'),
    languages: ['Rust'],
    tools: [
      edition ? `Rust edition ${edition}` : 'Cargo',
      ...(toml.has('workspace') ? ['Cargo workspace'] : []),
    ],
    commands: [
      { task: 'build', command: 'cargo build' },
      ...(isBinary ? [{ task: 'run' as Task, command: 'cargo run' }] : []),
      { task: 'test', command: 'cargo test' },
      { task: 'lint', command: 'cargo clippy' },
    ],
    packageFolders: members,
  };
}

export function readGo(content: string): ManifestFacts {
  const module = /^module\s+(\S+)/m.exec(content)?.[1];
  const version = /^go\s+([\d.]+)/m.exec(content)?.[1];
  return {
    name: module,
    languages: ['Go'],
    tools: version ? [`Go ${version}`] : [],
    commands: [
      { task: 'build', command: 'go build ./...' },
      { task: 'test', command: 'go test ./...' },
      { task: 'lint', command: 'go vet ./...' },
    ],
  };
}

export function readMaven(content: string, context: ManifestContext): ManifestFacts {
  const own = content.replace(
    /<(parent|dependencies|build|profiles|dependencyManagement)>[\s\S]*?<\/\1>/g,
    '',
  );
  const tag = (name: string) => new RegExp(`<${name}>\\s*([^<]+?)\\s*</${name}>`).exec(own)?.[1];
  const maven = context.has('mvnw') ? './mvnw' : 'mvn';
  return {
    name: tag('name') ?? tag('artifactId'),
    description: tag('description'),
    languages: [/kotlin-maven-plugin/.test(content) ? 'Kotlin' : 'Java'],
    tools: ['Maven', ...(/spring-boot/.test(content) ? ['Spring Boot'] : [])],
    commands: [
      { task: 'build', command: `${maven} package` },
      { task: 'test', command: `${maven} test` },
    ],
  };
}

export function readGradle(content: string, context: ManifestContext): ManifestFacts {
  const gradle = context.has('gradlew') ? './gradlew' : 'gradle';
  return {
    languages: [/kotlin/.test(content) ? 'Kotlin' : 'Java'],
    tools: [
      'Gradle',
      ...(/com\.android/.test(content) ? ['Android'] : []),
      ...(/springframework/.test(content) ? ['Spring'] : []),
    ],
    commands: [
      { task: 'build', command: `${gradle} build` },
      ...(/\bapplication\b/.test(content) ? [{ task: 'run' as Task, command: `${gradle} run` }] : []),
      { task: 'test', command: `${gradle} test` },
    ],
  };
}

export function readComposer(content: string): ManifestFacts {
  const json = parseObject(content);
  const test = textAt(objectAt(json, 'scripts'), 'test') !== undefined ? 'composer test' : undefined;
  const command = test ?? (content.includes('phpunit') ? 'vendor/bin/phpunit' : undefined);
  return {
    name: textAt(json, 'name'),
    description: textAt(json, 'description'),
    languages: ['PHP'],
    tools: ['Composer'],
    commands: [
      { task: 'install', command: 'composer install' },
      ...(command ? [{ task: 'test' as Task, command }] : []),
    ],
  };
}

export function readGemfile(content: string): ManifestFacts {
  const test = content.includes('rspec') ? 'bundle exec rspec' : 'bundle exec rake test';
  return {
    languages: ['Ruby'],
    tools: ['Bundler', ...(/['"]rails['"]/.test(content) ? ['Rails'] : [])],
    commands: [
      { task: 'install', command: 'bundle install' },
      { task: 'test', command: test },
    ],
  };
}

export function readMix(content: string): ManifestFacts {
  return {
    name: /\bapp:\s*:(\w+)/.exec(content)?.[1],
    languages: ['Elixir'],
    tools: ['Mix'],
    commands: [
      { task: 'install', command: 'mix deps.get' },
      { task: 'test', command: 'mix test' },
    ],
  };
}

export function readDotnet(_content: string, context: ManifestContext): ManifestFacts {
  return {
    name: context.file.replace(/\.\w+$/, ''),
    languages: [context.file.endsWith('.fsproj') ? 'F#' : 'C#'],
    tools: ['.NET'],
    commands: [
      { task: 'build', command: 'dotnet build' },
      { task: 'test', command: 'dotnet test' },
    ],
  };
}

export function readCMake(content: string): ManifestFacts {
  return {
    name: /\bproject\s*\(\s*([\w-]+)/i.exec(content)?.[1],
    languages: [/\bproject\s*\([^)]*\bC\s*\)/.test(content) ? 'C' : 'C++'],
    tools: ['CMake'],
    commands: [{ task: 'build', command: 'cmake -S . -B build && cmake --build build' }],
  };
}

const TARGETS: [Task, string[]][] = [
  ['install', ['install-deps', 'deps', 'setup']],
  ['build', ['build', 'all']],
  ['run', ['run', 'start', 'serve']],
  ['test', ['test', 'tests', 'check']],
  ['lint', ['lint']],
];

export function readMakefile(content: string): ManifestFacts {
  const targets = new Set(
    [...content.matchAll(/^([A-Za-z][\w.-]*)\s*:(?!=)/gm)].flatMap((found) => found[1] ?? []),
  );
  const commands = TARGETS.flatMap(([task, names]) => {
    const name = names.find((candidate) => targets.has(candidate));
    return name ? [{ task, command: `make ${name}` }] : [];
  });
  return { tools: ['Make'], commands };
}
