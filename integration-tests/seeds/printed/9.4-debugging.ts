// Seed 004 §9.4. Around it: functions, so that a test can run them and read what they print.
import { debugLogger, type MessageBus, MessageBusType } from '@gemini-cli/core';

export function logSomething(error: unknown): void {
  debugLogger.debug('My message', { context: 'data' });
  debugLogger.error('Error occurred', error);
}

export function inspectMessageBus(messageBus: MessageBus, console: Pick<Console, 'log'>): void {
  messageBus.subscribe(MessageBusType.TOOL_CONFIRMATION_REQUEST, (msg) => {
    console.log('Confirmation request:', msg);
  });
}
