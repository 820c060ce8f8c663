/** What agents of one process send each other. Plain data. */
export interface AgentMessage {
  id: string;
  type: 'request' | 'response' | 'event';
  /** Names of agents, or of the program that asks. */
  sender: string;
  receiver: string;
  payload: unknown;
  /** Milliseconds. */
  timestamp: number;
}
