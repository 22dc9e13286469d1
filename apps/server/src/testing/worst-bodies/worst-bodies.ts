import { constantsOf, type JsonSchema, type Place } from './json-schema.ts'

export interface WorstBody {
  name: string
  /** Made when it is sent: all together are gigabytes. */
  make: () => string
}

export interface Bounds {
  bytes: number
  values: number
}

const toBody = (name: string, make: () => string): WorstBody => ({ name, make })
/** As many as there is room for in so many bytes. */
const repeatTo = (bytes: number, part: string, joint = ','): string =>
  Array.from({ length: Math.floor(bytes / (part.length + joint.length)) }, () => part).join(joint)
const numbers = (count: number) => Array.from({ length: Math.max(0, count) }, (_, index) => index)
const recordOf = (count: number, value: unknown, prefix = 'k') =>
  Object.fromEntries(numbers(count).map((index) => [`${prefix}${index}`, value]))

/** What is bad for a reader, a parser and a guard, whatever is asked for. */
export function bodiesForAnyone({ bytes, values }: Bounds): WorstBody[] {
  const room = bytes - 100
  const few = values - 10
  const longKey = () => 'a'.repeat(Math.max(1, Math.floor(room / 2)))
  const forbidden = Math.min(few, Math.floor(room / 4 / 16))
  return [
    toBody('deep', () => `{"a":${'['.repeat(room / 2)}${']'.repeat(room / 2)}}`),
    toBody(
      '100 levels, often',
      () => `[${repeatTo(Math.min(room, few * 2), `${'['.repeat(90)}${']'.repeat(90)}`)}]`,
    ),
    toBody('wide: {}', () => `[${repeatTo(room, '{}')}]`),
    toBody('wide: 0', () => `[${repeatTo(room, '0')}]`),
    toBody('as many {} as may be', () => `[${numbers(Math.min(few, room / 3)).map(() => '{}')}]`),
    toBody('as many keys as may be', () => JSON.stringify(recordOf(Math.min(few, room / 12), 0))),
    toBody('one key again and again', () => `{${numbers(Math.min(few, room / 6)).map(() => '"a":0')}}`),
    toBody('a long key', () => JSON.stringify({ é: 0, [longKey()]: 0 })),
    toBody('a long key over prototypes', () =>
      JSON.stringify({ [longKey()]: numbers(forbidden).map(() => ({ prototype: 0 })) }),
    ),
    toBody('constructors', () =>
      JSON.stringify({ [longKey()]: numbers(forbidden / 2).map(() => ({ constructor: {} })) }),
    ),
    toBody(
      'a prototype at the end',
      () => `[${repeatTo(Math.min(room, few * 3), '{}')},{"constructor":{"prototype":0}}]`,
    ),
    toBody('__proto__ at the end', () => `[${repeatTo(Math.min(room, few * 3), '{}')},{"__proto__":0}]`),
    toBody('"__proto__" and blanks', () => `["${repeatTo(room, '\\"__proto__\\"', '  ')}"]`),
    toBody('a long text', () => JSON.stringify('a'.repeat(room))),
    toBody('a long text of two bytes each', () => JSON.stringify('é'.repeat(room / 2))),
    toBody('a long text of escapes', () => `"${'\\"'.repeat(room / 2)}"`),
    toBody('a long text of code points', () => `"${'\\u00e9'.repeat(room / 6)}"`),
    toBody('pairs of surrogates', () => `"${'\\ud83d\\ude00'.repeat(room / 12)}"`),
    toBody('a lone surrogate at the end', () => `["${'\\ud83d\\ude00'.repeat(room / 12 - 1)}","\\ud800"]`),
    toBody('a long number', () => `[${'1'.repeat(room)}]`),
    toBody('blanks', () => `${' '.repeat(room)}0`),
    toBody('not ended', () => `{"a":"${'a'.repeat(room)}`),
  ]
}

/** What is bad for the validation of a schema: too many, and each of them wrong. */
export function bodiesAt({ name, kind, schema, bodyOf }: Place, bounds: Bounds): WorstBody[] {
  const { bytes, values } = bounds
  const few = Math.min(values, bytes / 12) - 50
  const made = (what: string, contentOf: () => unknown) =>
    toBody(`${name} ${what}`, () => JSON.stringify(bodyOf(contentOf())))
  if (kind === 'text') {
    const room = bytes - 2_000
    return [
      made('of a', () => 'a'.repeat(room)),
      made('of blanks', () => ' '.repeat(room)),
      made('of é', () => 'é'.repeat(room / 2)),
      made('of $<', () => '$<'.repeat(room / 2)),
    ]
  }
  if (kind === 'record') {
    return [
      made('of {}', () => recordOf(few, {})),
      made('of numbers', () => recordOf(few, 0)),
      made('of odd keys', () => recordOf(few, {}, ' ')),
      made('of texts', () => recordOf(few, 'a')),
    ]
  }
  const most = Math.min(few, schema.maxItems ?? few)
  const items = wrongItems(schema)
  return items.flatMap((item, index) => {
    const size = 1 + Object.keys(Object(item)).length
    return [
      made(`of wrong items ${index}`, () => numbers(few / size).map(() => item)),
      ...(most < few
        ? [made(`full of wrong items ${index}`, () => numbers(most).map(() => widen(item, few / most)))]
        : []),
    ]
  })
}

/** One for each branch of the items' unions, and what is of no branch. */
function wrongItems({ items = {} }: JsonSchema): unknown[] {
  const branches = [items, ...(items.anyOf ?? []), ...(items.oneOf ?? [])]
  const chosen = branches.map(constantsOf).filter((constants) => Object.keys(constants).length > 0)
  return [{}, 'x', ...chosen]
}

const widen = (item: unknown, count: number): unknown =>
  typeof item === 'object' ? { ...item, ...recordOf(Math.floor(count) - 5, 0) } : item
