import { gradeAnswer } from '../assertions/grade-answer.ts'
import { gradeAssertion } from '../assertions/graders.ts'
import type { Sample } from './assertion-samples.ts'

export interface Verdict {
  pass: boolean
  score: number
  metrics: Record<string, number>
}

/** What our graders say of a sample; what may take long is graded in this thread, too. */
export async function gradeSample({
  assertions,
  threshold,
  values,
  answer,
  reply,
}: Sample): Promise<Verdict> {
  const graded = { assertions, threshold, values, input: 'What is the capital of France?', notRun: 0 }
  const { verdict, score, metrics } = await gradeAnswer(graded, answer, {
    gradeApart: async (assertion, asked) => gradeAssertion(assertion, asked),
    judge: async () => reply,
  })
  return { pass: verdict === 'passed', score, metrics }
}
