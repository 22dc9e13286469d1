import { TEST_CASES_MAX, TEST_NAME_MAX } from '@catenary/contracts'
import { readCsvTests } from './csv-tests.ts'
import { type Fields, ImportError, isFields, keep, type SuiteDraft } from './draft.ts'
import { readFile } from './read-file.ts'
import { isList, readTest, readValues, toCases, tooManyCases } from './to-cases.ts'

const NO_MEANING = 'It has no meaning here'
/** Why a part of a configuration besides its tests does nothing here; null: it holds nothing that could run. */
const PARTS: Record<string, string | null> = {
  $schema: null,
  assertionTemplates: null,
  tags: null,
  metadata: null,
  prompts: 'The prompt is the one here',
  providers: 'Targets are chosen when an evaluation starts',
  targets: 'Targets are chosen when an evaluation starts',
  scenarios: 'Scenarios are not supported here',
  derivedMetrics: 'Derived metrics are not supported here',
  redteam: 'Red teaming is not supported here',
  extensions: 'They run code, which is not supported here',
  nunjucksFilters: 'They run code, which is not supported here',
}
const OTHER_FILES = 'Cases in other files are not supported here'

/** promptfoo's configuration, or a list of its tests. Throws `ImportError`. */
export function importPromptfoo(text: string): SuiteDraft {
  return importPromptfooValue(readFile(text))
}

export function importPromptfooValue(file: unknown): SuiteDraft {
  const config: unknown = Array.isArray(file) ? { tests: file } : file
  if (!isFields(config)) throw new ImportError('It is not a promptfoo configuration')
  const { tests, description, defaultTest, ...parts } = config
  if (tests === undefined && defaultTest === undefined && !('prompts' in parts) && !('scenarios' in parts)) {
    throw new ImportError('It is not a promptfoo configuration: it has no tests')
  }
  const imported = Object.entries(parts).map(([name, value]) =>
    keep([name], value, Object.hasOwn(PARTS, name) ? (PARTS[name] ?? null) : NO_MEANING),
  )
  const fallback = isFields(defaultTest) ? defaultTest : {}
  if (typeof defaultTest === 'string')
    imported.push(keep(['defaultTest'], defaultTest, 'Other files are not supported here'))
  const spend = createBudget()
  const { defaults, context } = readDefaultTest(fallback, spend)
  const list = Array.isArray(tests) ? tests : []
  if (tests !== undefined && !Array.isArray(tests)) imported.push(keep(['tests'], tests, OTHER_FILES))
  const cases = list.flatMap((test, index) => {
    if (isFields(test) && !('path' in test && 'config' in test)) return toCases(test, context)
    imported.push(keep(['tests', index], test, OTHER_FILES))
    return []
  })
  return { name: nameOf(description), defaults, cases: bounded(cases), imported }
}

/** A table: a column a value, and promptfoo's own `__expected`, `__description` and so on. Throws `ImportError`. */
export function importCsv(text: string): SuiteDraft {
  const context = { defaultVars: {}, defaultRubricPrompt: undefined, spend: createBudget() }
  const cases = readCsvTests(text).flatMap((test) => toCases(test, context))
  const defaults = { values: {}, assertions: [], threshold: null, notRun: [] }
  return { name: nameOf(undefined), defaults, cases: bounded(cases), imported: [] }
}

function readDefaultTest(raw: Fields, spend: (characters: number) => void) {
  const { vars, assertions, threshold, notRun } = readTest(raw)
  // What is a list makes combinations with each test.
  const single = Object.fromEntries(Object.entries(vars).filter(([, value]) => !isList(value)))
  const values = readValues(single, { defaults: single, notRun, spend })
  const options = isFields(raw.options) ? raw.options : {}
  return {
    defaults: { values, assertions, threshold, notRun },
    context: { defaultVars: vars, defaultRubricPrompt: options.rubricPrompt, spend },
  }
}

/** Combinations can make a small file a very large suite. */
const VALUES_MAX = 20_000_000

function createBudget() {
  let characters = 0
  return (more: number): void => {
    characters += more
    if (characters > VALUES_MAX)
      throw new ImportError('With its values combined and filled in, it is too large')
  }
}

function bounded<Case>(cases: Case[]): Case[] {
  if (cases.length > TEST_CASES_MAX) throw tooManyCases()
  return cases
}

function nameOf(description: unknown): string {
  const name = typeof description === 'string' ? description.trim().replace(/\s+/g, ' ') : ''
  return name.slice(0, TEST_NAME_MAX).toWellFormed() || 'Imported tests'
}
