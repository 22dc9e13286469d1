import { PATTERN_LIMIT_MS } from '@catenary/contracts'
import type { GradingTools } from '@catenary/domain/assertions'
import type { BoundedWork, Call, TaskOf } from '../bounded/bounded-work.ts'
import { WorkRefused } from '../bounded/work-refused.ts'

const GRADING: TaskOf<typeof import('./grading-task.ts')> = {
  module: new URL('./grading-task.ts', import.meta.url),
  what: 'Grading',
  limitMs: 1_000,
  byProcessor: true,
  sizeOf: (task) => (task.kind === 'answer' ? task.answer.text.length : task.reply.length),
  sizeMax: 20_000_000,
}
const PATTERN: typeof GRADING = { ...GRADING, what: 'The pattern', limitMs: PATTERN_LIMIT_MS }
const PATTERNS = ['regex', 'not-regex']

/** For all assertions of an answer together, of processor time too; the remaining ones then fail. */
const CALL_LIMIT_MS = 5_000

export function openGrading(
  { bounded }: { bounded: BoundedWork },
  call: Omit<Call, 'limitMs'>,
): GradingTools['gradeApart'] {
  const { run } = bounded.open({ ...call, limitMs: CALL_LIMIT_MS })
  return async (task) => {
    try {
      return await run(PATTERNS.includes(task.assertion.type) ? PATTERN : GRADING, task)
    } catch (error) {
      if (!(error instanceof WorkRefused) || error.why === 'left') throw error
      return { passed: false, score: 0, reason: error.message }
    }
  }
}
