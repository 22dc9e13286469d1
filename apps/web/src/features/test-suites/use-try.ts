import type { CaseGrade, GradeRequest } from '@catenary/contracts'
import { useState } from 'react'
import { errorReason } from '../../lib/errors.ts'
import { type TestedRecord, useGrade } from './test-suites.queries.ts'
import { type LastAnswer, readLastAnswer } from './tested-run.queries.ts'

/** Grades the latest answer by what is being written. */
export function useTry(record: TestedRecord) {
  const { mutateAsync, isPending } = useGrade()
  const [tried, setTried] = useState<{ grade: CaseGrade; answer: LastAnswer } | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  return {
    isPending,
    problem,
    grade: tried?.grade ?? null,
    answer: tried?.answer ?? null,
    async run(graded: Omit<GradeRequest, 'answer'>): Promise<void> {
      try {
        const answer = await readLastAnswer(record)
        setTried(answer && { answer, grade: await mutateAsync({ ...graded, answer }) })
        setProblem(answer === null ? `You have no answer of this ${record.kind} yet. Run it once.` : null)
      } catch (error) {
        setProblem(errorReason(error))
      }
    },
  }
}

export type Trial = ReturnType<typeof useTry>
