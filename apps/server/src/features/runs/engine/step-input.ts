import type { InputSegment, ValueOrigin } from '@catenary/contracts'
import {
  extractVariables,
  type JsonOutputs,
  MissingFieldError,
  type RenderedSegment,
  renderTemplate,
} from '@catenary/domain'
import type { KnownValue, PlacedAttachment } from './attachments.ts'
import { MissingValueError } from './run-ending.ts'

/** In UTF-16 units: more than any model reads, and few enough to be held many times over. */
export const INPUT_MAX = 8_000_000
/** A template of nothing but references would be explained at greater length than it has. */
const SEGMENTS_MAX = 2_000
const UNKNOWN_MAX = 200
const UNKNOWN = 'There is no variable with this name'

const ofNoVariable = { variableId: null, revision: null, source: null, cachedAt: null }

export interface StepInput {
  text: string
  segments: InputSegment[]
  resolved: Record<string, ValueOrigin>
  placed: PlacedAttachment[]
  fixedLength: number
}

export function cacheKeyOf({
  promptId,
  promptVersion,
}: {
  promptId: number | null
  promptVersion: number | null
}): string | undefined {
  return promptId === null || promptVersion === null ? undefined : `prompt-${promptId}-v${promptVersion}`
}

/** Puts the values in, in one pass; what has none stays as it is written, and its reason in `resolved` (D44). */
export function renderStepInput({
  source,
  variables,
  outputs,
  jsonOutputs,
  maxLength = INPUT_MAX,
}: {
  source: string
  variables: ReadonlyMap<string, KnownValue>
  /** Given only in chains; without it double braces are plain text. */
  outputs?: ReadonlyMap<string, string>
  jsonOutputs?: JsonOutputs
  /** In UTF-16 units. */
  maxLength?: number
}): StepInput {
  const values = new Map([...variables].map(([name, { value }]) => [name, value ?? `$<${name}>`]))
  const rendered = renderTemplate({
    source,
    variables: values,
    maxLength,
    jsonOutputs,
    ...(outputs && { outputs }),
  })
  const segments = segmentsOf(rendered.segments)
  const placed: PlacedAttachment[] = []
  let start = 0
  for (const { text, from } of rendered.segments) {
    const end = start + text.length
    const attachment = from?.kind === 'variable' ? variables.get(from.name)?.attachment : undefined
    const isPlaced = placed.some((one) => one.attachment.fileId === attachment?.fileId)
    if (from !== null && attachment !== undefined && !isPlaced) {
      placed.push({ at: end, attachment: { ...attachment, name: from.name } })
    }
    start = end
  }
  const resolved = resolvedIn({ source, variables })
  return { text: rendered.text, segments, resolved, placed, fixedLength: rendered.fixedLength }
}

/** Where each reference of a text has its value from, or why it has none. */
export function resolvedIn({
  source,
  variables,
}: {
  source: string
  variables: ReadonlyMap<string, KnownValue>
}): StepInput['resolved'] {
  const known = [...variables].map(([name, { origin }]) => [name, origin] as const)
  return Object.fromEntries([...known, ...unknownIn({ source, variables })])
}

export function segmentsOf(pieces: readonly RenderedSegment[]): InputSegment[] {
  const segments: InputSegment[] = []
  let start = 0
  for (const { text, from } of pieces) {
    const end = start + text.length
    if (from !== null && segments.length < SEGMENTS_MAX) segments.push({ start, end, ...from })
    start = end
  }
  return segments
}

interface ReadReference extends Pick<StepInput, 'text' | 'resolved'> {
  /** Why it says nothing that could be compared. */
  problem?: string
}

/** What a single reference says, as a condition reads it: a field that is not there, or null, is empty. */
export function readReference({
  ref,
  source,
  variables,
  ...outputs
}: Pick<Parameters<typeof renderStepInput>[0], 'source' | 'variables' | 'outputs' | 'jsonOutputs'> & {
  /** Its name without braces. */
  ref: string
}): ReadReference {
  try {
    const [name = ''] = extractVariables(source)
    const value = variables.get(name)
    const own = new Map<string, KnownValue>(value ? [[name, value]] : [])
    const { text, segments, resolved } = renderStepInput({ source, variables: own, ...outputs })
    const [reason = null] = Object.values(resolved).map(({ error }) => error)
    if (reason !== null) return { text, resolved, problem: `${ref} has no value: ${reason}` }
    if (segments.length > 0) return { text, resolved }
    return {
      text,
      resolved,
      problem: `${ref} is neither a variable nor an earlier output, nor a field of one`,
    }
  } catch (error) {
    if (error instanceof MissingFieldError) return { text: '', resolved: {} }
    throw error
  }
}

export function typedValues({
  used,
  values,
}: {
  used: string[]
  values: ReadonlyMap<string, string>
}): Map<string, KnownValue> {
  const at = new Date().toISOString()
  const origin: ValueOrigin = { ...ofNoVariable, type: 'typed', at, error: null }
  return new Map(
    [...values].flatMap(([name, value]) => (used.includes(name) ? [[name, { value, origin }] as const] : [])),
  )
}

function unknownIn({
  source,
  variables,
}: {
  source: string
  variables: ReadonlyMap<string, unknown>
}): [string, ValueOrigin][] {
  const at = new Date().toISOString()
  return extractVariables(source)
    .filter((name) => !variables.has(name))
    .slice(0, UNKNOWN_MAX)
    .map((name) => [name, { ...ofNoVariable, type: 'none', at, error: UNKNOWN }])
}

export function requireValues({
  template,
  resolved,
}: Pick<StepInput, 'resolved'> & { template: string }): void {
  for (const name of extractVariables(template)) {
    const origin = Object.hasOwn(resolved, name) ? resolved[name] : undefined
    const reason = origin === undefined ? UNKNOWN : origin.error
    if (reason !== null) throw new MissingValueError(`$<${name}> has no value: ${reason}`)
  }
}
