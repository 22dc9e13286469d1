import ts from 'typescript'
import { expect, test } from 'vitest'
import { root } from './lib/root.mjs'
import { readSources, type Source } from './lib/sources.ts'

/** Records that people name and describe in their own language. */
const RECORDS = new Set(
  'category chain group person prompt record run selection suite tag test token user variable version'.split(
    ' ',
  ),
)
const WORDS = new Set(
  'chainName description executedBy name note owner promptTitle title username'.split(' '),
)
const WORDS_ALONE = new Set('chainName executedBy owner promptTitle username'.split(' '))
/** Components that give what is in them, or in this attribute of theirs, the direction of its writing. */
const DIRECTED = new Set(['DialogTitle', 'PageHeader', 'bdi'])

test('what people named or described stands in the direction of its writing', () => {
  expect(findUndirected(readSources(root))).toEqual([])
}, 60_000)

test.each([
  '<b>{chain.name}</b>',
  '<div><b className="truncate">{prompt.title}</b></div>',
  '<b>\n  {username}\n</b>',
  '<Fact name="Run by">{run.executedBy}</Fact>',
  '<b dir="ltr">{tag.name}</b>',
])('one that lacks it is found: %s', (markup) => {
  expect(findUndirected([sourceOf(markup)])).toEqual(['a.tsx:1'])
})

test.each([
  '<b dir="auto">{chain.name}</b>',
  '<p dir="auto"><b>{chain.name}</b></p>',
  '<bdi>{chain.name}</bdi>',
  '<DialogTitle><b>{prompt.title}</b></DialogTitle>',
  '<PageHeader title={<b>{chain.name}</b>} />',
  '<b>{section.title}</b>',
  '<b>{title}</b>',
  '<b>Delete {chain.name}</b>',
])('what has it, or is the app’s own, is not: %s', (markup) => {
  expect(findUndirected([sourceOf(markup)])).toEqual([])
})

const sourceOf = (markup: string): Source => ({ file: 'a.tsx', text: `const it = ${markup}`, imports: [] })

function findUndirected(sources: readonly Source[]): string[] {
  return sources
    .filter(({ file }) => file.endsWith('.tsx'))
    .flatMap(({ file, text }) => {
      const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX)
      const found: string[] = []
      const visit = (node: ts.Node): void => {
        if (ts.isJsxElement(node) && isContentAlone(node) && !isDirected(node))
          found.push(`${file}:${tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1}`)
        ts.forEachChild(node, visit)
      }
      visit(tree)
      return found
    })
}

function isContentAlone({ children }: ts.JsxElement): boolean {
  const [child, ...others] = children.filter((each) => !(ts.isJsxText(each) && each.text.trim() === ''))
  if (child === undefined || others.length > 0 || !ts.isJsxExpression(child) || !child.expression)
    return false
  const { expression } = child
  if (ts.isIdentifier(expression)) return WORDS_ALONE.has(expression.text)
  return (
    ts.isPropertyAccessExpression(expression) &&
    WORDS.has(expression.name.text) &&
    ts.isIdentifier(expression.expression) &&
    RECORDS.has(expression.expression.text)
  )
}

function isDirected(element: ts.Node): boolean {
  for (let node: ts.Node | undefined = element; node; node = node.parent) {
    const opening = ts.isJsxElement(node)
      ? node.openingElement
      : ts.isJsxSelfClosingElement(node)
        ? node
        : undefined
    if (!opening) continue
    if (DIRECTED.has(opening.tagName.getText())) return true
    if (opening.attributes.properties.some((each) => each.getText() === 'dir="auto"')) return true
  }
  return false
}
