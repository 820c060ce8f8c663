/** Rigs share the compiled code of the program under test: with it a start takes two thirds of the time. */
import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

export class CompiledCode {
  constructor(
    private readonly directory: string,
    private readonly program: string,
  ) {}

  giveTo(home: string): void {
    this.removeOld();
    for (const name of namesIn(this.directory)) copy(name, this.directory, cacheOf(home));
  }

  keepFrom(home: string): void {
    for (const name of namesIn(cacheOf(home))) {
      if (!existsSync(join(this.directory, name))) copy(name, cacheOf(home), this.directory);
    }
  }

  /** Code that is older than the program belongs to another build. */
  private removeOld(): void {
    const { mtimeMs } = statSync(this.program);
    for (const path of namesIn(this.directory).map((name) => join(this.directory, name))) {
      const stats = statSync(path, { throwIfNoEntry: false });
      if (stats && stats.mtimeMs < mtimeMs) rmSync(path, { force: true });
    }
  }
}

function cacheOf(home: string): string {
  return join(home, '.gemini/tmp/compile-cache');
}

function namesIn(directory: string): string[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory).filter((name) => name.endsWith('.bin'));
}

/** In one step, because other test processes read and write here, too. */
function copy(name: string, from: string, to: string): void {
  mkdirSync(to, { recursive: true, mode: 0o700 });
  const temporary = join(to, `${name}.${process.pid}`);
  copyFileSync(join(from, name), temporary);
  renameSync(temporary, join(to, name));
}
