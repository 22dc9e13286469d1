import type { ChildProcess } from 'node:child_process'
import { writeFileSync } from 'node:fs'

const FIRST = '1000'

/** Where memory runs out, the kernel ends this process before the program that it works for. Elsewhere than on Linux nothing says so. */
export function endFirst({ pid }: ChildProcess): void {
  if (pid === undefined || process.platform !== 'linux') return
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, FIRST)
  } catch {
    // It has ended already, or the system doesn't let us: the program goes on as it would without.
  }
}
