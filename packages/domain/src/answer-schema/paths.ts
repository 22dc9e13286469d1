import { isSchema, type JsonSchema, typeOf } from './schema-node.ts'

/** A field's name, or an index in a list; the first is 0. A name of digits alone is an index where a list stands: `items.0`. */
export type PathStep = string | number

const PATH_STEPS_MAX = 20
const INDEX = /^\d{1,6}$/
const STEP = /\.([A-Za-z0-9_]+)|\[(\d{1,6})\]/y

/** Reads `.items[0].title`, or the same without its first dot; undefined: it is no path. */
export function readPath(source: string): PathStep[] | undefined {
  const path = /^[.[]/.test(source) ? source : `.${source}`
  const { steps, end } = scanPath(path, 0)
  return steps.length > 0 && end === path.length ? steps : undefined
}

/** Reads as much of a path as stands at `start`, and where it ends. Linear. */
export function scanPath(source: string, start: number): { steps: PathStep[]; end: number } {
  const steps: PathStep[] = []
  let end = start
  while (steps.length < PATH_STEPS_MAX) {
    STEP.lastIndex = end
    const match = STEP.exec(source)
    if (match === null) break
    steps.push(match[1] ?? Number(match[2]))
    end = STEP.lastIndex
  }
  return { steps, end }
}

/** Which entry of a list a step takes; undefined: it names a field. */
export function indexOf(step: PathStep): number | undefined {
  if (typeof step === 'number') return step
  return INDEX.test(step) ? Number(step) : undefined
}

/** As it is written: `items[0].title`. */
export function writePath(steps: readonly PathStep[]): string {
  return steps
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`))
    .join('')
}

export function findSchemaAt(
  schema: JsonSchema,
  steps: readonly PathStep[],
): { part: JsonSchema } | { missing: PathStep; parent: PathStep[] } {
  let part = schema
  for (const [index, step] of steps.entries()) {
    const type = typeOf(part)?.type
    const { properties, items } = part
    const inner: unknown =
      type === 'array'
        ? indexOf(step) === undefined
          ? undefined
          : items
        : type === 'object' &&
            typeof step === 'string' &&
            isSchema(properties) &&
            Object.hasOwn(properties, step)
          ? properties[step]
          : undefined
    if (!isSchema(inner)) return { missing: step, parent: steps.slice(0, index) }
    part = inner
  }
  return { part }
}
