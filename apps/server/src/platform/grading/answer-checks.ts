import type { AnswerCheck, AnswerTask } from '@catenary/domain/answer-check'
import type { BoundedWork, Call, TaskOf } from '../bounded/bounded-work.ts'
import { WorkRefused } from '../bounded/work-refused.ts'

const CHECK: TaskOf<typeof import('./answer-task.ts')> = {
  module: new URL('./answer-task.ts', import.meta.url),
  what: 'Checking the answer',
  // By the wall: the process gives way to others, and what is checked is paid for.
  limitMs: 10_000,
  sizeOf: ({ text, before = '' }) => text.length + before.length,
  sizeMax: 10_000_000,
}

/** An answer by its schema; `isUnchecked`: it took too long or too much, and the only error says so. */
export type CheckedAnswer = AnswerCheck & { isUnchecked?: true }

export function createAnswerChecks({ bounded }: { bounded: BoundedWork }) {
  return async (call: Call, task: AnswerTask): Promise<CheckedAnswer> => {
    try {
      return await bounded.open(call).run(CHECK, task)
    } catch (error) {
      if (!(error instanceof WorkRefused) || error.why === 'left') throw error
      const errors = [{ path: '', message: error.message }]
      return { text: task.text, errors, repairs: [], isUnchecked: true }
    }
  }
}
