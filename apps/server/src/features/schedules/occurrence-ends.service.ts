import type { Execution } from '@catenary/contracts'
import type { Transaction } from '../../db/executor.ts'
import type { Letter } from '../../platform/mail/letter.ts'
import type { MailsService } from '../mails/mails.service.ts'
import { noteEnd, type OccurrenceRow } from './occurrences.repository.ts'
import { failureLetter, pausedLetter, resultLetter, skippedLetter } from './schedule-letters.ts'
import { noteOnSchedule, type OwnedSchedule } from './schedules.repository.ts'

/** A time of a schedule. */
export interface Due {
  scheduleId: number
  dueAt: Date
}

/** Has the scheduler take up a schedule at a time, once the transaction is through. */
export interface DuePlan {
  plan(tx: Transaction, due: Due): Promise<void>
  cancel(tx: Transaction, due: Due): Promise<void>
}

/** How an occurrence ended, and which end of its run that was: 0 where it did not start. */
export interface OccurrenceEnd {
  state: 'completed' | 'failed' | 'skipped' | 'missed'
  reason: string | null
  attempt: number
  /** As it is now, where there is one. */
  run?: Execution | undefined
  /** A person stopped or deleted it: nobody is told, and it counts as no failure. */
  isByHand?: boolean
}

interface Of {
  owned: OwnedSchedule
  occurrence: OccurrenceRow
}

export type OccurrenceEnds = ReturnType<typeof createOccurrenceEnds>

interface OccurrenceEndsDeps {
  mails: Pick<MailsService, 'queue'>
  duePlan: DuePlan
  publicUrl: string
}

/** What follows from the end of an occurrence: mail, a pause, the end of a one-time schedule. */
export function createOccurrenceEnds({ mails, duePlan, publicUrl }: OccurrenceEndsDeps) {
  function letterOf({ owned, occurrence }: Of, { state, reason, run }: OccurrenceEnd): Letter {
    const about = { ...owned, occurrence, publicUrl }
    const why = reason ?? ''
    if (state === 'completed' && run !== undefined) return resultLetter({ ...about, run })
    if (state === 'skipped' || state === 'missed') return skippedLetter({ ...about, state, reason: why })
    return failureLetter({ ...about, run, reason: why })
  }

  /** Tells the recipients, in the transaction that notes what is told. */
  async function tell(tx: Transaction, of: Of, end: OccurrenceEnd): Promise<void> {
    const { owned, occurrence } = of
    const isNoStart = end.state === 'skipped' || end.state === 'missed'
    if (owned.isDisabled || end.isByHand === true) return
    if (isNoStart && !owned.schedule.mailsSkipped) return
    await mails.queue(tx, {
      account: owned.creator,
      key: `occurrence:${occurrence.id}:${end.attempt}`,
      occurrenceId: occurrence.id,
      letter: letterOf(of, end),
      addresses: owned.schedule.emailRecipients,
    })
  }

  async function countFailure(tx: Transaction, { owned, occurrence }: Of, end: OccurrenceEnd): Promise<void> {
    const { schedule, creator, isDisabled } = owned
    const { id, failuresBeforePause, active, isRecurring, nextDueAt } = schedule
    const failuresInRow = schedule.failuresInRow + 1
    const isPaused = failuresBeforePause !== null && failuresInRow >= failuresBeforePause
    if (!isPaused || !active || !isRecurring) return noteOnSchedule(tx, { id, failuresInRow })
    const times = failuresInRow === 1 ? 'a failure' : `${failuresInRow} failures in a row`
    const pausedReason = `Paused after ${times}. The last reason: ${end.reason ?? 'unknown'}`
    await noteOnSchedule(tx, { id, failuresInRow, active: false, pausedReason, nextDueAt: null })
    if (nextDueAt !== null) await duePlan.cancel(tx, { scheduleId: id, dueAt: nextDueAt })
    if (isDisabled) return
    await mails.queue(tx, {
      account: creator,
      key: `paused:${occurrence.id}:${end.attempt}`,
      letter: pausedLetter({ schedule, occurrence, creator, publicUrl, reason: pausedReason }),
      addresses: [creator.email],
    })
  }

  return {
    tell,

    /** Notes it with all that follows; nothing where it was noted before. The schedule is locked. */
    async conclude(tx: Transaction, of: Of, end: OccurrenceEnd): Promise<void> {
      const { owned, occurrence } = of
      const { id, isRecurring, active, failuresInRow } = owned.schedule
      const { state, reason, attempt } = end
      if (!(await noteEnd(tx, { id: occurrence.id, state, reason, endedAttempt: attempt }))) return
      if (state === 'completed' && failuresInRow > 0) await noteOnSchedule(tx, { id, failuresInRow: 0 })
      if (state === 'failed' && end.isByHand !== true) await countFailure(tx, of, end)
      if (!isRecurring && active && !occurrence.isManual) await noteOnSchedule(tx, { id, active: false })
      await tell(tx, of, end)
    },
  }
}
