import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import type { Text } from './figures.ts'
import { readSources } from './sources.ts'

/** A text by which a test in the browser finds something on a screen. */
interface NamedText {
  /** Where it is written, as `file:line`. */
  at: string
  /** What is sure of it: of a template or a pattern the longest part that is written out. */
  text: string
}

interface TextsOfTests {
  named: NamedText[]
  /** What they write besides: what people called things, typed, and were answered. */
  data: string[]
}

interface TextsOfCode {
  /** Each text of the code, a template or an element with something in it in pieces. */
  all: string[]
  /** The pieces alone. */
  pieces: string[]
}

/** The texts that browser tests look for and that no screen, message or test says. */
export function findUnsaid({ code, tests }: { code: TextsOfCode; tests: TextsOfTests }): NamedText[] {
  const isSaid = saidBy({ code, data: tests.data })
  return tests.named.filter(({ text }) => /\p{L}{2}/u.test(text) && !isSaid(text))
}

/** Those of the repository: what the program shows, what its guide says. */
export function readCodeTexts(root: string): TextsOfCode {
  const guide = globSync('docs/guide/*.md', { cwd: root }).flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .replaceAll(/[*`#]|\]\([^)]*\)|\[/g, '')
      .split('\n'),
  )
  const code = codeTextsOf(readSources(root))
  return { ...code, all: [...code.all, ...guide.map(inOneLine)] }
}

/** Those of the repository's tests in the browser, with what stands in for other servers in them. */
export function readTestTexts(root: string): TextsOfTests {
  const read = (pattern: string): Text[] =>
    globSync(pattern, { cwd: root })
      .toSorted()
      .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))
  const tests = testTextsOf(read('e2e/**/*.ts'))
  const { all } = codeTextsOf(read('{apps,packages}/*/src/**/testing/**/*.{ts,tsx}'))
  return { ...tests, data: [...tests.data, ...all] }
}

export function codeTextsOf(sources: readonly Text[]): TextsOfCode {
  const all: string[] = []
  const pieces: string[] = []
  for (const source of sources) {
    const visit = (node: ts.Node): void => {
      const isPiece = ts.isTemplateLiteralToken(node) || ts.isJsxText(node)
      if (isPiece || ts.isStringLiteral(node)) {
        const text = inOneLine(node.text)
        all.push(text)
        if (isPiece) pieces.push(text)
      }
      ts.forEachChild(node, visit)
    }
    visit(parse(source))
  }
  const isText = (text: string) => /\p{L}/u.test(text)
  return { all: [...new Set(all)].filter(isText), pieces: [...new Set(pieces)].filter(isText) }
}

export function testTextsOf(tests: readonly Text[]): TextsOfTests {
  const trees = tests.map(parse)
  const helpers = helpersOf(trees)
  const named: NamedText[] = []
  const data: string[] = []
  for (const tree of trees) {
    const noData = new Set<ts.Node>()
    const visit = (node: ts.Node, isInData: boolean): void => {
      const isData = isInData && !noData.has(node)
      if (isData && (ts.isStringLiteral(node) || ts.isTemplateLiteralToken(node)))
        data.push(inOneLine(node.text))
      const names = ts.isCallExpression(node) ? namesIn(node, helpers) : namesListed(node, helpers)
      for (const name of names) {
        noData.add(name)
        const { line } = tree.getLineAndCharacterOfPosition(name.getStart(tree))
        const text = surePartOf(name, tree)
        if (text !== undefined) named.push({ at: `${tree.fileName}:${line + 1}`, text })
      }
      if (ts.isCallExpression(node)) for (const expected of expectedIn(node)) noData.add(expected)
      ts.forEachChild(node, (child) => visit(child, isData))
    }
    visit(tree, true)
  }
  return { named, data: [...new Set(data)].filter((text) => text !== '') }
}

const parse = ({ file, text }: Text): ts.SourceFile => ts.createSourceFile(file, text, ts.ScriptTarget.Latest)

const inOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

/** What a call of these finds is named by its first argument. */
const FINDERS = new Set(['getByLabel', 'getByPlaceholder', 'getByText', 'getByTitle'])
/** And of these by what an object of theirs has under such a name. */
const NAMED_BY: Readonly<Record<string, string>> = { getByRole: 'name', filter: 'hasText' }

/** Which arguments of a function name something on the screen. */
type Helpers = Map<string, Set<number>>

function namesIn(call: ts.CallExpression, helpers: Helpers): ts.Expression[] {
  const { expression, arguments: given } = call
  if (ts.isIdentifier(expression)) {
    const places = helpers.get(expression.text)
    return places ? given.filter((_, place) => places.has(place)) : []
  }
  if (!ts.isPropertyAccessExpression(expression)) return []
  const method = expression.name.text
  if (FINDERS.has(method)) return given.slice(0, 1)
  const key = NAMED_BY[method]
  const options = given.find(ts.isObjectLiteralExpression)
  if (key === undefined || options === undefined) return []
  return options.properties.flatMap((property) => {
    if (property.name === undefined || !ts.isIdentifier(property.name) || property.name.text !== key)
      return []
    if (ts.isPropertyAssignment(property)) return [property.initializer]
    return ts.isShorthandPropertyAssignment(property) ? [property.name] : []
  })
}

/** The texts of a list that each name something, one after the other. */
function namesListed(node: ts.Node, helpers: Helpers): readonly ts.Expression[] {
  if (!ts.isForOfStatement(node) || !ts.isArrayLiteralExpression(node.expression)) return []
  const [declared] = ts.isVariableDeclarationList(node.initializer) ? node.initializer.declarations : []
  if (declared === undefined || !ts.isIdentifier(declared.name)) return []
  const places = handedOn({ parameters: [declared.name.text], body: node.statement, helpers })
  return places.length > 0 ? node.expression.elements : []
}

/** Functions that hand on what they are given as such a name, to each other too. */
function helpersOf(trees: readonly ts.SourceFile[]): Helpers {
  const helpers: Helpers = new Map()
  const functions = trees.flatMap(functionsIn)
  const count = () => [...helpers.values()].reduce((sum, { size }) => sum + size, 0)
  let before: number
  do {
    before = count()
    for (const { name, parameters, body } of functions) {
      for (const place of handedOn({ parameters, body, helpers })) {
        const places = helpers.get(name) ?? new Set<number>()
        helpers.set(name, places.add(place))
      }
    }
  } while (count() > before)
  return helpers
}

interface NamedFunction {
  name: string
  parameters: string[]
  body: ts.Node
}

function functionsIn(tree: ts.SourceFile): NamedFunction[] {
  const found: NamedFunction[] = []
  const add = (name: string, { parameters, body }: ts.FunctionDeclaration | ts.ArrowFunction) => {
    const names = parameters.map((parameter) => (ts.isIdentifier(parameter.name) ? parameter.name.text : ''))
    if (body) found.push({ name, parameters: names, body })
  }
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionDeclaration(node) && node.name) add(node.name.text, node)
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer) {
      if (ts.isArrowFunction(node.initializer)) add(node.name.text, node.initializer)
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return found
}

function handedOn({
  parameters,
  body,
  helpers,
}: Omit<NamedFunction, 'name'> & { helpers: Helpers }): number[] {
  const places: number[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      for (const name of namesIn(node, helpers)) {
        const place = ts.isIdentifier(name) ? parameters.indexOf(name.text) : -1
        if (place >= 0) places.push(place)
      }
    }
    ts.forEachChild(node, visit)
  }
  visit(body)
  return places
}

const EXPECTATIONS = /^(?:expect[A-Z]|toBe$|toContain|toEqual$|toHave|toMatch)/
const TESTS = /^(?:test|it)\b/

/** What is expected, or promised in a title, is no proof that it is there. */
function expectedIn({ expression, arguments: given }: ts.CallExpression): readonly ts.Expression[] {
  const named = ts.isPropertyAccessExpression(expression) ? expression.name : expression
  if (ts.isIdentifier(named) && EXPECTATIONS.test(named.text)) return given
  const [title] = given
  const isTitle = title !== undefined && ts.isStringLiteralLike(title) && TESTS.test(rootOf(expression))
  return isTitle ? [title] : []
}

function rootOf(expression: ts.Expression): string {
  if (ts.isIdentifier(expression)) return expression.text
  const isInner = ts.isCallExpression(expression) || ts.isPropertyAccessExpression(expression)
  return isInner ? rootOf(expression.expression) : ''
}

function surePartOf(name: ts.Expression, tree: ts.SourceFile): string | undefined {
  if (ts.isStringLiteralLike(name)) return inOneLine(name.text)
  if (ts.isTemplateExpression(name))
    return longestOf([name.head.text, ...name.templateSpans.map(({ literal }) => literal.text)])
  if (name.kind === ts.SyntaxKind.RegularExpressionLiteral) return longestOf(writtenOut(name.getText(tree)))
  return undefined
}

function longestOf(parts: readonly string[]): string {
  const [longest = ''] = parts.map(inOneLine).toSorted((one, other) => other.length - one.length)
  return longest
}

/** An escaped sign, or a sign; or what stands for others, repeats, or holds what is beside it. */
const PATTERN_PART =
  /\\[a-z\d]|\\(.)|\[(?:\\.|[^\]\\])*\]|\(\?<?[=!][^)]*\)|\(\?:|[$()*+.?^|]|\{[\d,]+\}|([^\\])/gi

/** What a pattern has written out, in parts: whatever may vary or be missing comes between them. */
export function writtenOut(pattern: string): string[] {
  const parts = ['']
  const source = pattern.slice(1, pattern.lastIndexOf('/'))
  for (const [part = '', escaped, plain] of source.matchAll(PATTERN_PART)) {
    const sign = escaped ?? plain
    const last = parts.pop() ?? ''
    if (sign !== undefined) parts.push(last + sign)
    else if (/^[?*{]/.test(part)) parts.push(last.slice(0, -1), '')
    else parts.push(last, '')
  }
  return parts
}

const bare = (text: string): string => text.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')
const wordsOf = (text: string) => [...text.matchAll(/\p{L}+|\p{N}+/gu)]
/** Between spaces, so that a part begins and ends with a word. */
const inWords = (text: string): string => ` ${wordsOf(text).join(' ')} `
const inLines = (texts: Iterable<string>): string => `\n${[...texts].join('\n')}\n`

/** Tells whether a text can be on a screen, as it is or put together of what is there. */
function saidBy({ code, data }: { code: TextsOfCode; data: readonly string[] }) {
  const said = inLines(code.all)
  const given = inLines(data)
  const whole = new Set(code.all.map(bare))
  const lines = inLines(whole)
  const values = new Set(data.map(bare))
  const pieces = [...new Set(code.pieces.map(inWords))].filter(({ length }) => length > 5)

  /**
   * Whether it is a row of whole texts, values and numbers. Texts side by side have more than a word each, or a sign
   * between them.
   */
  function isRow(text: string): boolean {
    const words = wordsOf(text)
    const endOf = (place: number) => (words[place]?.index ?? 0) + (words[place]?.[0].length ?? 0)
    const goesOn = (from: number, before: number): boolean => {
      const start = words[from]?.index
      if (start === undefined) return true
      const isApart = from > 0 && text.slice(endOf(from - 1), start).trim() !== ''
      return words.slice(from).some((_, more) => {
        const [count, next] = [more + 1, from + more + 1]
        const part = text.slice(start, endOf(next - 1))
        const isValue = /^\p{N}+$/u.test(part) || values.has(part) || (count > 2 && given.includes(part))
        if (isValue && goesOn(next, 0)) return true
        const isEnd = from === 0 && lines.includes(`${part}\n`)
        const isBeginning = next === words.length && lines.includes(`\n${part}`)
        const isText = whole.has(part) || (count > 1 && (isEnd || isBeginning))
        return isText && (isApart || before === 0 || (before > 1 && count > 1)) && goesOn(next, count)
      })
    }
    return goesOn(0, 0)
  }

  /** Whether at least half of it is a piece, which something fills. */
  function isFilled(text: string): boolean {
    const words = inWords(text)
    return pieces.some((piece) => 2 * piece.length >= words.length && words.includes(piece))
  }

  return (text: string): boolean =>
    said.includes(text) || given.includes(text) || isRow(bare(text)) || isFilled(text)
}
