import { gradeAnswer } from '../assertions/grade-answer.ts'
import { doGrading } from '../assertions/grading-task.ts'
import type { Sample } from './assertion-samples.ts'

export interface Verdict {
  pass: boolean
  score: number
  metrics: Record<string, number>
}

/** What our graders say of a sample; all of it in this thread. */
export async function gradeSample({
  assertions,
  threshold,
  values,
  answer,
  reply,
}: Sample): Promise<Verdict> {
  const graded = { assertions, threshold, values, input: 'What is the capital of France?', notRun: 0 }
  const { verdict, score, metrics } = await gradeAnswer(graded, answer, {
    gradeApart: async (task) => doGrading(task),
    judge: async () => reply,
  })
  return { pass: verdict === 'passed', score, metrics }
}
