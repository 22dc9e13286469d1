import { isAlias, type LineCounter, LineCounter as Lines, parseDocument } from 'yaml'
import { ImportError, isFields, requireSafeKey } from './draft.ts'

/** Values of a file with all that its aliases and references stand for. */
const NODES_MAX = 200_000
const CHARACTERS_MAX = 20_000_000
const DEPTH_MAX = 100
const ALIASES_MAX = 1000
const PLAIN_ALIASES_MAX = 100

/** YAML or JSON as plain values, with what `$ref`s of the same file stand for. Throws `ImportError`. */
export function readFile(text: string): unknown {
  const value = resolveReferences(readYaml(text))
  requireMeasure(value)
  return value
}

export function readPlainYaml(text: string): unknown {
  const value = readYaml(text, { merge: false, aliases: PLAIN_ALIASES_MAX })
  requireMeasure(value)
  return value
}

function readYaml(text: string, { merge = true, aliases = ALIASES_MAX } = {}): unknown {
  const lines: LineCounter = new Lines()
  const options = { lineCounter: lines, merge, stringKeys: true, prettyErrors: false } as const
  try {
    const document = parseDocument(text, options)
    // A tag that is not known would be read as if it were not there.
    const problem = document.errors[0] ?? document.warnings[0]
    if (problem !== undefined) {
      const { line } = lines.linePos(problem.pos[0])
      throw new ImportError(`Line ${line}: ${problem.message}`)
    }
    if (isAlias(document.contents)) throw new ImportError('It is empty')
    return document.toJS({ maxAliasCount: aliases })
  } catch (error) {
    if (error instanceof ImportError) throw error
    throw new ImportError(`It can't be read: ${(error as Error).message}`)
  }
}

/** What `{$ref: '#/a/b'}` points to in its place, under its own fields; what points elsewhere stays. */
function resolveReferences(root: unknown): unknown {
  let nodes = 0
  const resolve = (value: unknown, within: readonly string[]): unknown => {
    nodes++
    if (nodes > NODES_MAX) throw tooLarge()
    if (within.length > DEPTH_MAX) throw new ImportError('It is nested too deep')
    if (Array.isArray(value)) return value.map((each) => resolve(each, [...within, '']))
    if (!isFields(value)) return value
    const { $ref: pointer, ...own } = value
    const target = typeof pointer === 'string' ? findPointer(root, pointer) : undefined
    if (typeof pointer !== 'string' || target === undefined) {
      return mapFields(value, (each) => resolve(each, [...within, '']))
    }
    if (within.includes(pointer)) throw new ImportError(`The reference ${pointer} is circular`)
    const found = resolve(target, [...within, pointer])
    const added = mapFields(own, (each) => resolve(each, [...within, '']))
    return isFields(found) ? { ...found, ...added } : found
  }
  return resolve(root, [])
}

function mapFields(fields: Readonly<Record<string, unknown>>, map: (value: unknown) => unknown) {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, map(value)]))
}

function findPointer(root: unknown, pointer: string): unknown {
  if (!pointer.startsWith('#/')) return undefined
  const keys = pointer.slice(2).split('/')
  return keys.reduce<unknown>((value, key) => {
    const name = key.replaceAll('~1', '/').replaceAll('~0', '~')
    if (Array.isArray(value)) return value[Number(name)]
    return isFields(value) && Object.hasOwn(value, name) ? value[name] : undefined
  }, root)
}

function requireMeasure(root: unknown): void {
  let nodes = 0
  let characters = 0
  const measure = (value: unknown): void => {
    nodes++
    if (typeof value === 'string') characters += value.length
    if (nodes > NODES_MAX || characters > CHARACTERS_MAX) throw tooLarge()
    if (typeof value !== 'object' || value === null) return
    for (const [key, each] of Object.entries(value)) {
      requireSafeKey(key)
      measure(each)
    }
  }
  measure(root)
}

function tooLarge(): ImportError {
  return new ImportError('With its aliases and references filled in, it is too large')
}
