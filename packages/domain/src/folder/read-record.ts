import {
  type ChainFileStep,
  FOLDER_FILES,
  PROMPT_SETTINGS,
  type PromptSettings,
  STEP_SETTINGS,
  type StepSettings,
  slug,
} from '@catenary/contracts'
import { checkSchema } from '../answer-schema/index.ts'
import { createCleaner, tidy } from '../imports/tidy.ts'
import { ImportError, isFields } from '../promptfoo/draft.ts'
import { readPlainYaml } from '../promptfoo/read-file.ts'
import type {
  FolderChain,
  FolderPrompt,
  FolderRecord,
  FolderSkill,
  FolderStep,
  FolderSuite,
} from './folder-records.ts'

const FRONT = /^\ufeff?---[ \t]*\n([\s\S]*?)\n---[ \t]*(?:\n|$)/
const MARK = /^catenary:[ \t]*["']?(prompt|chain|suite)["']?[ \t]*$/m
const HEAD_LENGTH = 2_000

export function isFolderFile(text: string): boolean {
  return MARK.test(text.slice(0, HEAD_LENGTH).replaceAll('\r\n', '\n'))
}

/** The record of a file; its slug is the file's name. Throws `ImportError` with the place. */
export function readRecord(
  { name, text }: { name: string; text: string },
  clean = createCleaner().clean,
): FolderRecord {
  const plain = clean(text.replaceAll('\r\n', '\n'))
  const front = FRONT.exec(plain)
  // The last line end is the front matter's, too: a text at its end may have several.
  const tree = tidy(readPlainYaml(front === null ? plain : `${front[1]}\n`), clean)
  if (!isFields(tree)) throw new ImportError('It has no names')
  const { catenary: kind, ...fields } = tree
  if (kind === 'prompt') return toPrompt({ name, fields, body: front ? bodyOf(plain, front[0]) : '' })
  if (kind === 'chain') return toChain(name, fields)
  if (kind === 'suite') return toSuite(name, fields)
  throw new ImportError('catenary: it must be prompt, chain or suite')
}

/** A line before and after the text are the file's. */
function bodyOf(text: string, front: string): string {
  return text.slice(front.length).replace(/^\n/, '').replace(/\n$/, '')
}

type Tree = Readonly<Record<string, unknown>>

function toPrompt({ name, fields, body }: { name: string; fields: Tree; body: string }): FolderPrompt {
  const { title, category, tags, active, skill, text, ...settings } = parse(FOLDER_FILES.prompt, fields)
  return {
    kind: 'prompt',
    slug: slugOf(name),
    title,
    content: parse(FOLDER_FILES.promptText, { text: text ?? body }).text,
    category,
    tags,
    isActive: active,
    skill: skill && toSkill(skill),
    settings: settingsOf<PromptSettings>(settings, PROMPT_SETTINGS),
  }
}

function toSkill({ description, parts }: FolderSkill): FolderSkill {
  const paths = parts.map(({ path }) => path.toLowerCase())
  const twice = paths.findIndex((each, index) => paths.indexOf(each) !== index)
  if (twice !== -1) throw new ImportError(`skill.parts[${twice}].path: Another part has the same path`)
  return { description, parts: parts.toSorted((a, b) => (a.path < b.path ? -1 : 1)) }
}

function toChain(name: string, fields: Tree): FolderChain {
  const { steps, ...chain } = parse(FOLDER_FILES.chain, fields)
  const names = steps.map(({ outputName }) => outputName.toLowerCase())
  const twice = names.findIndex((each, index) => each !== '' && names.indexOf(each) !== index)
  if (twice !== -1) throw new ImportError(`steps[${twice}].outputName: Another step has the same output name`)
  return { kind: 'chain', slug: slugOf(name), ...chain, steps: steps.map(toStep) }
}

function toStep({ outputName, ...step }: ChainFileStep): FolderStep {
  const {
    kind,
    onlyIf,
    default: value,
    ifItFails,
    forEach,
    moreFallbackModels,
    effort,
    stop,
    output,
    messages,
    ask,
    tool,
    ...fields
  } = step
  // What is the rule is not said.
  const flow = {
    kind: kind === 'prompt' ? undefined : kind,
    onlyIf,
    default: value,
    ifItFails: ifItFails === 'stop' ? undefined : ifItFails,
    // Who answers is asked for: names are another installation's, or another person's choice.
    ask: ask && { ...ask, people: [], groups: [] },
    tool,
    forEach,
  }
  const settings = { ...flow, moreFallbackModels, effort, stop, output, messages }
  return {
    outputVariableName: outputName,
    ...fields,
    settings: settingsOf<StepSettings>(settings, STEP_SETTINGS),
  }
}

function toSuite(name: string, fields: Tree): FolderSuite {
  const { prompt, chain, ...suite } = parse(FOLDER_FILES.suite, fields)
  if ((prompt === undefined) === (chain === undefined)) {
    throw new ImportError('It must name a prompt or a chain by its file name')
  }
  const of =
    prompt === undefined
      ? { kind: 'chain' as const, slug: chain ?? '' }
      : { kind: 'prompt' as const, slug: prompt }
  return { kind: 'suite', of, file: baseName(name), ...suite }
}

function settingsOf<Settings extends object>(
  values: { [Name in keyof Settings]?: unknown },
  names: readonly (keyof Settings & string)[],
): Settings {
  const set = names.map((name) => [name, values[name]] as const).filter(([, value]) => isSet(value))
  for (const [name, value] of set) if (name === 'output') requireSchema(value)
  return Object.fromEntries(set) as Settings
}

/** Another would be refused by a vendor (ADR 035). */
function requireSchema(output: unknown): void {
  if (!isFields(output) || !isFields(output.schema)) return
  const [problem] = checkSchema(output.schema).problems
  if (problem === undefined) return
  const place = problem.path === '' ? 'output.schema' : `output.schema.${problem.path}`
  throw new ImportError(`${place}: ${problem.message}`)
}

function isSet(value: unknown): boolean {
  if (isFields(value) && value.type === 'text') return false
  if (Array.isArray(value)) return value.length > 0
  return value !== undefined && value !== null && value !== ''
}

/** The file's own name; empty where that is no slug, as of a pasted text or a second download. */
function slugOf(name: string): string {
  return slug.safeParse(baseName(name)).data ?? ''
}

function baseName(name: string): string {
  const file = name.split(/[/\\]/).at(-1) ?? name
  return file.replace(/\.(md|ya?ml)$/i, '')
}

interface FileSchema<Output> {
  safeParse(
    value: unknown,
  ):
    | { success: true; data: Output }
    | { success: false; error: { issues: { path: PropertyKey[]; message: string }[] } }
}

function parse<Output>(schema: FileSchema<Output>, value: unknown): Output {
  const read = schema.safeParse(value)
  if (read.success) return read.data
  const [issue] = read.error.issues
  const place = (issue?.path ?? []).reduce<string>((at, key) => {
    if (typeof key === 'number') return `${at}[${key}]`
    return at === '' ? String(key).slice(0, 80) : `${at}.${String(key).slice(0, 80)}`
  }, '')
  const message = issue?.message.slice(0, 200) ?? 'It is not valid'
  throw new ImportError(place === '' ? message : `${place}: ${message}`)
}
