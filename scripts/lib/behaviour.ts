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
  return readTestFiles(root).flatMap((file) =>
    titlesIn({ file, text: readFileSync(join(root, file), 'utf8') }).flatMap((title) => {
      const text = promiseIn(title)
      return text === undefined ? [] : [{ file, text }]
    }),
  )
}

/** The files of tests, as a document may name them. */
export const readTestFiles = (root: string): string[] => globSync(TESTS, { cwd: root }).toSorted()

/** What a document means by a file’s name; more of its path is written only where two have that name. */
export const filesNamed = ({ name, files }: { name: string; files: readonly string[] }): string[] =>
  files.filter((file) => `/${file}`.endsWith(`/${name}`))

interface PlacesOptions {
  markdown: string
  files: readonly string[]
}

/** The files and folders whose promises a page lists. */
export const placesIn = ({ markdown, files }: PlacesOptions): string[] =>
  [...markdown.matchAll(SECTION)].flatMap(([, list = '']) => placesOf({ list, files }))

/** The pages with the promises of the tests below each ‘In …:’; a file’s stand where most of its path does. */
export function writePages({
  pages,
  promises,
}: {
  pages: readonly Page[]
  promises: readonly Promise[]
}): Page[] {
  const files = [...new Set(promises.map(({ file }) => file))]
  const places = pages.flatMap(({ markdown }) => placesIn({ markdown, files }))
  return pages.map(({ file, markdown }) => ({
    file,
    markdown: markdown.replace(SECTION, (_, own: string) => {
      const lines = placesOf({ list: own, files }).flatMap((place) =>
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

/** Of a list such as `web/lib/`, `cut-text.test.ts`: a folder, without its `src`, or a file by its name. */
function placesOf({ list, files }: { list: string; files: readonly string[] }): string[] {
  return list.split(', ').map((written) => {
    const name = written.slice(1, -1)
    if (name.endsWith('/'))
      return name
        .replace(/^(server|web)\//, 'apps/$1/src/')
        .replace(/^(contracts|domain)\//, 'packages/$1/src/')
    const [file = name, ...others] = filesNamed({ name, files })
    return others.length === 0 ? file : name
  })
}

/** The pages of docs/behaviour as they are; its README tells of them. */
export function readPages(root: string): Page[] {
  return globSync('docs/behaviour/*.md', { cwd: root, exclude: ['**/README.md'] })
    .toSorted()
    .map((file) => ({ file, markdown: readFileSync(join(root, file), 'utf8') }))
}
