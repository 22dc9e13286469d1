import { afterAll, expect, test } from 'vitest'
import { root } from './lib/root.mjs'
import { findStructure } from './lib/structure.ts'
import { makeToyTree } from './testing/toy-tree.ts'

const lines = (count: number) =>
  Array.from({ length: count }, (_, index) => `  console.log(${index})`).join('\n')
const server = 'apps/server/src'
const tree = makeToyTree({
  [`${server}/app.ts`]: "import './features/a/a.ts'\nimport './features/a/inner.ts'",
  [`${server}/features/a/a.ts`]: "import type { B } from '../b/b.ts'",
  [`${server}/features/a/inner.ts`]: `export const long = () => {\n${lines(91)}\n}`,
  [`${server}/features/a/short.ts`]: `export function short() {\n${lines(90)}\n}`,
  [`${server}/features/a/one/x.ts`]: "export * from '../two/y.ts'",
  [`${server}/features/a/two/y.ts`]: "import('../one/x.ts')",
  [`${server}/features/b/b.ts`]: "import './inner.ts'\nimport '../c/c.ts'",
  [`${server}/features/b/b.test.ts`]: "import '../a/inner.ts'",
  [`${server}/features/b/inner.ts`]: "import '../a/a.ts'",
  [`${server}/features/d/d.ts`]:
    "import './small.ts'\nimport './d.sql.ts'\nexport * from './all.ts'\nexport {\n  passed,\n} from './passed.ts'\nimport('./later.ts')\ntype Own = Parameters<typeof passed>[0]",
  [`${server}/features/d/small.ts`]: "import './twice.sql.ts'\nimport './large.ts'",
  [`${server}/features/d/passed.ts`]:
    "import './twice.sql.ts'\ntype D = Pick<\n  OneService, 'a'>\nlet d: Pick<OneService, 'a'>",
  [`${server}/features/d/later.ts`]: 'interface LaterDeps {}\ninterface Depth {}',
  [`${server}/features/d/d.sql.ts`]: '',
  [`${server}/features/d/all.ts`]: '',
  [`${server}/features/d/twice.sql.ts`]: '',
  [`${server}/features/d/large.ts`]: '//\n'.repeat(61),
  [`${server}/features/c/c.ts`]: 'export const c = { ...{ a: 1 }, ...[2].map(String) }',
  'apps/web/src/page.tsx': `export const Page = () => {\n${lines(121)}\n}`,
  'apps/web/src/markup.tsx': `export const Markup = () => (\n<p>\n${'  <br />\n'.repeat(117)}</p>\n)`,
  'apps/web/src/text.ts': `export function text() {\n  return \`${'a line\n'.repeat(120)}\`\n}`,
  'apps/web/src/noted.ts': `export function noted() {\n${'  // A reason.\n\n'.repeat(60)}${lines(120)}\n}`,
  ...Object.fromEntries(Array.from({ length: 41 }, (_, index) => [`packages/domain/src/${index}.ts`, ''])),
})
afterAll(tree.remove)

test('lines of comments are counted: those of a block and of markup, not what stands behind code', () => {
  const comments = makeToyTree({
    'packages/domain/src/a.ts': '// One.\n/**\n * Two.\n */\nconst a = 2 * 3 // four\n',
    'apps/web/src/page.tsx': '<p>\n  {/* One. */}\n  {2 * 3}\n</p>\n',
  })
  const counts = findStructure(comments.path).map(({ what, count }) => [what, count])
  comments.remove()
  expect(Object.fromEntries(counts)).toMatchObject({ 'of these, lines of comments': 5 })
})

test('arrows, circles, ways past a face, full folders, long functions, spreads, bags, dust and floors are found', () => {
  const found = Object.fromEntries(findStructure(tree.path).map(({ what, found }) => [what, found]))
  expect(found).toMatchObject({
    'arrows between features of the server': ['a → b', 'b → a', 'b → c'],
    'of these, arrows on a circle': ['a → b', 'b → a'],
    'circles of features': ['a ↔ b'],
    'circles of folders in a feature': [`${server}/features/a/one ↔ ${server}/features/a/two`],
    'imports from outside of a feature that are not its face': [
      `${server}/app.ts → ${server}/features/a/inner.ts`,
    ],
    'folders with over 40 files': ['packages/domain/src: 41'],
    'functions over 90 lines on the server': [`${server}/features/a/inner.ts:1: 91`],
    'functions over 120 lines elsewhere': [
      'apps/web/src/markup.tsx:1: 121',
      'apps/web/src/page.tsx:1: 121',
      'apps/web/src/text.ts:1: 121',
    ],
    'spreads of literal objects': [`${server}/features/c/c.ts:1`],
    'bags of dependencies on the server': [
      `${server}/features/d/d.ts: Parameters<typeof`,
      `${server}/features/d/later.ts: interface LaterDeps`,
      `${server}/features/d/passed.ts: Pick<OneService`,
    ],
    'files of up to 60 lines with one importer beside them': [
      `${server}/features/b/inner.ts: 1, only for ${server}/features/b/b.ts`,
      `${server}/features/d/small.ts: 2, only for ${server}/features/d/d.ts`,
    ],
    'kinds of file in features of the server, beside faces and operations': ['.sql'],
    'circles of folders of the server': ['features/a ↔ features/b'],
    'floors of the server': ['features/c', 'features/a', 'features/b'],
    'files in no folder of the server': [`${server}/app.ts`],
  })
})

const HELD = [
  'of these, arrows on a circle',
  'circles of features',
  'circles of folders in a feature',
  'imports from outside of a feature that are not its face',
  'folders with over 40 files',
  'functions over 90 lines on the server',
  'functions over 120 lines elsewhere',
  'spreads of literal objects',
  'numbers of decisions that nothing explains',
]

test('counts that were brought to zero stay there', () => {
  const found = new Map(findStructure(root).map(({ what, found }) => [what, found]))
  expect(HELD.map((what) => [what, found.get(what)])).toEqual(HELD.map((what) => [what, []]))
}, 60_000)

test('features take the context and nothing else, and have two kinds of file beside faces and operations', () => {
  const found = new Map(findStructure(root).map(({ what, found }) => [what, found]))
  const bags = found.get('bags of dependencies on the server') ?? []
  expect(bags.filter((bag) => bag.includes('/features/'))).toEqual([])
  const kinds = found.get('kinds of file in features of the server, beside faces and operations')
  expect(kinds).toEqual(['.policy', '.sql'])
}, 60_000)
