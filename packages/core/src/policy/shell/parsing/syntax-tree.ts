/**
 * The syntax tree of a command line. Every property of the parser's own nodes is a call into WebAssembly, and the walk
 * reads the type of a node a dozen times, so this copy caches them.
 */
import type { Node } from 'web-tree-sitter';

export class SyntaxNode {
  readonly type: string;
  readonly isNamed: boolean;
  readonly startIndex: number;
  readonly endIndex: number;
  private ownText: string | undefined;
  private ownChildren: readonly SyntaxNode[] | undefined;

  /** @param source the text that was parsed */
  constructor(
    private readonly node: Node,
    private readonly source: string,
    readonly parent: SyntaxNode | undefined = undefined,
  ) {
    const { type, isNamed } = kindOf(node);
    this.type = type;
    this.isNamed = isNamed;
    this.startIndex = node.startIndex;
    this.endIndex = node.endIndex;
  }

  get hasError(): boolean {
    return this.node.hasError;
  }

  get text(): string {
    this.ownText ??= this.source.slice(this.startIndex, this.endIndex);
    return this.ownText;
  }

  get children(): readonly SyntaxNode[] {
    this.ownChildren ??= this.isToken ? [] : this.findChildren();
    return this.ownChildren;
  }

  /** `&&`, `|`, `"`: its type is its text, and it has no children. */
  private get isToken(): boolean {
    return !this.isNamed && this.type === this.text;
  }

  get childCount(): number {
    return this.children.length;
  }

  get namedChildren(): SyntaxNode[] {
    return this.children.filter(({ isNamed }) => isNamed);
  }

  childForFieldName(name: string): SyntaxNode | undefined {
    const found = this.node.childForFieldName(name);
    return found ? this.ownOf(found) : undefined;
  }

  childrenForFieldName(name: string): SyntaxNode[] {
    return this.node.childrenForFieldName(name).flatMap((found) => (found ? [this.ownOf(found)] : []));
  }

  /** In the order of the text. */
  descendantsOfType(types: readonly string[]): SyntaxNode[] {
    return this.children.flatMap((child) => {
      const below = child.descendantsOfType(types);
      return types.includes(child.type) ? [child, ...below] : below;
    });
  }

  private findChildren(): SyntaxNode[] {
    return this.node.children.map((child) => new SyntaxNode(child, this.source, this));
  }

  private ownOf(found: Node): SyntaxNode {
    return this.children.find(({ node }) => node.id === found.id) ?? new SyntaxNode(found, this.source, this);
  }
}

interface Kind {
  type: string;
  isNamed: boolean;
}

/** By type id; there is only one grammar. */
const KINDS: (Kind | undefined)[] = [];

function kindOf(node: Node): Kind {
  const { typeId } = node;
  const kind = KINDS[typeId] ?? { type: node.type, isNamed: node.isNamed };
  KINDS[typeId] = kind;
  return kind;
}
