/** Config parameters that pass notices for the user to a function. */
import { EventStream } from '@gemini-cli/core';

export function noticesTo(listener: (message: string) => void): { events: EventStream } {
  const events = new EventStream();
  events.subscribe((event) => {
    if (event.type === 'notice') listener(event.message);
  });
  return { events };
}
