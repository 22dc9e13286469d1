import fc from 'fast-check'
import type { SourceFile } from '../draft.ts'
import { FIXTURES } from './fixtures.ts'

/** Names that the forms give a meaning, and a few that none has. */
const KEYS =
  'id prompt_id name title version versions model instructions messages input content role text type prompt config labels tags command variables tools temperature stop reasoning effort format schema prompts providers tests assert vars data act __proto__ constructor'.split(
    ' ',
  )
const scalar = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    '',
    '{{a}}',
    '{{#if}}',
    '$<b>',
    'pmpt_1',
    'text',
    'chat',
    'system',
    'user',
    '\u0000',
    '\ud800',
    -1,
    1e308,
  ),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.integer(),
  fc.double(),
)
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof({ depthSize: 'small', withCrossShrink: true }, scalar, tie('list'), tie('object')),
  list: fc.array(tie('tree'), { maxLength: 5 }),
  object: fc.dictionary(fc.constantFrom(...KEYS), tie('tree'), { maxKeys: 6 }),
}))

const sound = Object.values(FIXTURES).flatMap(({ read, broken }) =>
  [...read, ...broken].map(({ file }) => file),
)

/** A text with pieces taken out, doubled and put in. */
const damaged = fc
  .tuple(
    fc.constantFrom(...sound),
    fc.array(
      fc.tuple(
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        fc.nat(30),
        fc.constantFrom('', '{', '}}', '"', '\n', '---\n', ':', '[', '*a', '&a', '\u0000', '{{', '!!x '),
      ),
      { minLength: 1, maxLength: 6 },
    ),
  )
  .map(([{ name, text }, cuts]): SourceFile => {
    const changed = cuts.reduce((source, [at, length, put]) => {
      const from = Math.floor(at * source.length)
      return source.slice(0, from) + put + source.slice(from + length)
    }, text)
    return { name, text: changed || ' ' }
  })

/** A sound value with parts put in place of others: still JSON. */
const altered = fc
  .tuple(
    fc.constantFrom(...sound.filter(({ text }) => isJson(text))),
    fc.array(fc.tuple(fc.array(fc.nat(20), { minLength: 1, maxLength: 5 }), tree), {
      minLength: 1,
      maxLength: 4,
    }),
  )
  .map(([{ name, text }, changes]): SourceFile => {
    const root: unknown = JSON.parse(text)
    for (const [path, value] of changes) put(root, path, value)
    return { name, text: JSON.stringify(root) }
  })

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object'
  } catch {
    return false
  }
}

function put(root: unknown, [step = 0, ...path]: readonly number[], value: unknown): void {
  if (typeof root !== 'object' || root === null) return
  const keys = Object.keys(root)
  const key = keys[step % Math.max(1, keys.length)]
  if (key === undefined || key === '__proto__') return
  const at = root as Record<string, unknown>
  if (path.length > 0 && typeof at[key] === 'object') put(at[key], path, value)
  else at[key] = value
}

const made = fc
  .tuple(fc.constantFrom('a.json', 'b.yaml', 'c.md', 'd.csv', 'Pasted text'), tree)
  .map(([name, value]): SourceFile => ({ name, text: JSON.stringify(value) ?? 'null' }))

const plain = fc
  .tuple(
    fc.constantFrom('a.json', 'b.yaml', 'c.prompty', 'd.csv', 'e.txt'),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 200 }),
  )
  .map(([name, text]): SourceFile => ({ name, text }))

/** Files of every form, sound, broken and of no form. */
export const anyFile: fc.Arbitrary<SourceFile> = fc.oneof(
  { arbitrary: damaged, weight: 3 },
  { arbitrary: altered, weight: 4 },
  { arbitrary: made, weight: 2 },
  { arbitrary: plain, weight: 1 },
)
