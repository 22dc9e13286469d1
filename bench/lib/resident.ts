import { readdirSync, readFileSync } from 'node:fs'

const SAMPLE_MS = 10
const KB_PER_MB = 1024

/** What a process and its children hold of the machine's memory, in MB; NaN where there is no /proc. */
export function watchResident(pid: number) {
  let peak = 0
  const sample = () => {
    peak = Math.max(peak, sum(family(pid).map((each) => read(each, 'VmRSS'))))
  }
  const timer = setInterval(sample, SAMPLE_MS)
  return {
    now: () => read(pid, 'VmRSS'),
    /** The most that was held at once; ends the watch. */
    stop: () => {
      clearInterval(timer)
      // The kernel saw the moments between the samples, but of each process alone.
      return Math.max(peak, read(pid, 'VmHWM'))
    },
  }
}

function family(pid: number): number[] {
  try {
    const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    )
    return [pid, ...children.flatMap(family)]
  } catch {
    // It has ended.
    return []
  }
}

function read(pid: number, key: 'VmRSS' | 'VmHWM'): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(new RegExp(`${key}:\\s+(\\d+) kB`).exec(status)?.[1]) / KB_PER_MB
  } catch {
    return Number.NaN
  }
}

function sum(values: number[]): number {
  return values.filter((value) => !Number.isNaN(value)).reduce((total, value) => total + value, 0)
}
