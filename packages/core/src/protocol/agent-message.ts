/** A message between agents of one process. Plain data. */
export interface AgentMessage {
  id: string;
  type: 'request' | 'response' | 'event';
  /** Names of agents, or of the calling program. */
  sender: string;
  receiver: string;
  payload: unknown;
  /** Milliseconds. */
  timestamp: number;
}
