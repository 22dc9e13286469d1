import ts from 'typescript'
import type { Source } from './sources.ts'

export interface LongFunction {
  file: string
  line: number
  lines: number
}

/** A line that holds nothing but a comment, or nothing. */
const EMPTY = /^\s*(?:$|\/\/|\/?\*|\{\/\*.*\*\/\}$)/

/** The functions with more than so many lines of code between their braces, those of markup, templates and inner functions too. */
export function findLongFunctions(sources: readonly Source[], over: number): LongFunction[] {
  return sources.flatMap(({ file, text }) => {
    const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest)
    const lines = text.split('\n')
    const found: LongFunction[] = []
    const lineOf = (position: number) => tree.getLineAndCharacterOfPosition(position).line
    const visit = (node: ts.Node): void => {
      const body = ts.isFunctionLike(node) && 'body' in node ? node.body : undefined
      if (body) {
        const inside = lines.slice(...linesWithin(body as ts.Node))
        const count = inside.filter((line) => !EMPTY.test(line)).length
        if (count > over) found.push({ file, line: lineOf(node.getStart(tree)) + 1, lines: count })
      }
      ts.forEachChild(node, visit)
    }
    /** Without those of its braces; a body without braces is whole. */
    const linesWithin = (body: ts.Node): [number, number] => {
      const [first, last] = [lineOf(body.getStart(tree)), lineOf(body.getEnd())]
      return ts.isBlock(body) ? [first + 1, last] : [first, last + 1]
    }
    visit(tree)
    return found
  })
}
