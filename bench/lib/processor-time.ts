import { readdirSync, readFileSync } from 'node:fs'

/** Of the clock by which the kernel counts; the same on every Linux. */
const MS_A_TICK = 10

/**
 * Processor time of these processes, their children and those that ended, in milliseconds; NaN where there is no /proc.
 * Differences of it are what work took.
 */
export function processorMs(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + ofFamily(pid), 0)
}

function ofFamily(pid: number): number {
  const own = readStat(pid)
  return childrenOf(pid).reduce((sum, child) => sum + ofFamily(child), own)
}

function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    )
  } catch {
    // It has ended.
    return []
  }
}

/** With its threads, and with the children that it has waited for. */
function readStat(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name before may hold spaces.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
    return ticks * MS_A_TICK
  } catch {
    return process.platform === 'linux' ? 0 : Number.NaN
  }
}
