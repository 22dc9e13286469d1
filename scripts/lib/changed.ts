import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import ts from 'typescript'

/** A feature of either side, another folder of the server or the web, or a package. */
const ROOM =
  /^(apps\/(?:server|web)\/src\/features\/[^/]+|apps\/(?:server|web)\/src\/[^/]+|packages\/\w+\/src)\//
/** They put everything together: what is reached through them would concern every test. */
const COMPOSED =
  /^apps\/server\/src\/(?:app|features|program|main)\.ts$|^apps\/web\/src\/(?:app\/|main|start)/
const NAMES_OF_A_PACKAGE = /(?:import|export)\s+(?:type\s+)?\{([^}]*)\}\s+from\s+'@catenary\/(\w+)'/g
const EXPORTED = /^export (?:async )?(?:const|function\*?|class|interface|type) (\w+)/gm

/** The files that differ from a commit, and those that Git does not know yet. Throws where it knows no such commit. */
export function changedFiles(root: string, since: string): string[] {
  const linesOf = (args: string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' }).split('\n').filter(Boolean)
  return [
    ...linesOf(['diff', '--name-only', '--relative', since, '--']),
    ...linesOf(['ls-files', '--others', '--exclude-standard']),
  ]
}

/**
 * The quick tests that a change concerns: those in the folder of what changed or of what imports it, those that
 * import it themselves, however far away, and those of the repository as a whole.
 */
export function testsOf(root: string, changed: readonly string[]): string[] {
  const files = globSync('{apps,packages,scripts}/**/*.{ts,tsx}', { cwd: root, exclude: ['**/node_modules'] })
  const importers = readImporters(root, files)
  const reached = reachedFrom(changed, importers)
  const near = changed.flatMap((file) => [file, ...(importers.get(file) ?? []).filter(passesOn)])
  const rooms = new Set(near.map(roomOf))
  return files
    .filter((file) => /\.test\.tsx?$/.test(file) && !file.endsWith('.slow.test.ts'))
    .filter((file) => {
      const room = roomOf(file)
      return room === undefined || rooms.has(room) || reached.has(file)
    })
    .toSorted()
}

const roomOf = (file: string): string | undefined => ROOM.exec(file)?.[1]

const passesOn = (file: string): boolean => !COMPOSED.test(file)

function reachedFrom(changed: readonly string[], importers: Map<string, string[]>): Set<string> {
  const reached = new Set(changed)
  // A set that grows is walked to its new end.
  for (const file of reached)
    for (const importer of importers.get(file) ?? []) if (passesOn(importer)) reached.add(importer)
  return reached
}

/** Who imports each file; a name of a package counts as an import of the file that declares it. */
function readImporters(root: string, files: readonly string[]): Map<string, string[]> {
  const texts = files.map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))
  const declared = new Map(
    texts
      .filter(({ file }) => file.startsWith('packages/'))
      .flatMap(({ file, text }) =>
        [...text.matchAll(EXPORTED)].map(([, name]) => [`${file.split('/')[1]} ${name}`, file] as const),
      ),
  )
  const importers = new Map<string, string[]>()
  for (const { file, text } of texts) {
    const beside = ts
      .preProcessFile(text)
      .importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
      .map(({ fileName }) => posix.join(dirname(file), fileName))
    const ofPackages = [...text.matchAll(NAMES_OF_A_PACKAGE)].flatMap(([, names = '', name]) =>
      names.split(',').flatMap((each) => {
        const [, exported] = /^\s*(?:type\s+)?(\w+)/.exec(each) ?? []
        return declared.get(`${name} ${exported}`) ?? []
      }),
    )
    for (const imported of new Set([...beside, ...ofPackages]))
      importers.set(imported, [...(importers.get(imported) ?? []), file])
  }
  return importers
}
