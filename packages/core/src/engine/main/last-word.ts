/** What decides whether an answer is the last one: a schema, the next-speaker check, or the model itself. */
import type { LastWord } from '../../agent/chat/last-word.js';
import type { UtilityModel } from '../../model/utility/utility-model.js';
import type { CompleteParameters } from '../parameters.js';

/** Undefined: the model decides. */
export async function lastWordOf(
  { outputSchema, models }: Pick<CompleteParameters, 'outputSchema' | 'models'>,
  utility: UtilityModel,
): Promise<LastWord | undefined> {
  if (outputSchema !== undefined) {
    const { AnswerSchema, StructuredAnswers } = await import(
      '../../agent/output-schema/structured-answer.js'
    );
    return new StructuredAnswers(await AnswerSchema.load(outputSchema));
  }
  if (!models.skipNextSpeakerCheck) {
    const { NextSpeakerCheck } = await import('../../agent/chat/next-speaker.js');
    return new NextSpeakerCheck(utility);
  }
  return undefined;
}
