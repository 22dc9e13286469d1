import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

/** What `npm test`, `test:thorough`, `test:durability` or `test:scale` runs. */
const TESTS = [
  '{apps,packages}/*/src/**/*.test.{ts,tsx}',
  'e2e/*.{journey,thorough,durability,scale}.ts',
  'scripts/*.test.ts',
]
const SECTION = /^In (`[^`\n]+`(?:, `[^`\n]+`)*):\n\n(?:- .*\n)*/gm

/** A test whose title is a whole sentence. */
export interface Promise {
  file: string
  text: string
}

export interface Page {
  file: string
  markdown: string
}

/** The sentence of a title: its values in brackets are those of one case, and no part of it. */
export function promiseIn(title: string): string | undefined {
  const text = title.replace(/ \([^()]*[%$][^()]*\)$/, '').replaceAll('%%', '%')
  return /[.?!]’?$/.test(text) ? text : undefined
}

/** The titles of a file’s tests, and of what groups them. */
export function titlesIn({ file, text }: { file: string; text: string }): string[] {
  const titles: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && /^(test|it|describe)$/.test(nameOf(node.expression))) {
      const [title] = node.arguments
      if (title && ts.isStringLiteralLike(title)) titles.push(title.text)
    }
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest))
  return titles
}

/** Of `test.each(…)('…')` it is `test`. */
function nameOf(node: ts.Node): string {
  if (ts.isIdentifier(node)) return node.text
  return ts.isCallExpression(node) || ts.isPropertyAccessExpression(node) ? nameOf(node.expression) : ''
}

/** Every promise of the repository’s tests. */
export function readPromises(root: string): Promise[] {
  return globSync(TESTS, { cwd: root })
    .toSorted()
    .flatMap((file) =>
      titlesIn({ file, text: readFileSync(join(root, file), 'utf8') }).flatMap((title) => {
        const text = promiseIn(title)
        return text === undefined ? [] : [{ file, text }]
      }),
    )
}

/** The files and folders whose promises a page lists. */
export const placesIn = (markdown: string): string[] =>
  [...markdown.matchAll(SECTION)].flatMap(([, places = '']) => placesOf(places))

/** The pages with the promises of the tests below each ‘In …:’; a file’s stand where most of its path does. */
export function writePages({
  pages,
  promises,
}: {
  pages: readonly Page[]
  promises: readonly Promise[]
}): Page[] {
  const places = pages.flatMap(({ markdown }) => placesIn(markdown))
  return pages.map(({ file, markdown }) => ({
    file,
    markdown: markdown.replace(SECTION, (_, own: string) => {
      const lines = placesOf(own).flatMap((place) =>
        promises
          .filter((promise) => placeOf(promise.file, places) === place)
          .map(({ text }) => `- ${text}\n`),
      )
      return `In ${own}:\n\n${lines.join('')}`
    }),
  }))
}

/** The one of the places that names most of a file’s path. */
export function placeOf(file: string, places: readonly string[]): string | undefined {
  return places
    .filter((place) => file === place || (place.endsWith('/') && file.startsWith(place)))
    .toSorted((a, b) => b.length - a.length)[0]
}

const placesOf = (list: string): string[] => list.split(', ').map((place) => place.slice(1, -1))

/** The pages of docs/behaviour as they are; its README tells of them. */
export function readPages(root: string): Page[] {
  return globSync('docs/behaviour/*.md', { cwd: root, exclude: ['**/README.md'] })
    .toSorted()
    .map((file) => ({ file, markdown: readFileSync(join(root, file), 'utf8') }))
}
