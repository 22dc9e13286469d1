import type { BoundedWork, Call, TaskOf } from '../bounded/bounded-work.ts'

/** Of processor time: a run does not fail because the machine is busy. */
const PATTERN_MS = 1_000

const PATTERN: TaskOf<typeof import('./pattern-task.ts')> = {
  module: new URL('./pattern-task.ts', import.meta.url),
  what: 'The pattern',
  limitMs: PATTERN_MS,
  byProcessor: true,
  sizeOf: ({ text }) => text.length,
  sizeMax: 20_000_000,
}

/** Whether a regular expression finds something; throws `WorkRefused` where it takes too long. */
export function openPatterns({ bounded }: { bounded: BoundedWork }, call: Omit<Call, 'limitMs'>) {
  const { run } = bounded.open(call)
  return (pattern: string, text: string): Promise<boolean> => run(PATTERN, { pattern, text })
}
