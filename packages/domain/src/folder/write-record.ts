import { PROMPT_SETTINGS, STEP_SETTINGS } from '@catenary/contracts'
import { stringify } from 'yaml'
import type { CaseDraft } from '../promptfoo/draft.ts'
import {
  type FolderChain,
  type FolderFile,
  type FolderPrompt,
  type FolderRecord,
  type FolderSkill,
  type FolderStep,
  type FolderSuite,
  pathOf,
} from './folder-records.ts'

type Tree = Record<string, unknown>

/** The record as its file: equal records are equal to the letter. */
export function writeRecord(record: FolderRecord): FolderFile {
  return { path: pathOf(record), text: [...writePieces(record)].join('') }
}

/** Piece by piece, as a whole suite takes a second: other callers get their turn in between. */
export function* writePieces(record: FolderRecord): Generator<string> {
  if (record.kind === 'prompt') return yield promptText(record)
  const [name, items] =
    record.kind === 'chain' ? ['steps', record.steps.map(stepTree)] : ['cases', record.cases.map(caseTree)]
  yield toYaml(record.kind === 'chain' ? chainTree(record) : suiteTree(record))
  yield items.length === 0 ? `${name}: []\n` : `${name}:\n`
  for (const item of items) yield toYaml([item])
}

const toYaml = (tree: Tree | readonly Tree[]): string =>
  stringify(tree, { lineWidth: 0, aliasDuplicateObjects: false, blockQuote: 'literal' })

/** Git and editors change these line ends in a text, not in a quoted one. */
const hasOtherLineEnds = (content: string): boolean => content.includes('\r')

/** Each field of a record is written: one that is added to it does not compile before it is. */
function requireAllWritten(_others: Record<string, never>): void {}

function promptText({ kind: _, slug: _path, ...prompt }: FolderPrompt): string {
  const { title, content, category, tags, isActive, skill, settings, ...others } = prompt
  requireAllWritten(others)
  const isQuoted = hasOtherLineEnds(content)
  const front = toYaml({
    catenary: 'prompt',
    title,
    category,
    ...named({ tags: tags.toSorted() }),
    ...(!isActive && { active: false }),
    ...(skill !== null && { skill: skillTree(skill) }),
    ...inOrder(settings, PROMPT_SETTINGS),
    ...(isQuoted && { text: content }),
  })
  return `---\n${front}---\n${isQuoted ? '' : `\n${content}\n`}`
}

function skillTree({ description, parts, ...others }: FolderSkill): Tree {
  requireAllWritten(others)
  return {
    description,
    ...named({
      parts: parts.map(({ path, prompt, variable }) => ({ path, ...named({ prompt, variable }) })),
    }),
  }
}

function chainTree({ kind: _, slug: _path, steps: _steps, ...chain }: FolderChain): Tree {
  const {
    name,
    description,
    tags,
    stopsWithoutValue,
    stopsWhenCut,
    runsVisibleTo,
    exampleRequests,
    asksFirst,
    ...others
  } = chain
  requireAllWritten(others)
  return {
    catenary: 'chain',
    name,
    ...named({ description, tags: tags.toSorted() }),
    ...(stopsWithoutValue !== 'unwatched' && { stopsWithoutValue }),
    ...(stopsWhenCut !== 'unwatched' && { stopsWhenCut }),
    ...(runsVisibleTo !== 'editors' && { runsVisibleTo }),
    ...(asksFirst && { asksFirst }),
    ...named({ exampleRequests }),
  }
}

function stepTree({ outputVariableName, settings, content, systemPrompt, ...step }: FolderStep): Tree {
  const { title, prompt, label, version, model, fallbackModel, temperature, maxTokens, ...others } = step
  requireAllWritten(others)
  return {
    outputName: outputVariableName,
    ...named({ title, prompt, label, version }),
    ...named({ model, fallbackModel, temperature, maxTokens }),
    ...inOrder(settings, STEP_SETTINGS),
    // An empty text is not none.
    ...(systemPrompt !== null && { systemPrompt }),
    content,
  }
}

function suiteTree({ kind: _, file: _path, cases: _cases, ...suite }: FolderSuite): Tree {
  const { of, name, defaults, imported, ...others } = suite
  const { values, assertions, threshold, notRun, ...otherDefaults } = defaults
  requireAllWritten({ ...others, ...otherDefaults })
  const fallback = named({ values, assertions, threshold, notRun })
  return {
    catenary: 'suite',
    name,
    [of.kind]: of.slug,
    ...named({ defaults: inKeptOrder(fallback), imported: inKeptOrder(imported) }),
  }
}

function caseTree({
  name,
  input,
  values,
  tags,
  assertions,
  threshold,
  skipsDefaults,
  given,
  notRun,
  ...others
}: CaseDraft): Tree {
  requireAllWritten(others)
  return {
    name,
    ...named({ input, values: inKeptOrder(values), tags, assertions: inKeptOrder(assertions), threshold }),
    ...(skipsDefaults && { skipsDefaults }),
    ...(given && named({ given: inKeptOrder(given) })),
    ...named({ notRun: inKeptOrder(notRun) }),
  }
}

/** As a database keeps the fields of such values, whoever wrote them: the shorter names first. */
function inKeptOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inKeptOrder)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => a.length - b.length || (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([name, each]) => [name, inKeptOrder(each)]))
}

function named(fields: Tree): Tree {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isNothing(value)))
}

function isNothing(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

function inOrder(fields: Tree, names: readonly string[]): Tree {
  return named(Object.fromEntries(names.map((name) => [name, fields[name]])))
}
