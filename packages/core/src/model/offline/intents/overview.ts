/** "what does this project do?", "how is it structured?", "how do I run the tests?" */
import { type Clause, wholeClause } from '../clause.js';
import { defineFamily } from '../intent.js';

interface OverviewDetails {
  focus: 'project' | 'usage';
}

const IT = '(?:this project|this|it)';

const ABOUT = [
  wholeClause(`(?:explain|show this project)(?: ${IT})?(?: (?:works?|structure|architecture|layout|does))?`),
  wholeClause(
    `what (?:does|do|is|are|can) ${IT}(?: (?:do|does|about|for|used for|supposed to do|good for))?(?:,? and how\\b.*)?`,
  ),
  wholeClause(`what ${IT} (?:does|is(?: about| for)?)`),
  wholeClause(`how (?:is ${IT} (?:structured|organi[sz]ed|built|laid out|set up)|does ${IT} work)`),
  wholeClause(
    `(?:(?:what is|show|explain) )?(?:project |code |folder |this project )?(?:structure|layout|organi[sz]ation|overview|summary)(?: of ${IT})?`,
  ),
  /^(?:what am i looking at|where (?:do|should|can) i (?:start|begin)(?: reading)?|what is going on(?: here)?)$/i,
  /^(?:what|which) (?:programming )?(?:languages?|frameworks?|tech\w*(?: stack)?|libraries|stack|tools) (?:does|do|is|are)\b.*$/i,
];
const USAGE = wholeClause(
  `how (?:(?:do|can|should|would) (?:i|you|we|one)|to)(?: (?:install|build|compile|run|start|launch|test|use|develop|lint|set ?up|execute)(?:,| and| or)?)+(?: (?:${IT}|(?:unit )?tests?(?: suite)?|dependencies|(?:dev(?:elopment)? )?server|linter|build))?`,
);
const RUN_IT = wholeClause(`run (?:${IT}|(?:dev(?:elopment)? )?server)`);

function match({ plain, previous, afterText }: Clause): OverviewDetails | undefined {
  // "this" is what was spoken of, or the text pasted above, before it is the project.
  const isSpokenOf = afterText || previous?.path !== undefined || previous?.text !== undefined;
  if (isSpokenOf && PRONOUN.test(plain)) return undefined;
  if (USAGE.test(plain) || RUN_IT.test(plain)) return { focus: 'usage' };
  return ABOUT.some((pattern) => pattern.test(plain)) ? { focus: 'project' } : undefined;
}

const PRONOUN = /\b(?:it|this|that)(?: (?:do|does|about|for|mean|to me|works?))?$/i;

export const overviewFamily = defineFamily<OverviewDetails>({
  kind: 'overview',
  match,
  async steps({ focus }) {
    const { answerOverview } = await import('../project/survey.js');
    return answerOverview('.', focus);
  },
});
