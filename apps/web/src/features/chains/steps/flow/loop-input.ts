import {
  type ForEach,
  flowSettings,
  ITEM_NAMES,
  ITEMS_AT_ONCE_DEFAULT,
  ITEMS_AT_ONCE_MAX,
  ITEMS_MAX,
  ITEMS_MAX_DEFAULT,
} from '@catenary/contracts'
import * as z from 'zod'
import { numberText, readyNumberOf, typedNumber } from '../../../../lib/text/number-of.ts'
import { loopWords } from '../../../model-settings/settings-text.ts'

const { list, as, onFailure, result } = flowSettings.forEach.unwrap().shape

/** A loop while it is being filled in, as a draft keeps it; null: the step runs once. */
export const loopInput = z
  .object({
    list: z.string(),
    as: z.string(),
    max: z.string(),
    atOnce: z.string(),
    onFailure,
    result,
  })
  .nullable()
  .default(null)
export type LoopInput = z.output<typeof loopInput>

export function newLoop(): NonNullable<LoopInput> {
  return {
    list: '',
    as: ITEM_NAMES.item,
    max: numberText(ITEMS_MAX_DEFAULT),
    atOnce: numberText(ITEMS_AT_ONCE_DEFAULT),
    onFailure: 'stop',
    result: 'text',
  }
}

export function loopInputOf(loop: ForEach | null | undefined): LoopInput {
  return loop ? { ...loop, max: numberText(loop.max), atOnce: numberText(loop.atOnce) } : null
}

/** What is there of it already, for the checks and the completion while it is filled in. */
export function readyLoopOf(input: LoopInput): ForEach | null {
  if (!input) return null
  const list = input.list.trim()
  return {
    ...input,
    list,
    as: input.as.trim(),
    max: readyNumberOf(input.max) ?? ITEMS_MAX_DEFAULT,
    atOnce: readyNumberOf(input.atOnce) ?? ITEMS_AT_ONCE_DEFAULT,
  }
}

const upTo = (most: number) => {
  const error = `A whole number from 1 to ${most}`
  return typedNumber.pipe(z.int(error).min(1, error).max(most, error))
}

/** The loop as it may be saved. */
export const loopForm = z
  .object({
    list: z.string().trim().min(1, 'Choose a list').pipe(list),
    as,
    max: upTo(ITEMS_MAX),
    atOnce: upTo(ITEMS_AT_ONCE_MAX),
    onFailure,
    result,
  })
  .nullable()

export const ITEM_FAILURES = { stop: 'The step fails', leave_out: 'It is left out' } as const
export const RESULTS = { text: 'Text', json: 'JSON list' } as const

/** ‘For each item of triage.items, up to 50, 3 at once; if one fails, the step fails; results combined as text’ */
export function showLoop(input: LoopInput): string {
  if (!input) return 'Once'
  const { atOnce, onFailure, result } = input
  return [
    `F${loopWords(input).slice(1)}, ${atOnce} at once`,
    `if one fails: ${ITEM_FAILURES[onFailure].toLowerCase()}`,
    `results combined as ${result === 'json' ? 'a JSON list' : 'text'}`,
  ].join('; ')
}

/** Going through something else where it goes through a name. */
export function withList<Loop extends { list: string }>(
  loop: Loop | null,
  { name, by }: { name: string; by: string },
): Loop | null {
  const isIt = loop?.list.trim().toLowerCase() === name.toLowerCase()
  return loop && isIt ? { ...loop, list: by } : loop
}
