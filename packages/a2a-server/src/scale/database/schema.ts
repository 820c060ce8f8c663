/**
 * The tables of the server, beside those of DBOS. Payloads are text, because JSON of PostgreSQL refuses the character
 * zero, which outputs of tools may contain.
 */

export const SCHEMA = 'gemini_a2a';

/** Applied in this order, each once. A change is a new entry; old ones stay as they are. */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE ${SCHEMA}.task (
    id text PRIMARY KEY,
    context_id text NOT NULL,
    state int NOT NULL,
    updated_at timestamptz NOT NULL DEFAULT now(),
    -- Of the message that was accepted last, and of the turn that ended last.
    accepted int NOT NULL DEFAULT 0,
    ended int NOT NULL DEFAULT 0,
    queue text NOT NULL,
    record text NOT NULL
  );
  CREATE INDEX task_by_time ON ${SCHEMA}.task (updated_at DESC, id);
  CREATE INDEX task_by_context ON ${SCHEMA}.task (context_id);
  CREATE TABLE ${SCHEMA}.first_message (message_id text PRIMARY KEY, task_id text NOT NULL);
  CREATE TABLE ${SCHEMA}.turn (
    task_id text NOT NULL REFERENCES ${SCHEMA}.task ON DELETE CASCADE,
    turn int NOT NULL,
    message_id text NOT NULL,
    message text NOT NULL,
    -- Who may write; attempt grows with every process that takes the turn.
    owner text,
    attempt int NOT NULL DEFAULT 0,
    cancels boolean NOT NULL DEFAULT false,
    ended_at timestamptz,
    PRIMARY KEY (task_id, turn),
    UNIQUE (task_id, message_id)
  );
  CREATE INDEX turn_by_end ON ${SCHEMA}.turn (ended_at) WHERE ended_at IS NOT NULL;
  CREATE TABLE ${SCHEMA}.event (
    task_id text NOT NULL,
    turn int NOT NULL,
    -- Offset of the first one, from 1, and of the last one.
    first int NOT NULL,
    last int NOT NULL,
    events text NOT NULL,
    PRIMARY KEY (task_id, turn, first),
    FOREIGN KEY (task_id, turn) REFERENCES ${SCHEMA}.turn ON DELETE CASCADE
  );
  CREATE TABLE ${SCHEMA}.journal (
    task_id text NOT NULL,
    turn int NOT NULL,
    key text NOT NULL,
    owner text NOT NULL,
    value text NOT NULL,
    PRIMARY KEY (task_id, turn, key),
    FOREIGN KEY (task_id, turn) REFERENCES ${SCHEMA}.turn ON DELETE CASCADE
  );
  CREATE TABLE ${SCHEMA}.push (
    task_id text PRIMARY KEY REFERENCES ${SCHEMA}.task ON DELETE CASCADE,
    targets text NOT NULL
  );
  CREATE TABLE ${SCHEMA}.setting (name text PRIMARY KEY, value text NOT NULL);
  CREATE TABLE ${SCHEMA}.executor (
    id text PRIMARY KEY,
    labels text[] NOT NULL,
    started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    beat timestamptz NOT NULL DEFAULT clock_timestamp()
  );
  `,
  `
  -- The last turn whose end was told, and the one that a process is telling.
  ALTER TABLE ${SCHEMA}.push
    ADD COLUMN told int NOT NULL DEFAULT 0,
    ADD COLUMN claimed int NOT NULL DEFAULT 0,
    ADD COLUMN claimed_at timestamptz;
  UPDATE ${SCHEMA}.push SET told = (SELECT ended FROM ${SCHEMA}.task WHERE id = task_id);
  `,
];
