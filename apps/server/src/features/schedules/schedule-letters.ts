import type { Execution, User } from '@catenary/contracts'
import { stepTitle } from '@catenary/domain'
import type { Letter } from '../../platform/mail/letter.ts'

interface About {
  schedule: { id: number; chainId: number; name: string; timeZone: string }
  occurrence: { dueAt: Date; executionId: number | null }
  creator: Pick<User, 'username'>
  publicUrl: string
}

/** The result of a run, whole. */
export function resultLetter({
  run,
  ...about
}: About & { run: Pick<Execution, 'chainName' | 'output' | 'steps'> }): Letter {
  const cut = run.steps.filter(({ finishReason }) => finishReason === 'length')
  return {
    subject: `${about.schedule.name}: completed${cut.length > 0 ? ', but cut' : ''}`,
    paragraphs: [
      `${run.chainName} ran ${whenOf(about)}, scheduled by ${about.creator.username}.`,
      ...cut.map((step) => `Step ${step.position + 1}, ‘${stepTitle(step)}’, was cut at the token limit.`),
    ],
    markdown: run.output ?? '',
    links: [runLink(about), scheduleLink(about)].flat(),
  }
}

/** Why a run failed, and at which step. */
export function failureLetter({
  run,
  reason,
  ...about
}: About & { run: Execution | undefined; reason: string }): Letter {
  const failed = run?.steps.find(({ status }) => status === 'failed')
  const at = failed === undefined ? [] : [`It failed at step ${failed.position + 1}, ‘${stepTitle(failed)}’.`]
  return {
    subject: `${about.schedule.name}: failed`,
    paragraphs: [
      `The run ${whenOf(about)}, scheduled by ${about.creator.username}, failed.`,
      ...at,
      `The reason: ${reason}`,
    ],
    markdown: '',
    links: [...(run === undefined ? [] : runLink(about)), scheduleLink(about)],
  }
}

export function skippedLetter({
  state,
  reason,
  ...about
}: About & { state: 'skipped' | 'missed'; reason: string }): Letter {
  return {
    subject: `${about.schedule.name}: ${state}`,
    paragraphs: [`The run ${whenOf(about)}, scheduled by ${about.creator.username}, was ${state}.`, reason],
    markdown: '',
    links: [scheduleLink(about)],
  }
}

export function pausedLetter({ reason, ...about }: About & { reason: string }): Letter {
  return {
    subject: `${about.schedule.name}: paused`,
    paragraphs: [
      `Your schedule ‘${about.schedule.name}’ does not run any more.`,
      reason,
      'Activate it again once the cause is mended.',
    ],
    markdown: '',
    links: [...runLink(about), scheduleLink(about)],
  }
}

function whenOf({ schedule, occurrence }: About): string {
  const { timeZone } = schedule
  const format = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeStyle: 'short', timeZone })
  return `of ${format.format(occurrence.dueAt)} (${timeZone})`
}

function runLink({ schedule, occurrence, publicUrl }: About): Letter['links'] {
  if (occurrence.executionId === null) return []
  const href = `${publicUrl}/chains/${schedule.chainId}?history=open&run=${occurrence.executionId}`
  return [{ label: 'Open the run', href }]
}

function scheduleLink({ schedule, publicUrl }: About): Letter['links'][number] {
  const href = `${publicUrl}/chains/${schedule.chainId}/scheduled?schedule=${schedule.id}`
  return { label: 'Change or stop the schedule', href }
}
