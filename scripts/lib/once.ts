import { basename, dirname } from 'node:path'
import { arrowsBetween, circlesOf, type Source } from './sources.ts'

const SERVER = 'apps/server/src/'
const DUST_LINES = 60
/** A type whose members are the parts that a function is to be given: the context has them all. */
const BAG =
  /^(?:export )?(?:interface|type) \w*Deps\b|\bPick<(?:typeof )?(?:\w*(?:Service|Deps)|Platform)\b/gm
/** The shape of another function's input, in a face, which passes functions on instead. */
const RESTATED = /\bParameters<typeof/g
const FACE = /features\/([^/]+)\/\1\.ts$/
/** Loaded by themselves: a worker's or bounded task's module, and what starts a program. */
const ENTRY = /(?:-task|-worker|worker|main|program)\.tsx?$/
/** The kinds of file that import rules tell by their names: what they hold may stand nowhere else, however short it is. */
const KIND = /\.(?:sql|policy)\.ts$/

const linesOf = (text: string): number => text.split('\n').length - 1
const isServers = ({ file }: Source): boolean => file.startsWith(SERVER)

/** What hands a function of the server its parts one by one, and faces that restate their functions. */
export function findBags(sources: readonly Source[]): string[] {
  return sources.filter(isServers).flatMap(({ file, text }) => {
    const restated = FACE.test(file) ? (text.match(RESTATED) ?? []) : []
    return [...(text.match(BAG) ?? []), ...restated].map((bag) => `${file}: ${bag}`)
  })
}

/** Small files that only one other needs, which stands beside them: their place is in it. */
export function findDust(sources: readonly Source[]): string[] {
  const textOf = new Map(sources.map(({ file, text }) => [file, text]))
  const importers = new Map<string, string[]>()
  for (const { file, imports } of sources)
    for (const imported of imports) importers.set(imported, [...(importers.get(imported) ?? []), file])
  /** What a face only passes on is for other features; what is loaded when it is needed is a file of its own. */
  const isApart = (from: string, file: string): boolean => {
    const name = `./${basename(file)}`
    const text = textOf.get(from) ?? ''
    const passedOn = text.matchAll(/^export (?:type )?(?:\*|\{[^}]*\}) from '([^']+)'/gm)
    return text.includes(`import('${name}')`) || [...passedOn].some(([, from]) => from === name)
  }
  return sources.flatMap(({ file, text }) => {
    const [only, ...others] = importers.get(file) ?? []
    if (only === undefined || others.length > 0 || dirname(only) !== dirname(file)) return []
    if (linesOf(text) > DUST_LINES || ENTRY.test(file) || KIND.test(file) || isApart(only, file)) return []
    return [`${file}: ${linesOf(text)}, only for ${only}`]
  })
}

/** Files that stand in no folder of the server. */
export function findLooseFiles(sources: readonly Source[]): string[] {
  return sources.map(({ file }) => file).filter((file) => dirname(file) === SERVER.slice(0, -1))
}

/** What the names of a feature's files end in, beside its face and its operations. */
export function findKinds(sources: readonly Source[]): string[] {
  const endings = sources.flatMap(({ file }) =>
    file.startsWith(`${SERVER}features/`) ? (/(\.\w+|-deps)\.ts$/.exec(file)?.[1] ?? []) : [],
  )
  return [...new Set(endings)].toSorted()
}

/** A folder of the server's source, or of its features. */
const folderOf = (file: string): string | undefined =>
  /^apps\/server\/src\/(features\/[^/]+|[^/]+)\//.exec(file)?.[1]

export function findFolderCircles(sources: readonly Source[]): string[] {
  return circlesOf(arrowsBetween(sources, folderOf)).map((circle) => circle.join(' ↔ '))
}

/** The folders of the server that stand on each other, from the lowest: those of a circle count each. */
export function findFloors(sources: readonly Source[]): string[] {
  const arrows = arrowsBetween(sources, folderOf)
  const circles = circlesOf(arrows)
  const circleOf = (folder: string) => circles.find((circle) => circle.includes(folder)) ?? [folder]
  const nameOf = (folder: string) => circleOf(folder).join(' ↔ ')
  const below = new Map<string, Set<string>>()
  for (const { from, to } of arrows)
    if (nameOf(from) !== nameOf(to))
      below.set(nameOf(from), (below.get(nameOf(from)) ?? new Set()).add(nameOf(to)))
  const known = new Map<string, string[]>()
  const stackOf = (name: string): string[] => {
    const stacks = [...(below.get(name) ?? [])].map((under) => known.get(under) ?? stackOf(under))
    const highest = stacks.reduce((most, stack) => (stack.length > most.length ? stack : most), [])
    const stack = [...highest, ...name.split(' ↔ ')]
    known.set(name, stack)
    return stack
  }
  return [...below.keys()]
    .map(stackOf)
    .reduce((most, stack) => (stack.length > most.length ? stack : most), [])
}
