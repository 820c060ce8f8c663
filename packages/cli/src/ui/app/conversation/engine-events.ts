/** What the engine tells beside the answers to prompts: notices, questions, the end of background commands. */
import { type AgentEvent, type EventStream, isMainAgent, type Question } from '@gemini-cli/core';
import type { DialogName } from '../../../commands/dialog-name.js';
import type { HistoryItemWithoutId } from '../../../history/item.js';
import type { Store } from '../../store/store.js';
import { type AccountPorts, askAboutAccount, askAboutFallback } from './account-questions.js';
import { askForServer } from './ask-for-server.js';
import { closeConfirmation, openConfirmation } from './confirmations.js';

/** Questions of the program itself, shown as dialogs. */
export interface UserQuestions {
  /** @returns what the dialog was closed with */
  ask(name: DialogName, props: Record<string, unknown>): Promise<unknown>;
  /** Closes such a dialog if it is still open: its question was withdrawn. */
  withdraw(name: DialogName): void;
}

export interface EngineEventPorts extends UserQuestions, AccountPorts {
  store: Store;
  add: (item: HistoryItemWithoutId) => void;
  /** Sends a message to the model. */
  report: (text: string) => void;
  /** The same conversation with a new engine. */
  restart: () => void;
  /** Every event, of all agents, for statistics. */
  observe: (event: AgentEvent) => void;
}

const DIALOGS: Readonly<Partial<Record<Question['kind'], DialogName>>> = {
  model_fallback: 'fallback',
  account_problem: 'fallback',
  admin_changed: 'fallback',
  workspace_policies: 'policies',
  project_agents: 'policies',
  mcp_elicitation: 'elicitation',
};

/** To be called before the engine starts. @returns stops */
export function listenToEngine(events: EventStream, ports: EngineEventPorts): () => void {
  /** Questions that are shown as dialogs, by id. */
  const dialogs = new Map<string, DialogName>();
  const stop = events.subscribe(
    (event) => {
      ports.observe(event);
      switch (event.type) {
        case 'notice':
          if (event.isKept) ports.add({ type: 'info', text: event.message });
          else ports.store.dispatch(event);
          break;
        case 'hook_started':
        case 'hook_finished':
        case 'mcp_changed':
        case 'ide_changed':
          ports.store.dispatch(event);
          break;
        case 'hook_message':
          // During a request the conversation reads those of the main agent, in their place between the other events.
          if (ports.store.getState().streaming === 'idle' || !isMainAgent(event.agent))
            ports.store.dispatch(event);
          break;
        case 'question': {
          const dialog = DIALOGS[event.question.kind];
          if (dialog) dialogs.set(event.id, dialog);
          void askUser(events, event.id, event.question, ports);
          break;
        }
        case 'question_settled': {
          closeConfirmation(ports.store, event.id);
          const dialog = dialogs.get(event.id);
          dialogs.delete(event.id);
          if (dialog && event.status !== 'answered') ports.withdraw(dialog);
          break;
        }
        case 'background_completed':
          if (event.kind === 'inject') ports.report(event.text);
          else ports.add({ type: 'info', text: event.text });
          break;
      }
    },
    // The conversation reads the pieces of the answer; here each would only cost time.
    { answers: true, content: false },
  );
  return () => {
    stop();
    for (const dialog of dialogs.values()) ports.withdraw(dialog);
    dialogs.clear();
  };
}

async function askUser(
  events: EventStream,
  id: string,
  question: Question,
  ports: EngineEventPorts,
): Promise<void> {
  const { store, ask } = ports;
  switch (question.kind) {
    case 'tool_confirmation':
    case 'ask_user':
      // The questions behind it would wait for ever.
      if (!openConfirmation(store, id, question)) events.dismiss(id);
      break;
    case 'model_fallback':
      events.answer(id, await askAboutFallback(question, ports));
      break;
    case 'account_problem':
      events.answer(id, await askAboutAccount(question, ports));
      break;
    case 'admin_changed': {
      const isWanted = (await ask('fallback', { situation: { kind: 'admin' } })) === 'restart';
      events.answer(id, isWanted);
      if (isWanted) ports.restart();
      break;
    }
    case 'workspace_policies': {
      const { kind: _, ...change } = question;
      const answer = await ask('policies', { situation: { kind: 'policies', ...change } });
      events.answer(id, answer === 'accept');
      break;
    }
    case 'project_agents': {
      const answer = await ask('policies', { situation: { kind: 'agents', agents: question.agents } });
      events.answer(id, answer === 'accept');
      break;
    }
    case 'mcp_elicitation':
      events.answer(id, await askForServer(question, ports));
      break;
    case 'folder_trust':
      // The terminal asks about trust before the engine starts, in a dialog of its own.
      events.answer(id, false);
      break;
  }
}
