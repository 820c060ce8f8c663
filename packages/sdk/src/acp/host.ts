/** What the protocol needs of the program it serves: it opens sessions, signs in, and knows stored sessions and commands. */
import type {
  CommandTerminal,
  Config,
  ConversationRecord,
  EventStream,
  FileSystemService,
  McpServerFields,
  Part,
  ProposedCall,
  UserCall,
} from '@gemini-cli/core';

export interface AcpHost {
  readonly info: AgentInfo;
  readonly authMethods: readonly AuthMethod[];
  /** Announced to the client; what is absent is refused by `open`. */
  readonly sessionAbilities: SessionAbilities;
  /** @throws CallerError for an unknown method or malformed credentials, FatalAuthenticationError when it fails */
  authenticate(methodId: string, meta: unknown): Promise<void>;
  /** @throws FatalAuthenticationError, CallerError for an unknown stored session or folder */
  open(request: OpenRequest): Promise<HostedSession>;
  list(request: { cwd?: string; cursor?: string }): Promise<StoredSessions>;
  /** Does nothing for an id that is not stored. @throws CallerError while another process records it */
  delete?(sessionId: string): Promise<void>;
}

export interface AgentInfo {
  name: string;
  title: string;
  version: string;
}

export interface SessionAbilities {
  delete?: Record<string, never>;
  fork?: Record<string, never>;
  additionalDirectories?: Record<string, never>;
}

export interface AuthMethod {
  id: string;
  name: string;
  description: string;
  _meta?: Record<string, unknown>;
}

export interface OpenRequest {
  /** Absolute. */
  cwd: string;
  additionalDirectories: readonly string[];
  mcpServers: Readonly<Record<string, McpServerFields>>;
  /** Absent: a new session. `fork`: a copy of it under a new id. */
  stored?: { sessionId: string; fork: boolean };
  events: EventStream;
  /** Files and terminals of the client, for a session of this id. */
  client(sessionId: string): ClientParts;
}

export interface ClientParts {
  fileSystem?: FileSystemService;
  commandTerminal?: CommandTerminal;
}

/** A session whose engine runs. */
export interface HostedSession {
  readonly config: Config;
  /** What was said before, for a stored session. */
  readonly record?: ConversationRecord;
  /** Names for the client's menu; the same again until something has changed. */
  commands(): Promise<readonly HostedCommand[]>;
  runCommand(line: string, run: CommandRun): Promise<CommandResult>;
  /** Reads a file as if the user had named it with `@`. @throws for one that cannot be read */
  readLink(path: string, reading: LinkReading): Promise<LinkContents>;
  close(): Promise<void>;
}

export interface HostedCommand {
  name: string;
  description: string;
  /** What to type behind the name. */
  hint?: string;
}

export interface CommandRun {
  signal: AbortSignal;
  /** Text for the user while the command works. */
  tell(text: string): void;
  /** Asks the user yes or no. */
  confirm(title: string, text: string): Promise<boolean>;
}

export type CommandResult =
  | { kind: 'text'; text: string }
  | { kind: 'prompt'; parts: Part[]; typed?: string; call?: UserCall }
  /** Files and conversation are as they were; the call that followed is proposed again. */
  | { kind: 'restored'; text: string; propose?: ProposedCall }
  | { kind: 'unknown' };

export interface LinkReading {
  signal: AbortSignal;
  /** Asks the user about a file outside the workspace. */
  mayRead(path: string): Promise<boolean>;
}

export type LinkContents =
  | { kind: 'contents'; parts: Part[]; notices: string[] }
  | { kind: 'denied' }
  | { kind: 'unreadable'; reason: string };

export interface StoredSessions {
  sessions: { sessionId: string; cwd: string; title: string; updatedAt: string }[];
  nextCursor?: string;
}
