import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './root.mjs'

/** Texts that name decisions; locks and pictures hold hashes. */
const TEXTS = ['*.md', '{apps,bench,docs,e2e,packages,scripts}/**/*.{ts,tsx,mjs,md,css,sql}']
const NOT_OURS = ['**/node_modules', '**/dist', 'scripts/decisions.test.ts']

/** The numbers that docs/decisions.md explains, in its order. */
export function decisionNumbers(markdown: string): string[] {
  return [...markdown.matchAll(/^\| \*\*(D\d+)\*\* \|/gm)].map(([, number = '']) => number)
}

/** Each number of a decision that a file names and nothing explains, with its place. */
export function unresolvedIn({
  file,
  text,
  known,
}: {
  file: string
  text: string
  known: ReadonlySet<string>
}): string[] {
  return text
    .split('\n')
    .flatMap((line, index) =>
      [...line.matchAll(/\bD\d{1,3}\b/g)]
        .filter(([number]) => !known.has(number))
        .map(([number]) => `${file}:${index + 1}: ${number}`),
    )
}

/** The same for every text of the repository, with the number of texts read. */
export function unresolvedDecisions(): { files: number; found: string[] } {
  const known = new Set(decisionNumbers(readFileSync(join(root, 'docs/decisions.md'), 'utf8')))
  const files = globSync(TEXTS, { cwd: root, exclude: NOT_OURS })
  const found = files.flatMap((file) =>
    unresolvedIn({ file, text: readFileSync(join(root, file), 'utf8'), known }),
  )
  return { files: files.length, found }
}
