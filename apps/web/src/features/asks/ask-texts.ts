import type { Ask, AskChoice, StepAsk } from '@catenary/contracts'
import { countText } from '../../lib/text/count-text.ts'

type Asked = Pick<StepAsk, 'people' | 'groups' | 'role'>

const ROLES: Record<NonNullable<StepAsk['role']>, string> = {
  owner: 'the chain’s owner',
  editor: 'an editor of the chain',
  viewer: 'a viewer of the chain',
}
export const roleText = (role: NonNullable<StepAsk['role']>): string => ROLES[role]

/** Whom a step asks: `ana, Support leads or the chain’s owner`; empty: nobody yet. */
export function askedText({ people, groups, role }: Asked): string {
  return listText([...people, ...groups, ...(role === undefined ? [] : [roleText(role)])], 'or')
}

export function listText(names: readonly string[], word: 'and' | 'or'): string {
  if (names.length < 2) return names.join('')
  return `${names.slice(0, -1).join(', ')} ${word} ${names.at(-1)}`
}

const HOUR = 60
const DAY = 24 * HOUR

/** `3 days`, `36 hours`, `90 minutes`: in the largest unit that says it exactly. */
export function minutesText(minutes: number): string {
  if (!Number.isFinite(minutes)) return ''
  if (minutes >= DAY && minutes % DAY === 0) return countText(minutes / DAY, 'day')
  if (minutes >= HOUR && minutes % HOUR === 0) return countText(minutes / HOUR, 'hour')
  return countText(minutes, 'minute')
}

/** What a choice makes of the run, to follow a dash or a comma. */
export function endText({ ends }: Pick<AskChoice, 'ends'>): string {
  if (ends === 'failed') return 'the run ends as failed'
  return ends === 'completed' ? 'the run ends as completed' : 'the run goes on'
}

export function choiceOf({ choices }: Pick<Ask, 'choices'>, id: string | null): AskChoice | undefined {
  return choices.find((choice) => choice.id === id)
}

const MINUTE_MS = 60_000

/** How long it took until somebody answered: `4 min`, `3 h 10 min`, `2 d`. */
export function tookText({ since, at }: { since: string; at: string | number }): string {
  const minutes = Math.max(0, Math.round((new Date(at).getTime() - Date.parse(since)) / MINUTE_MS))
  if (minutes < 1) return 'less than a minute'
  if (minutes < HOUR) return `${minutes} min`
  const [hours, rest] = [Math.floor(minutes / HOUR), minutes % HOUR]
  if (hours < 24) return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`
  return countText(Math.round(hours / 24), 'day')
}

/** The words of a text, as they are counted for a reader. */
export function wordsText(text: string): string {
  return countText(text.trim() === '' ? 0 : text.trim().split(/\s+/).length, 'word')
}
