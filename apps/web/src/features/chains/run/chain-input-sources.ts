import {
  CHAIN_INPUT_NAMES,
  type ForEach,
  type InputSegment,
  ITEM_NAMES,
  type RunStep,
  type ValueOrigin,
} from '@catenary/contracts'
import { cutText, headOf, stepTitle } from '@catenary/domain'
import { formatTime } from '../../../lib/text/format-time.ts'

export interface InputSource {
  key: string
  kind: InputSegment['kind']
  name: string
  reference: string
  from: string
  when: string
  error: string | null
  count: number
}

export interface InputPiece {
  start: number
  text: string
  source: InputSource | null
}

export type RenderedStep = Pick<RunStep, 'position' | 'inputContent' | 'inputSegments' | 'resolved'>
export type EarlierStep = Pick<RunStep, 'position' | 'status' | 'title' | 'outputVariableName'>

/** Which item of what list a text was made for. */
export interface ItemPlace {
  index: number
  loop: ForEach | undefined
}

export function sourcesOf({
  step,
  ...about
}: {
  step: RenderedStep
  steps: readonly EarlierStep[]
  item?: ItemPlace | undefined
  timeZone: string
}): InputSource[] {
  const sources = new Map<string, InputSource>()
  for (const { kind, name } of step.inputSegments) {
    const key = keyOf({ kind, name })
    const known = sources.get(key)
    if (known) known.count += 1
    else sources.set(key, { key, kind, name, count: 1, ...describe({ kind, name, step, ...about }) })
  }
  return [...sources.values()]
}

export function piecesOf({
  step,
  sources,
  length,
}: {
  step: RenderedStep
  sources: readonly InputSource[]
  length: number
}): InputPiece[] {
  const content = cutText(step.inputContent ?? '', length)
  const byKey = new Map(sources.map((source) => [source.key, source]))
  const pieces: InputPiece[] = []
  let at = 0
  const add = (end: number, source: InputSource | null) => {
    if (end > at) pieces.push({ start: at, text: content.slice(at, end), source })
    at = Math.max(at, end)
  }
  for (const segment of step.inputSegments) {
    if (segment.start >= content.length) break
    add(segment.start, null)
    add(Math.min(segment.end, content.length), byKey.get(keyOf(segment)) ?? null)
  }
  add(content.length, null)
  return pieces
}

function keyOf({ kind, name }: Pick<InputSegment, 'kind' | 'name'>): string {
  return `${kind}.${name}`
}

interface Described extends Pick<InputSegment, 'kind' | 'name'> {
  step: RenderedStep
  steps: readonly EarlierStep[]
  item?: ItemPlace | undefined
  timeZone: string
}

function describe({ kind, name, step, steps, item, timeZone }: Described) {
  if (kind === 'variable') return describeVariable({ name, origin: step.resolved[name], timeZone })
  const ofItem = item && describeItem(name, item)
  if (ofItem) return { reference: `{{${name}}}`, from: ofItem, when: '', error: null }
  const maker = steps.findLast(
    ({ position, outputVariableName }) => position < step.position && outputVariableName === headOf(name),
  )
  const skipped = maker?.status === 'skipped' ? ', which was skipped' : ''
  const made = maker && `output of step ${maker.position + 1}, ${stepTitle(maker)}${skipped}`
  const given = CHAIN_INPUT_NAMES.includes(headOf(name)) ? 'input of the run' : 'an earlier step'
  return { reference: `{{${name}}}`, from: made ?? given, when: '', error: null }
}

function describeItem(name: string, { index, loop }: ItemPlace): string | undefined {
  if (name === ITEM_NAMES.number) return 'number of the item'
  return loop && name === loop.as ? `item ${index + 1} of ${loop.list}` : undefined
}

const KINDS: Record<ValueOrigin['type'], string> = {
  text: 'text variable',
  file: 'file variable',
  api: 'API variable',
  googleDrive: 'Google Drive variable',
  image: 'image variable',
  document: 'PDF variable',
  typed: 'typed for this run',
  none: 'not in the library',
}

function describeVariable({
  name,
  origin,
  timeZone,
}: {
  name: string
  origin: ValueOrigin | undefined
  timeZone: string
}) {
  const reference = `$<${name}>`
  if (!origin) return { reference, from: 'variable', when: '', error: null }
  const { type, source, revision, at, cachedAt, error } = origin
  const from = [KINDS[type], source, revision === null ? null : `revision ${revision}`]
  const read = type === 'api' || type === 'googleDrive' ? 'fetched' : 'read'
  const time = formatTime({ time: cachedAt ?? at, timeZone })
  const when = cachedAt === null ? `${read} ${time}` : `cached since ${time}`
  return {
    reference,
    from: from.filter(Boolean).join(' · '),
    when: type === 'typed' || type === 'none' ? '' : when,
    error,
  }
}
