import { isCut, type RunDetails, type User } from '@catenary/contracts'
import { stepTitle } from '@catenary/domain'
import type { MailMessage } from '../../platform/mail/mail-message.ts'

export interface MessageSubject {
  schedule: { id: number; chainId: number; name: string; timeZone: string }
  occurrence: { dueAt: Date; executionId: number | null }
  creator: Pick<User, 'username'>
  publicUrl: string
}

export function resultMessage({
  run,
  ...about
}: MessageSubject & { run: Pick<RunDetails, 'chainName' | 'output' | 'steps'> }): MailMessage {
  const { name } = about.schedule
  const cut = run.steps.filter(isCut)
  const ran = run.chainName === name ? 'ran' : `ran ‘${run.chainName}’`
  return {
    subject: `${name}: completed${cut.length > 0 ? ', but cut off' : ''}`,
    paragraphs: [
      `${scheduleOf(about)}, ${ran} on ${whenOf(about)}.`,
      ...run.steps.filter(isSkipped).map((step) => `${nameOf(step)}, was skipped. ${step.skipReason}.`),
      ...run.steps.flatMap((step) => {
        const { all = 0, failed = 0 } = step.itemCounts ?? {}
        return failed === 0 ? [] : [`${nameOf(step)}, left out ${failed} of ${all} items, which failed.`]
      }),
      ...cut.map((step) => `${nameOf(step)}, ${CUT_BY[reasonOf(step)]}`),
    ],
    markdown: run.output ?? '',
    links: [runLink(about), scheduleLink(about)].flat(),
  }
}

type Step = RunDetails['steps'][number]

const nameOf = (step: Step) => `Step ${step.position + 1}, ‘${stepTitle(step)}’`
/** Not those after the end of the run, which had no turn. */
const isSkipped = ({ status, executedAt }: Step) => status === 'skipped' && executedAt !== null

const CUT_BY = {
  length: 'reached the token limit, so its text is cut off.',
  unknown: 'ended for an unknown reason, so its text may be cut off.',
}
const reasonOf = ({ finishReason }: Pick<Step, 'finishReason'>) =>
  finishReason === 'length' ? 'length' : 'unknown'

export function failureMessage({
  run,
  reason,
  ...about
}: MessageSubject & { run: Pick<RunDetails, 'steps'> | undefined; reason: string }): MailMessage {
  const failed = run?.steps.find(({ status }) => status === 'failed')
  const how = failed?.errorCode === 'stopped_by_step' ? 'was ended by' : 'failed at'
  const at = failed === undefined ? [] : [`It ${how} step ${failed.position + 1}, ‘${stepTitle(failed)}’.`]
  return {
    subject: `${about.schedule.name}: failed`,
    paragraphs: [`${scheduleOf(about)}, failed on ${whenOf(about)}.`, ...at, `Reason: ${reason}`],
    markdown: '',
    links: [...(run === undefined ? [] : runLink(about)), scheduleLink(about)],
  }
}

export function skippedMessage({
  state,
  reason,
  ...about
}: MessageSubject & { state: 'skipped' | 'missed'; reason: string }): MailMessage {
  return {
    subject: `${about.schedule.name}: ${state}`,
    paragraphs: [`The run of ${scheduleOf(about)}, on ${whenOf(about)} was ${state}.`, `Reason: ${reason}`],
    markdown: '',
    links: [scheduleLink(about)],
  }
}

export function pausedMessage({ reason, ...about }: MessageSubject & { reason: string }): MailMessage {
  return {
    subject: `${about.schedule.name}: paused`,
    paragraphs: [
      `Your schedule ‘${about.schedule.name}’ is paused: it will not run until you activate it again.`,
      reason,
      'Fix the cause first, or it will be paused again.',
    ],
    markdown: '',
    links: [...runLink(about), scheduleLink(about)],
  }
}

function scheduleOf({ schedule, creator }: MessageSubject): string {
  return `‘${schedule.name}’, scheduled by ${creator.username}`
}

/** `November 23, 2026 at 8:00 AM (America/New York)`; newer runtimes put a narrow space before AM. */
function whenOf({ schedule, occurrence }: MessageSubject): string {
  const { timeZone } = schedule
  const format = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeStyle: 'short', timeZone })
  const time = format.format(occurrence.dueAt).replaceAll('\u202f', ' ')
  return `${time} (${timeZone.replaceAll('_', ' ')})`
}

function runLink({ schedule, occurrence, publicUrl }: MessageSubject): MailMessage['links'] {
  if (occurrence.executionId === null) return []
  const href = `${publicUrl}/chains/${schedule.chainId}?history=open&run=${occurrence.executionId}`
  return [{ label: 'Open the run', href }]
}

function scheduleLink({ schedule, publicUrl }: MessageSubject): MailMessage['links'][number] {
  const href = `${publicUrl}/chains/${schedule.chainId}/scheduled?schedule=${schedule.id}`
  return { label: 'Open the schedule', href }
}
