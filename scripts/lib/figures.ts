import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { readSources } from './sources.ts'

/** A file by its path, and its text. */
export interface Text {
  file: string
  text: string
}

const CONSTANT = /^[A-Z][A-Z\d_]+$/
/** What tests share among themselves is no code that they check. */
const OF_TESTS = /(?:^|\/)(?:testing|harness|states|accessibility)\//

/** The figures of the code that tests import: expected so, whatever the code says is right. */
export function figuresImported({ sources, tests }: { sources: Text[]; tests: Text[] }): string[] {
  const figures = new Set(sources.flatMap(figuresOf))
  return tests.flatMap(({ file, text }) =>
    importsOf({ file, text })
      .filter((name) => figures.has(name))
      .map((name) => `${file}: ${name}`),
  )
}

/** The same of the repository. */
export function findFiguresInTests(root: string): string[] {
  const tests = globSync(
    [
      '{apps,packages}/*/src/**/*.test.{ts,tsx}',
      'e2e/*.{journey,thorough,durability,scale}.ts',
      'scripts/*.test.ts',
    ],
    { cwd: root },
  )
  return figuresImported({
    sources: readSources(root),
    tests: tests.toSorted().map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') })),
  })
}

const parse = ({ file, text }: Text) => ts.createSourceFile(file, text, ts.ScriptTarget.Latest)

/** The names of the constants that a file exports and that are a number, a text, or a table of numbers or of sentences. */
function figuresOf(source: Text): string[] {
  if (!/^export const [A-Z][A-Z\d_]+\b/m.test(source.text)) return []
  return parse(source)
    .statements.filter(ts.isVariableStatement)
    .filter(({ modifiers }) => modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword))
    .flatMap(({ declarationList }) => [...declarationList.declarations])
    .flatMap(({ name, initializer }) => {
      const isFigure = ts.isIdentifier(name) && CONSTANT.test(name.text) && initializer !== undefined
      return isFigure && (isNumber(initializer) || isText(initializer) || isTable(initializer))
        ? [name.text]
        : []
    })
}

function importsOf(test: Text): string[] {
  if (!/^import [^']*\b[A-Z][A-Z\d_]+\b/m.test(test.text)) return []
  return parse(test)
    .statements.filter(ts.isImportDeclaration)
    .filter(
      ({ moduleSpecifier }) => ts.isStringLiteral(moduleSpecifier) && !OF_TESTS.test(moduleSpecifier.text),
    )
    .flatMap(({ importClause }) => {
      const bindings = importClause?.namedBindings
      return bindings && ts.isNamedImports(bindings) ? [...bindings.elements] : []
    })
    .filter(({ isTypeOnly }) => !isTypeOnly)
    .map(({ propertyName, name }) => (propertyName ?? name).text)
    .filter((name) => CONSTANT.test(name))
}

function plain(node: ts.Expression): ts.Expression {
  const isWrapped =
    ts.isAsExpression(node) || ts.isSatisfiesExpression(node) || ts.isParenthesizedExpression(node)
  return isWrapped ? plain(node.expression) : node
}

function isNumber(expression: ts.Expression): boolean {
  const node = plain(expression)
  if (ts.isBinaryExpression(node)) return isNumber(node.left) && isNumber(node.right)
  if (ts.isPrefixUnaryExpression(node)) return isNumber(node.operand)
  return ts.isNumericLiteral(node) || (ts.isIdentifier(node) && CONSTANT.test(node.text))
}

function isText(expression: ts.Expression): boolean {
  return ts.isStringLiteral(plain(expression))
}

/** A table of names or of paths says nothing that a person reads. */
function isTable(expression: ts.Expression): boolean {
  const node = plain(expression)
  if (!ts.isObjectLiteralExpression(node) || node.properties.length === 0) return false
  const values = node.properties.map((property) =>
    ts.isPropertyAssignment(property) ? plain(property.initializer) : null,
  )
  const isSentence = (value: ts.Expression | null) =>
    value && ts.isStringLiteral(value) && value.text.includes(' ')
  return (
    values.every((value) => value && (isNumber(value) || value.kind === ts.SyntaxKind.NullKeyword)) ||
    values.some(isSentence)
  )
}
