import { dirname } from 'node:path'
import ts from 'typescript'
import { unresolvedDecisions } from './decisions.ts'
import { findLongFunctions, type LongFunction } from './long-functions.ts'
import { findBags, findDust, findFloors, findFolderCircles, findKinds, findLooseFiles } from './once.ts'
import { type Arrow, arrowsBetween, circlesOf, readSources, type Source } from './sources.ts'

const SERVER = 'apps/server/src/'
const FEATURE = /^apps\/server\/src\/features\/([^/]+)\//
/** A folder within a feature of either side. */
const ROOM = /^(apps\/(?:server|web)\/src\/features\/[^/]+\/[^/]+)\//
/** The one file of a feature that others import. */
const FACE = /features\/([^/]+)\/\1\.ts$/
const FILES_IN_A_FOLDER = 40
/** Lines of code, templates and markup too. */
const LINES_ON_THE_SERVER = 90
const LINES_ON_THE_WEB = 120
/** A line that begins with a comment, or goes on with one; those of markup too. */
const COMMENT = /^\s*(?:\/\/|\/?\*|\{\/\*)/gm

/** One count of how the code is built, with what it counted. */
export interface Finding {
  what: string
  count: number
  found: readonly string[]
}

export const featureOf = (file: string): string | undefined => FEATURE.exec(file)?.[1]
const roomOf = (file: string): string | undefined => ROOM.exec(file)?.[1]

/** Counts how the production code of a repository is built. */
export function findStructure(root: string): Finding[] {
  const sources = readSources(root)
  const features = arrowsBetween(sources, featureOf)
  const rooms = arrowsBetween(sources, roomOf)
  const imports = importsPastFaces(sources)
  const onServer = (file: string) => file.startsWith(SERVER)
  const functions = findLongFunctions(sources, LINES_ON_THE_SERVER)
  return [
    finding('arrows between features of the server', features.map(inWords)),
    finding('of these, arrows on a circle', onCircles(features).map(inWords)),
    finding(
      'circles of features',
      circlesOf(features).map((circle) => circle.join(' ↔ ')),
    ),
    finding(
      'circles of folders in a feature',
      circlesOf(rooms).map((circle) => circle.join(' ↔ ')),
    ),
    finding('imports from outside of a feature that are not its face', imports.map(inWords)),
    finding('files that these reach', [...new Set(imports.map(({ to }) => to))]),
    finding(`folders with over ${FILES_IN_A_FOLDER} files`, fullFolders(sources)),
    finding(
      `functions over ${LINES_ON_THE_SERVER} lines on the server`,
      functions.filter(({ file }) => onServer(file)).map(inLines),
    ),
    finding(
      `functions over ${LINES_ON_THE_WEB} lines elsewhere`,
      functions.filter(({ file, lines }) => !onServer(file) && lines > LINES_ON_THE_WEB).map(inLines),
    ),
    finding('spreads of literal objects', sources.flatMap(literalSpreads)),
    finding('numbers of decisions that nothing explains', unresolvedDecisions().found),
    finding('bags of dependencies on the server', findBags(sources)),
    finding('files of up to 60 lines with one importer beside them', findDust(sources)),
    finding('kinds of file in features of the server, beside faces and operations', findKinds(sources)),
    finding('circles of folders of the server', findFolderCircles(sources)),
    finding('floors of the server', findFloors(sources)),
    finding('files in no folder of the server', findLooseFiles(sources)),
    { what: 'production files in apps and packages', count: sources.length, found: [] },
    {
      what: 'production lines in apps and packages',
      count: sources.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0),
      found: [],
    },
    {
      what: 'of these, lines of comments',
      count: sources.reduce((sum, { text }) => sum + (text.match(COMMENT) ?? []).length, 0),
      found: [],
    },
  ]
}

const finding = (what: string, found: readonly string[]): Finding => ({ what, count: found.length, found })
const inWords = ({ from, to }: Arrow): string => `${from} → ${to}`
const inLines = ({ file, line, lines }: LongFunction): string => `${file}:${line}: ${lines}`

function onCircles(arrows: readonly Arrow[]): Arrow[] {
  const circles = circlesOf(arrows)
  return arrows.filter(({ from, to }) =>
    circles.some((circle) => circle.includes(from) && circle.includes(to)),
  )
}

function importsPastFaces(sources: readonly Source[]): Arrow[] {
  return sources
    .filter(({ file }) => file.startsWith(SERVER))
    .flatMap(({ file, imports }) =>
      imports
        .filter((to) => featureOf(to) !== undefined && featureOf(to) !== featureOf(file) && !FACE.test(to))
        .map((to) => ({ from: file, to })),
    )
}

function fullFolders(sources: readonly Source[]): string[] {
  const sizes = new Map<string, number>()
  for (const { file } of sources) sizes.set(dirname(file), (sizes.get(dirname(file)) ?? 0) + 1)
  return [...sizes]
    .filter(([, size]) => size > FILES_IN_A_FOLDER)
    .map(([folder, size]) => `${folder}: ${size}`)
}

function literalSpreads({ file, text }: Source): string[] {
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest)
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (
      (ts.isSpreadAssignment(node) || ts.isJsxSpreadAttribute(node)) &&
      ts.isObjectLiteralExpression(node.expression)
    ) {
      const { line } = tree.getLineAndCharacterOfPosition(node.getStart(tree))
      found.push(`${file}:${line + 1}`)
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return found
}
