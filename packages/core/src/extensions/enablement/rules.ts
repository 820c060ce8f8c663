/** The rules of `extension-enablement.json`, as texts: `[!]/folder/[*]`. */

/** The rule for a folder and everything below it. */
export function ruleFor(path: string, enabled: boolean): string {
  return `${enabled ? '' : '!'}${asFolder(path)}*`;
}

export function matches(rule: string, path: string): boolean {
  const { folder, includesBelow } = parse(rule);
  const tested = asFolder(path);
  return includesBelow ? tested.startsWith(folder) : tested === folder;
}

/** The new rule comes last; rules that it repeats, contradicts or contains are removed. */
export function addRule(rules: readonly string[], rule: string): string[] {
  const { folder, includesBelow } = parse(rule);
  const kept = rules.filter((other) => {
    const known = parse(other);
    return known.folder !== folder && !(includesBelow && known.folder.startsWith(folder));
  });
  return [...kept, rule];
}

function parse(rule: string): { folder: string; includesBelow: boolean } {
  const path = rule.startsWith('!') ? rule.slice(1) : rule;
  const includesBelow = path.endsWith('*');
  return { folder: asFolder(includesBelow ? path.slice(0, -1) : path), includesBelow };
}

/** Forward slashes, with one at each end. */
function asFolder(path: string): string {
  const inner = path.replaceAll('\\', '/').replace(/^\/+|\/+$/g, '');
  return inner === '' ? '/' : `/${inner}/`;
}
