import { globSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import ts from 'typescript'

const TEST = /\.test\.tsx?$|\/testing\//

const isProduction = (file: string): boolean => !TEST.test(file)

export interface Source {
  /** From the root of the repository. */
  file: string
  text: string
  /** What it imports of the repository by a relative path, types too. */
  imports: string[]
}

/** Every production file of the apps and packages below a folder. */
export function readSources(root: string): Source[] {
  return globSync('{apps,packages}/*/src/**/*.{ts,tsx}', { cwd: root })
    .filter(isProduction)
    .toSorted()
    .map((file) => {
      const text = readFileSync(join(root, file), 'utf8')
      const { importedFiles } = ts.preProcessFile(text)
      const imports = importedFiles
        .filter(({ fileName }) => fileName.startsWith('.'))
        .map(({ fileName }) => posix.join(dirname(file), fileName))
      return { file, text, imports: [...new Set(imports)] }
    })
}

/** An import of one group of files by another. */
export interface Arrow {
  from: string
  to: string
}

/** Which groups import which others, once each; `groupOf` tells whose a file is, if anyone's. */
export function arrowsBetween(
  sources: readonly Source[],
  groupOf: (file: string) => string | undefined,
): Arrow[] {
  const arrows = new Map<string, Arrow>()
  for (const { file, imports } of sources) {
    const from = groupOf(file)
    for (const imported of imports) {
      const to = groupOf(imported)
      if (from === undefined || to === undefined || from === to) continue
      arrows.set(`${from} ${to}`, { from, to })
    }
  }
  return [...arrows.values()].toSorted((a, b) => a.from.localeCompare(b.from) || a.to.localeCompare(b.to))
}

/** The groups that reach each other by arrows, a circle each. */
export function circlesOf(arrows: readonly Arrow[]): string[][] {
  const reached = new Map(
    [...new Set(arrows.flatMap(({ from, to }) => [from, to]))].map((group) => [
      group,
      reachedFrom(group, arrows),
    ]),
  )
  const circles = [...reached].map(([group, others]) =>
    [...others].filter((other) => reached.get(other)?.has(group)).toSorted(),
  )
  return circles.filter((circle, index) => {
    const first = circles.findIndex((other) => other.join() === circle.join())
    return circle.length > 1 && first === index
  })
}

function reachedFrom(group: string, arrows: readonly Arrow[]): Set<string> {
  const reached = new Set<string>()
  const next = [group]
  for (let from = next.pop(); from !== undefined; from = next.pop())
    for (const arrow of arrows)
      if (arrow.from === from && !reached.has(arrow.to)) {
        reached.add(arrow.to)
        next.push(arrow.to)
      }
  return reached
}
