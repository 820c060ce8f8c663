/** Greetings, "help", "what can you do?", "how do I connect a model?", and prompts that match no rule. */
import type { Clause } from '../clause.js';
import { defineFamily, done, type Intent, type Steps } from '../intent.js';
import { CAPABILITIES, HOW_TO_CONNECT } from '../say.js';

interface HelpDetails {
  topic: 'capabilities' | 'greeting' | 'thanks' | 'connect' | 'identity' | 'needs_model';
}

const GREETING =
  /^(?:hi|hello|hey|hiya|yo|good (?:morning|afternoon|evening|day)|greetings|howdy|moin|hallo|hola|bonjour)(?: (?:there|gemini|everyone|all))?[\s!.,]*$/i;
const THANKS =
  /^(?:thanks?|thank you|thx|cheers|great|nice|cool|ok|okay|perfect|bye|goodbye|please)(?: (?:a lot|so much|very much|you))?[\s!.]*$/i;
const HELP =
  /^(?:\/?help|\?+|usage|examples?|commands?|what (?:can|could|do) you do|what are (?:you able to do|abilities|capabilities|commands|features)|what can i (?:ask|do|say)(?: you)?(?: here)?|how (?:do|can|should) i use (?:you|this|this (?:guide|command|project))|how does this work|show (?:help|commands|examples)|how (?:can|do) you (?:help|work)|get(?:ting)? started|what now)$/i;
const CONNECT =
  /\b(?:api[ _-]?key|(?:connect|use|show|add|set ?up|switch to|choose|select|get) (?:to |another |real )*(?:language )?(?:model|llm|gemini|ai)|log ?in|sign ?in|authenticate|gemini_api_key)\b/i;
const IDENTITY =
  /^(?:(?:who|what) (?:is |are )?(?:you|this guide|offline guide)|are you (?:ai|llm|real|human|bot|robot|language model|gemini|chatgpt|offline|model)\b.*|(?:what|which) model (?:are you|is this|do you use))$/i;

function match(clause: Clause): HelpDetails | undefined {
  const { plain } = clause;
  if (HELP.test(plain)) return { topic: 'capabilities' };
  if (IDENTITY.test(plain)) return { topic: 'identity' };
  const asks = /^(?:how|where|what|i (?:want|need|have)|connect|log ?in|sign ?in|use|show|set|add)\b/i.test(
    plain,
  );
  const isAboutCode = /^(?:what|where) (?:is|does) \S+(?: (?:used|defined|do|set))?$/i.test(plain);
  return asks && !isAboutCode && CONNECT.test(plain) ? { topic: 'connect' } : undefined;
}

// biome-ignore lint/correctness/useYield: every intent is a generator; this one needs no tool
function* steps({ topic }: HelpDetails): Steps {
  return done(TEXTS[topic]);
}

const WHO =
  'I am the offline guide built into this program: a set of rules, not a language model. I need no network and no key.';

const TEXTS: Record<HelpDetails['topic'], string> = {
  greeting: `Hello. ${WHO}\n\n${CAPABILITIES}\n\n${HOW_TO_CONNECT}`,
  thanks: 'You are welcome. Ask for `help` to see what else I can do.',
  capabilities: `${CAPABILITIES}\n\n${HOW_TO_CONNECT}`,
  identity: `${WHO}\n\n${CAPABILITIES}\n\n${HOW_TO_CONNECT}`,
  connect: HOW_TO_CONNECT,
  needs_model: `I have no rule for that; it needs a language model.\n\n${CAPABILITIES}\n\n${HOW_TO_CONNECT}`,
};

/** Polite words along with a request; they need no answer. */
export function isSmallTalk(text: string): boolean {
  return text === '' || GREETING.test(text) || THANKS.test(text);
}

/** The answer when the prompt asks for nothing, or matches no rule. */
export function helpIntent(prompt: string, notUnderstood: boolean): Intent {
  const topic = notUnderstood ? 'needs_model' : smallTalkTopic(prompt.trim());
  return {
    kind: 'help',
    details: { topic },
    mutates: false,
    keeps: () => false,
    steps: () => steps({ topic }),
  };
}

function smallTalkTopic(prompt: string): HelpDetails['topic'] {
  if (prompt === '') return 'capabilities';
  return GREETING.test(prompt) ? 'greeting' : 'thanks';
}

export const helpFamily = defineFamily<HelpDetails>({ kind: 'help', match, steps });
