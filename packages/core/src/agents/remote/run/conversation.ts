/** What an agent knows of the session: its context, and a task that waits for an answer. */

export interface ConversationIds {
  contextId?: string;
  /** A task that is not over. */
  taskId?: string;
}

export class Conversation {
  private ids: ConversationIds = {};

  /** The waiting task belongs to the caller now: an answer given at the same time must not reach it twice. */
  begin(): ConversationIds {
    const { ids } = this;
    this.ids = { contextId: ids.contextId };
    return ids;
  }

  /** @param next without a task: it is over */
  end(next: ConversationIds): void {
    this.ids = {
      contextId: next.contextId ?? this.ids.contextId,
      taskId: next.taskId ?? this.ids.taskId,
    };
  }
}
