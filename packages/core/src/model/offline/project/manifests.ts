/** The table of manifests, the most informative first. */
import {
  readCargo,
  readCMake,
  readComposer,
  readDotnet,
  readGemfile,
  readGo,
  readGradle,
  readMakefile,
  readMaven,
  readMix,
} from './compiled.js';
import { readDeno, readPackageJson } from './node.js';
import { readPyproject, readPythonTests, readRequirements, readSetupPy } from './python.js';
import type { ManifestContext, ManifestFacts } from './types.js';

interface Manifest {
  file: RegExp;
  read(content: string, context: ManifestContext): ManifestFacts;
}

export const MANIFESTS: readonly Manifest[] = [
  { file: /^package\.json$/, read: readPackageJson },
  { file: /^pyproject\.toml$/, read: readPyproject },
  { file: /^Cargo\.toml$/, read: readCargo },
  { file: /^go\.mod$/, read: readGo },
  { file: /^deno\.jsonc?$/, read: readDeno },
  { file: /^setup\.(?:py|cfg)$/, read: readSetupPy },
  { file: /^requirements\.txt$/, read: readRequirements },
  { file: /^requirements[-_.]\w+\.txt$/, read: readPythonTests },
  { file: /^(?:pytest\.ini|tox\.ini|conftest\.py|test_\w+\.py)$/, read: readPythonTests },
  { file: /^pom\.xml$/, read: readMaven },
  { file: /^build\.gradle(?:\.kts)?$/, read: readGradle },
  { file: /^composer\.json$/, read: readComposer },
  { file: /^Gemfile$/, read: readGemfile },
  { file: /^mix\.exs$/, read: readMix },
  { file: /\.(?:sln|csproj|fsproj)$/, read: readDotnet },
  { file: /^CMakeLists\.txt$/, read: readCMake },
  { file: /^(?:GNUm|M|m)akefile$/, read: readMakefile },
];
