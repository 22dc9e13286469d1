import {
  type Assertion,
  type NotRunItem,
  TEST_CASE_BYTES_MAX,
  TEST_CASES_MAX,
  TEST_NAME_MAX,
  VALUE_NAME,
} from '@catenary/contracts'
import { renderTemplate, TemplateTooLongError } from '../template/render.ts'
import { type CaseDraft, type Fields, ImportError, isFields, keep } from './draft.ts'
import { INPUT } from './export-suite.ts'
import { fromTemplate, isFileReference } from './templates.ts'
import { readAssertion } from './to-assertion.ts'

interface TestContext {
  /** The variables of the suite's default test, whose lists combine with a test's own. */
  defaultVars: Fields
  defaultRubricPrompt: unknown
  /** Throws once all cases together have too many characters of values. */
  spend: (characters: number) => void
}

type Read = Omit<CaseDraft, 'values' | 'name'> & {
  name: string | undefined
  vars: Fields
  expandsLists: boolean
}

const REPLACES_GRADING = 'Code changes the answer first, which is not supported here'
const OPTIONS: Record<string, string | null> = {
  provider: 'The judge is chosen when an evaluation starts',
  prefix: 'The prompt is the one here, without a prefix',
  suffix: 'The prompt is the one here, without a suffix',
  rubricPrompt: null,
  disableDefaultAsserts: null,
  disableVarExpansion: null,
}
const CODE_OPTIONS = ['transform', 'postprocess', 'transformVars']
const FIELDS: Record<string, string> = {
  provider: 'Targets are chosen when an evaluation starts',
  providers: 'Targets are chosen when an evaluation starts',
  prompts: 'The prompt is the one here',
  providerOutput: 'The answer comes from the prompt here',
  assertScoringFunction: 'It runs code, which is not supported here',
}

export function readTest(raw: Fields, defaultRubricPrompt?: unknown): Read {
  const { description, vars, assert, threshold, options, metadata, ...rest } = raw
  const notRun: NotRunItem[] = []
  const optionFields = isFields(options) ? options : {}
  notRun.push(...readOptions(optionFields), ...readOthers(rest))
  const byCode =
    CODE_OPTIONS.some((name) => optionFields[name] !== undefined) || rest.assertScoringFunction !== undefined
  const rubricPrompt = optionFields.rubricPrompt ?? defaultRubricPrompt
  const assertions: Assertion[] = []
  if (assert !== undefined && !Array.isArray(assert))
    notRun.push(keep(['assert'], assert, 'It is not a list of assertions'))
  for (const [index, each] of (Array.isArray(assert) ? assert : []).entries()) {
    const path = ['assert', index]
    if (byCode) notRun.push(keep(path, each, REPLACES_GRADING))
    else {
      const read = readAssertion(each, { path, rubricPrompt })
      if (read.assertion !== null) assertions.push(read.assertion)
      notRun.push(...read.notRun)
    }
  }
  if (description !== undefined && typeof description !== 'string')
    notRun.push(keep(['description'], description, 'It is not text'))
  if (options !== undefined && !isFields(options)) notRun.push(keep(['options'], options, NO_MEANING))
  if (vars !== undefined && !isFields(vars))
    notRun.push(keep(['vars'], vars, 'Other files are not supported here'))
  return {
    name: typeof description === 'string' ? description : undefined,
    vars: isFields(vars) ? vars : {},
    ...readMetadata(metadata, notRun),
    assertions,
    threshold: typeof threshold === 'number' && Number.isFinite(threshold) ? threshold : null,
    skipsDefaults: optionFields.disableDefaultAsserts === true,
    expandsLists: optionFields.disableVarExpansion !== true,
    notRun,
  }
}

function readOptions(options: Fields): NotRunItem[] {
  return Object.entries(options).flatMap(([name, value]) => {
    if (name === 'disableDefaultAsserts') return []
    const reason = Object.hasOwn(OPTIONS, name) ? (OPTIONS[name] ?? null) : undefined
    if (CODE_OPTIONS.includes(name)) return [keep(['options', name], value, REPLACES_GRADING)]
    return [keep(['options', name], value, reason === undefined ? NO_MEANING : reason)]
  })
}

const NO_MEANING = 'It has no meaning here'

function readOthers(rest: Fields): NotRunItem[] {
  return Object.entries(rest).map(([name, value]) => {
    const reason = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined
    return keep([name], value, reason ?? NO_MEANING)
  })
}

const TAGS_MAX = 20
const TAG_MAX = 50

/** Tags and input are in the metadata of a test, as promptfoo has no place for them. */
function readMetadata(metadata: unknown, notRun: NotRunItem[]): { tags: string[]; input: string } {
  if (!isFields(metadata)) {
    if (metadata !== undefined) notRun.push(keep(['metadata'], metadata, NO_MEANING))
    return { tags: [], input: '' }
  }
  const { tags, [INPUT]: input, ...rest } = metadata
  for (const [name, value] of Object.entries(rest)) notRun.push(keep(['metadata', name], value, null))
  const texts = [tags].flat().filter((tag) => typeof tag === 'string' || typeof tag === 'number')
  if (tags !== undefined && (texts.length < [tags].flat().length || texts.length > TAGS_MAX))
    notRun.push(keep(['metadata', 'tags'], tags, `Tags must be texts, at most ${TAGS_MAX}`))
  if (input !== undefined && typeof input !== 'string')
    notRun.push(keep(['metadata', INPUT], input, 'It is not text'))
  const usable = texts.map((tag) => String(tag).trim().slice(0, TAG_MAX)).filter((tag) => tag !== '')
  return { tags: [...new Set(usable)].slice(0, TAGS_MAX), input: typeof input === 'string' ? input : '' }
}

/** The cases of a test: one for each combination of what its lists of values have, as promptfoo makes them. */
export function toCases(raw: Fields, { defaultVars, defaultRubricPrompt, spend }: TestContext): CaseDraft[] {
  const { name, vars, expandsLists, ...shared } = readTest(raw, defaultRubricPrompt)
  const lists = Object.fromEntries(Object.entries(defaultVars).filter(([, value]) => isList(value)))
  const combinations = expandsLists ? combine({ ...lists, ...vars }) : [vars]
  return combinations.map((combination, index) => {
    const notRun = [...shared.notRun]
    const values = readValues(combination, { defaults: defaultVars, notRun, spend })
    const title = name?.trim() || firstWords(values)
    const number = combinations.length > 1 && name ? ` (${index + 1})` : ''
    return { ...shared, notRun, values, name: `${title.slice(0, TEST_NAME_MAX - number.length)}${number}` }
  })
}

/** As promptfoo: a list whose first entry is a text stands for each of its entries. */
export function isList(value: unknown): value is unknown[] {
  return Array.isArray(value) && typeof value[0] === 'string'
}

function combine(vars: Fields): Fields[] {
  let combinations: Fields[] = [{}]
  for (const [name, value] of Object.entries(vars)) {
    const values = isList(value) ? value : [value]
    if (combinations.length * values.length > TEST_CASES_MAX) throw tooManyCases()
    combinations = combinations.flatMap((each) => values.map((one) => ({ ...each, [name]: one })))
  }
  return combinations
}

export function tooManyCases(): ImportError {
  return new ImportError(`It makes more than ${TEST_CASES_MAX.toLocaleString('en')} cases`)
}

interface ValueContext {
  defaults: Fields
  notRun: NotRunItem[]
  spend: (characters: number) => void
}

/** Values as texts; what they refer to among each other is filled in. */
export function readValues(vars: Fields, { defaults, notRun, spend }: ValueContext): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const [name, value] of Object.entries(vars)) {
    const reason = whyNoValue(name, value)
    if (reason === undefined) texts[name] = asText(value)
    else notRun.push(keep(['vars', name], value, reason))
  }
  const all = { ...readDefaults(defaults), ...texts }
  const values: Record<string, string> = {}
  for (const [name, text] of Object.entries(texts)) {
    const template = fromTemplate(text)
    if (template === undefined) notRun.push(keep(['vars', name], text, 'Its template is more than a name'))
    else {
      values[name] = template === text ? text : fillIn(template, all)
      spend(values[name].length)
    }
  }
  return values
}

function readDefaults(defaults: Fields): Record<string, string> {
  const usable = Object.entries(defaults).filter(([name, value]) => whyNoValue(name, value) === undefined)
  return Object.fromEntries(usable.map(([name, value]) => [name, asText(value)]))
}

function fillIn(source: string, variables: Record<string, string>): string {
  try {
    return renderTemplate({ source, variables, maxLength: TEST_CASE_BYTES_MAX }).text
  } catch (error) {
    if (error instanceof TemplateTooLongError) throw new ImportError(error.message)
    throw error
  }
}

function whyNoValue(name: string, value: unknown): string | undefined {
  if (!VALUE_NAME.test(name)) return 'Names here can only have letters, digits and underscores'
  if (isFileReference(value) || (isList(value) && value.some(isFileReference)))
    return 'Other files are not supported here'
  return value === null || value === undefined ? 'It has no value' : undefined
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const WORDS_MAX = 60

function firstWords(values: Record<string, string>): string {
  const words = Object.values(values).map((value) => value.trim().replace(/\s+/g, ' ').slice(0, WORDS_MAX))
  return (
    words
      .filter((word) => word !== '')
      .join(' · ')
      .toWellFormed() || 'Case'
  )
}
