import type { AssertionOf } from '@catenary/contracts'
import { type Outcome, toOutcome } from './graders.ts'
import { findJsonObjects } from './json-objects.ts'

/** Looking for JSON in long texts takes long; a judge's reply is short. */
const REPLY_READ = 20_000

/** What a judge's reply means, as promptfoo reads it; what can't be read fails, with `not-` too. */
export function readJudgement(
  { type, threshold }: Pick<AssertionOf<'llm-rubric' | 'factuality'>, 'type' | 'threshold'>,
  reply: string,
): Outcome {
  const read = type.endsWith('factuality') ? readFactuality(reply) : readRubric(reply, threshold)
  if (read === undefined)
    return toOutcome(false, `The judge’s reply can’t be read: ${reply.slice(0, REASON_MAX)}`)
  if (!type.startsWith('not-')) return read
  return { ...read, passed: !read.passed, score: Math.min(1, Math.max(0, 1 - read.score)) }
}

const REASON_MAX = 300

function firstObject(reply: string): Record<string, unknown> | undefined {
  const [first] = findJsonObjects(reply.slice(0, REPLY_READ))
  return first === undefined || Array.isArray(first) ? undefined : (first as Record<string, unknown>)
}

function readRubric(reply: string, threshold: number | undefined): Outcome | undefined {
  const said = firstObject(reply)
  if (said === undefined) return undefined
  const pass = said.pass ?? true
  const isPass = typeof pass === 'boolean' ? pass : /^(true|yes|pass|y)$/i.test(String(pass))
  const score = scoreOf(said.score) ?? Number(isPass)
  const passed = isPass && (threshold === undefined || score >= threshold)
  const reason = said.reason ? String(said.reason) : undefined
  return {
    passed,
    score,
    reason: reason ?? (passed ? 'The judge passed it' : `Score ${score}, at least ${threshold}`),
  }
}

function scoreOf(said: unknown): number | undefined {
  if (typeof said === 'number') return Number.isFinite(said) ? said : undefined
  const score = Number(said)
  return said !== undefined && Number.isFinite(score) ? score : undefined
}

const CATEGORIES: Record<string, { passed: boolean; reason: string }> = {
  A: { passed: true, reason: 'It says part of what is expected, and agrees with it' },
  B: { passed: true, reason: 'It says more than is expected, and agrees with it' },
  C: { passed: true, reason: 'It says what is expected' },
  D: { passed: false, reason: 'It disagrees with what is expected' },
  E: { passed: true, reason: 'It differs from what is expected, but not in the facts' },
}

function readFactuality(reply: string): Outcome | undefined {
  const said = firstObject(reply)
  const isNamed = typeof said?.category === 'string' && said.category !== ''
  const letter = isNamed ? String(said.category).trim() : /\(?([a-eA-E])\)/.exec(reply)?.[1]
  const category = CATEGORIES[letter?.toUpperCase() ?? '']
  if (category === undefined) return undefined
  const told = isNamed ? said.reason : /\)\s*(.*)/s.exec(reply)?.[1]
  const reason = typeof told === 'string' && told.trim() !== '' ? told.trim() : category.reason
  return toOutcome(category.passed, reason)
}

export function readBest(
  { value }: Pick<AssertionOf<'select-best'>, 'value'>,
  { reply, count }: { reply: string; count: number },
): Outcome[] {
  const chosen = Number(/\d+/.exec(reply.trim())?.[0] ?? Number.NaN)
  return Array.from({ length: count }, (_, index) => {
    if (!(chosen < count)) return toOutcome(false, `The judge chose none: ${reply.slice(0, REASON_MAX)}`)
    return index === chosen
      ? toOutcome(true, `Chosen as the best: ${value}`)
      : toOutcome(false, `Another was chosen as the best: ${value}`)
  })
}
