import type { AssertionOf, GradedAnswer } from '@catenary/contracts'
import { type GradedAssertion, gradeAssertion, type Outcome } from './graders.ts'
import { readJudgement } from './judge-reply.ts'

export type GradingTask =
  | { kind: 'answer'; assertion: GradedAssertion; answer: GradedAnswer }
  | { kind: 'reply'; assertion: AssertionOf<'llm-rubric' | 'factuality'>; reply: string }

export function doGrading(task: GradingTask): Outcome {
  return task.kind === 'answer'
    ? gradeAssertion(task.assertion, task.answer)
    : readJudgement(task.assertion, task.reply)
}
