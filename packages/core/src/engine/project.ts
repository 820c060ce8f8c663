/** The current state a session is made from: trust, model and session id may change while it runs. */
import { FatalConfigError } from '../base/errors.js';
import { EventStream } from '../bus/event-stream.js';
import type { AdminControls } from '../model/code-assist/admin-controls.js';
import { type Environment, processEnvironment } from '../platform/environment.js';
import { ApprovalMode } from '../protocol/confirmation.js';
import { withDefaults } from '../settings/schema/parameters.js';
import type { Topic } from '../tools/topic/update-topic.js';
import type { CompleteParameters, ConfigParameters } from './parameters.js';

export class Project {
  readonly environment: Environment;
  /** Where front ends listen and answer. */
  readonly events: EventStream;
  /** The plan the user approved last in this session. */
  approvedPlan: string | undefined;
  /** What the model works on, as it said last. */
  topic: Topic | undefined;
  private trusted: boolean;
  private current: CompleteParameters;

  constructor(given: ConfigParameters) {
    this.current = withDefaults(given);
    this.environment = given.environment ?? processEnvironment();
    this.events = given.events ?? new EventStream();
    this.trusted = given.trusted ?? true;
  }

  /** The current parameters, defaults included. */
  get parameters(): CompleteParameters {
    return this.current;
  }

  get sessionId(): string {
    return this.current.sessionId;
  }

  get isTrusted(): boolean {
    return this.trusted;
  }

  change(values: Partial<ConfigParameters>): void {
    this.current = withDefaults({ ...this.current, ...values });
  }

  /**
   * The user has decided about the folder: settings are merged again.
   * @throws FatalConfigError when the folder's settings are invalid; nothing has changed then
   */
  setTrusted(trusted: boolean): void {
    const { settings, deriveForTrust } = this.current;
    settings?.setTrusted(trusted);
    this.trusted = trusted;
    if (deriveForTrust) this.change(deriveForTrust(trusted));
  }

  /**
   * The organisation of the account has set these controls.
   * @param mode the approval mode of the session now
   * @throws FatalConfigError when they forbid it; nothing has changed then
   */
  setAdminControls(controls: AdminControls, mode: ApprovalMode): void {
    const { settings, deriveForTrust } = this.current;
    if (controls.secureModeEnabled && mode === ApprovalMode.YOLO)
      throw new FatalConfigError('Yolo mode is disabled by your organisation.');
    settings?.setAdminControls(controls);
    if (deriveForTrust) this.change(deriveForTrust(this.trusted));
    if (controls.secureModeEnabled) this.change({ disableYoloMode: true, disableAlwaysAllow: true });
  }

  /** MCP servers as the settings files have them now. @throws UserError for a file that does not parse */
  readServersAgain(): void {
    const { settings, deriveForTrust } = this.current;
    settings?.readAgain();
    const { mcpServers, mcp } = deriveForTrust?.(this.trusted) ?? this.current;
    this.change({ ...(mcpServers && { mcpServers }), ...(mcp && { mcp }) });
  }

  readonly notice = (message: string): void => this.events.notice(message);
}
