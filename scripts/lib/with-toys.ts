import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { API } from 'typescript-7/unstable/sync'
import { root } from './root.mjs'

/** Of each file lines, and for each the line before which it is added. */
export type Added = Record<string, readonly (readonly [before: string, line: string])[]>

interface Toys {
  /** New files by path. */
  files: Readonly<Record<string, string>>
  added: readonly Added[]
  /** Of the compiler. */
  config?: string
}

/** Paths of the files that do not compile with these files and lines. */
export function refusedFiles({ files: created, added, config = 'tsconfig.json' }: Toys): string[] {
  const files = new Map(Object.entries(created).map(([file, text]) => [join(root, file), text]))
  for (const [file, lines] of added.flatMap(Object.entries<Added[string]>)) {
    const path = join(root, file)
    files.set(path, lines.reduce(withLine, files.get(path) ?? readFileSync(path, 'utf8')))
  }
  const folders = new Set(Array.from(files.keys(), dirname))
  const fs = {
    readFile: (path: string) => files.get(path),
    fileExists: (path: string) => files.has(path) || undefined,
    directoryExists: (path: string) => folders.has(path) || undefined,
  }
  const api = new API({ cwd: root, fs })
  try {
    const path = join(root, config)
    const project = api.updateSnapshot({ openProjects: [path] }).getProject(path)
    if (project === undefined) throw new Error('The project could not be opened.')
    const problems = project.program.getSemanticDiagnostics()
    return [...new Set(problems.map(({ fileName = '' }) => relative(root, fileName)))].toSorted()
  } finally {
    api.close()
  }
}

function withLine(text: string, [before, line]: Added[string][number]): string {
  if (!text.includes(`\n${before}\n`)) throw new Error(`No line is: ${before}`)
  return text.replace(`\n${before}\n`, () => `\n${line}\n${before}\n`)
}
