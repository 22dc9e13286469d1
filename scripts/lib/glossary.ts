import ts from 'typescript'
import type { Source } from './sources.ts'

/** A name that code declares, by a word that the glossary takes for something else. */
export interface Misnomer {
  /** The glossary's word, as its last column has it. */
  not: string
  name: string
  file: string
}

/** The words that the glossary's last column rules out, without those that another row says. */
export function readRuledOut(glossary: string): string[] {
  const rows = glossary
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split('|').map((cell) => cell.trim().replaceAll(/[’`]/g, '')))
    .slice(1)
  const said = new Set(rows.flatMap(([, say = '']) => phrasesOf(say)))
  return rows.flatMap(([, , , not = '']) => phrasesOf(not)).filter((phrase) => !said.has(phrase))
}

const phrasesOf = (column: string): string[] =>
  column
    .split(/[,;]/)
    .map((phrase) => wordsOf(phrase).join(' '))
    .filter((phrase) => phrase !== '')

/** `readTokenLabels` is read, token, label: plurals count as their singular. */
const wordsOf = (name: string): string[] =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .split(/[^A-Za-z]+/)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase().replace(/ies$/, 'y').replace(/s$/, ''))

/** Declared functions, types, variables, parameters and members whose names contain a word that is ruled out. */
export function findMisnomers(sources: readonly Source[], ruledOut: readonly string[]): Misnomer[] {
  return sources.flatMap(({ file, text }) =>
    [...new Set(declaredNames(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)))].flatMap(
      (name) => {
        const words = ` ${wordsOf(name).join(' ')} `
        return ruledOut.filter((not) => words.includes(` ${not} `)).map((not) => ({ not, name, file }))
      },
    ),
  )
}

/** What an object literal or a pattern takes of another's names is left out: it is spelled where it is declared. */
function declaredNames(tree: ts.SourceFile): string[] {
  const names: string[] = []
  const visit = (node: ts.Node): void => {
    const name = isDeclaration(node) ? node.name : undefined
    if (name && (ts.isIdentifier(name) || ts.isPrivateIdentifier(name))) names.push(name.text)
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return names
}

const isDeclaration = (node: ts.Node): node is ts.NamedDeclaration =>
  ts.isFunctionDeclaration(node) ||
  ts.isClassLike(node) ||
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeAliasDeclaration(node) ||
  ts.isVariableDeclaration(node) ||
  ts.isParameter(node) ||
  ts.isPropertySignature(node) ||
  ts.isPropertyDeclaration(node) ||
  ts.isMethodSignature(node) ||
  ts.isMethodDeclaration(node) ||
  (ts.isBindingElement(node) && (node.propertyName !== undefined || ts.isArrayBindingPattern(node.parent)))
