/** What decides whether an answer is the last one: a schema, the next-speaker check, or the model itself. */
import type { FinalAnswerCheck } from '../../agent/chat/final-answer-check.js';
import type { UtilityModel } from '../../model/utility/utility-model.js';
import type { TelemetryRecorder } from '../../telemetry/record.js';
import type { CompleteParameters } from '../parameters.js';

/** Undefined: the model decides. */
export async function finalAnswerCheckOf(
  { outputSchema, models }: Pick<CompleteParameters, 'outputSchema' | 'models'>,
  { utility, recorder }: { utility: UtilityModel; recorder: TelemetryRecorder },
): Promise<FinalAnswerCheck | undefined> {
  if (outputSchema !== undefined) {
    const { AnswerSchema, StructuredAnswers } = await import(
      '../../agent/output-schema/structured-answer.js'
    );
    return new StructuredAnswers(await AnswerSchema.load(outputSchema));
  }
  if (!models.skipNextSpeakerCheck) {
    const { NextSpeakerCheck } = await import('../../agent/chat/next-speaker.js');
    return new NextSpeakerCheck(utility, recorder);
  }
  return undefined;
}
