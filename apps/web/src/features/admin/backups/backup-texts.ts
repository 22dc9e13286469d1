import type { BackupCopy, BackupDrill, BackupsState, DrillStage } from '@catenary/contracts'

const SECOND_MS = 1_000
const MINUTE_MS = 60_000

/** Such as 0.4 s, or 3 min. */
export function describeMs(ms: number): string {
  if (ms < MINUTE_MS) return `${(ms / SECOND_MS).toFixed(1)} s`
  return `${Math.round(ms / MINUTE_MS)} min`
}

export const STAGES: readonly { name: DrillStage['name']; label: string; fails: string }[] = [
  { name: 'opened', label: 'Opened', fails: 'could not be opened' },
  { name: 'counted', label: 'Counted', fails: 'doesn’t match its manifest' },
  { name: 'migrated', label: 'Migrated', fails: 'could not be brought up to date' },
  { name: 'ran', label: 'Ran a chain', fails: 'couldn’t run a chain' },
]

export function failedStage({ stages }: BackupDrill) {
  return STAGES.find(({ name }) => !stages.some((stage) => stage.name === name))
}

export type DrilledCopy = BackupCopy & { drill: BackupDrill }

/** The newest copy that is there and was restored on trial, whatever came of it. */
export function lastDrilled({ copies }: BackupsState): DrilledCopy | undefined {
  return copies.find((copy): copy is DrilledCopy => copy.state === 'kept' && copy.drill !== null)
}

export function findProven({ copies }: BackupsState): BackupCopy | undefined {
  return copies.find(({ state, drill }) => state === 'kept' && drill?.state === 'proven')
}

export interface CopyTrouble {
  text: string
  log: string | null
}

/** What is wrong with a copy, the gravest first: a restore on trial before what became of its file. */
export function troublesOf({ state, problem, log, drill }: BackupCopy): CopyTrouble[] {
  const ofDrill = drill?.problem ? [{ text: `not restorable: ${drill.problem}`, log: drill.log ?? null }] : []
  if (problem === null) return ofDrill
  return [...ofDrill, { text: state === 'failed' ? `failed: ${problem}` : problem, log }]
}

/** The newest try that failed, if it is later than that time. */
export function newestFailed({ copies }: BackupsState, since: string): BackupCopy | undefined {
  const [newest] = copies
  return newest?.state === 'failed' && newest.takenAt > since ? newest : undefined
}

const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`

/** Such as ‘7 daily, 2 from before migrations’. */
export function describeKept(copies: readonly BackupCopy[]): string {
  const kept = copies.filter(({ state }) => state === 'kept')
  const of = (reason: BackupCopy['reason']) => kept.filter((copy) => copy.reason === reason).length
  const parts = [
    [of('daily'), `${of('daily')} daily`],
    [of('by hand'), `${of('by hand')} by hand`],
    [of('before migration'), `${of('before migration')} from before migrations`],
  ] as const
  return parts.flatMap(([count, text]) => (count > 0 ? text : [])).join(', ')
}

/** How the nights of the last month went; null if there were none. */
export function describeNights({ nights }: BackupsState): { text: string; missed: string[] } | null {
  if (nights.length === 0) return null
  const missed = nights.filter(({ bytes }) => bytes === null).map(({ at }) => at)
  return {
    text: `${nights.length - missed.length} of ${plural(nights.length, 'nightly copy', 'nightly copies')}`,
    missed,
  }
}

/** Such as 7f:3a:c9 … 04:be. */
export function shortFingerprint(fingerprint: string): string {
  const pairs = fingerprint.match(/../g) ?? []
  return `${pairs.slice(0, 3).join(':')} … ${pairs.slice(-2).join(':')}`
}
