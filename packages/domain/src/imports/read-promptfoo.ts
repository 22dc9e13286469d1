import { type PromptSettings, TEST_CASE_BYTES_MAX, TEST_SUITE_BYTES_MAX } from '@catenary/contracts'
import { type Fields, ImportError, isFields } from '../promptfoo/draft.ts'
import { importPromptfooValue, type SuiteDraft } from '../promptfoo/index.ts'
import {
  baseName,
  type ForeignPrompt,
  isEmpty,
  listOf,
  NO_TEXT,
  pickText,
  type Report,
  type SourceFile,
  textOf,
  titleFromText,
  toTitle,
  within,
} from './draft.ts'
import { readConfig, readProvider } from './promptfoo-providers.ts'
import { convertReferences } from './references.ts'
import { reportOthers } from './settings.ts'
import { createNames, textsIn } from './texts/names.ts'
import { SYNTAXES } from './texts/syntaxes.ts'
import { type Conversation, toConversation } from './turns.ts'

/*
 * promptfoo's configuration: `prompts` are texts, chats as JSON, files or {raw, label, config}; `providers` are
 * `vendor:kind:model`, {id, config} or {[id]: {config}}; the tests become a suite of each prompt, by ADR 023.
 */
const PARTS = ['prompts', 'providers', 'targets']
const OTHER_FILE = /^(file|exec|python|https?):|\.(txt|md|json|ya?ml|js|cjs|mjs|ts|py|j2|csv)$/

export function findPromptfoo(root: unknown): Fields | undefined {
  if (Array.isArray(root)) return root.length > 0 && root.every(isTest) ? { tests: root } : undefined
  if (!isFields(root)) return undefined
  const hasTests = ['tests', 'defaultTest', 'scenarios'].some((name) => name in root)
  const hasPrompts = 'prompts' in root && ('providers' in root || 'targets' in root)
  return hasTests || hasPrompts ? root : undefined
}

const isTest = (value: unknown): boolean =>
  isFields(value) && ('vars' in value || Array.isArray(value.assert))

export function readPromptfoo(
  root: Fields,
  { file, report }: { file: SourceFile; report: Report },
): ForeignPrompt[] {
  const suite = readSuite(root, report)
  const settings = readProvider(root, report)
  const given = typeof root.prompts === 'string' ? [root.prompts] : listOf(root.prompts)
  if (!isEmpty(root.prompts) && given.length === 0)
    report.lose('prompts', 'It is not a list of prompts, so it is kept as a note', root.prompts)
  const description = pickText(root, ['description'], { at: '', report })
  if (description !== undefined && given.length !== 1 && suite === undefined)
    report.lose('description', 'It belongs to several prompts, so it is kept as a note', description)
  const prompts = given.flatMap((prompt, index): ForeignPrompt[] => {
    const at = typeof root.prompts === 'string' ? 'prompts' : `prompts[${index}]`
    const read = readPrompt(prompt, { at, report })
    if (read === undefined) return []
    const { content, systemPrompt, messages } = read.conversation
    const title = read.label ?? (given.length === 1 ? description : undefined)
    return [
      {
        at,
        title: title ?? titleFromText(content),
        content,
        settings: {
          ...settings,
          ...read.settings,
          ...(systemPrompt && { systemPrompt }),
          ...(messages.length > 0 && { messages }),
        },
        tags: [],
        note: `From promptfoo, ${baseName(file.name)}`,
        ...(suite && { suite }),
      },
    ]
  })
  if (prompts.length === 0 && suite !== undefined) {
    const { length } = suite.cases
    const what = length === 1 ? '1 test has' : `${length.toLocaleString('en')} tests have`
    report.lose(
      'tests',
      `${what} no prompt in the file. Import them on the Tests page of a prompt`,
      root.tests,
    )
  }
  return prompts
}

function readSuite(root: Fields, report: Report): SuiteDraft | undefined {
  const parts = Object.fromEntries(Object.entries(root).filter(([name]) => !PARTS.includes(name)))
  const suite = importPromptfooValue({ tests: [], ...parts })
  const bytes = suite.cases.map((each) => JSON.stringify(each).length)
  const large = bytes.findIndex((each) => each > TEST_CASE_BYTES_MAX / 2)
  if (large !== -1)
    throw new ImportError(`tests[${large}]: a case can be at most ${TEST_CASE_BYTES_MAX / 2000} kB`)
  if (bytes.reduce((sum, each) => sum + each, 0) > TEST_SUITE_BYTES_MAX / 10) {
    throw new ImportError(`Its tests are larger than ${TEST_SUITE_BYTES_MAX / 10_000_000} MB`)
  }
  const { imported, defaults, cases } = suite
  const isKept = cases.length > 0
  for (const { path, reason, value } of imported) {
    // What has no meaning here is kept with the tests; without them it is not.
    if (reason !== null || !isKept) report.lose(path.join('.'), reason ?? 'It is kept as a note', value)
  }
  for (const { path, reason, value } of defaults.notRun) {
    if (reason !== null || !isKept)
      report.lose(`defaultTest.${path.join('.')}`, reason ?? 'It is kept as a note', value)
  }
  const { notRun: _, ...others } = defaults
  if (!isKept && Object.values(others).some((value) => !isEmpty(value)))
    report.lose(
      'defaultTest',
      'There is no test here that it could belong to, so it is kept as a note',
      root.defaultTest,
    )
  for (const { name, notRun } of cases) {
    for (const { path, reason, value } of notRun) {
      if (reason !== null) report.lose(`${toTitle(name).slice(0, 80)}: ${path.join('.')}`, reason, value)
    }
  }
  return isKept ? suite : undefined
}

interface ReadPrompt {
  conversation: Conversation
  label: string | undefined
  settings: PromptSettings
}

function readPrompt(prompt: unknown, { at, report }: { at: string; report: Report }): ReadPrompt | undefined {
  const fields = isFields(prompt) ? prompt : {}
  const text = textOf(isFields(prompt) ? (prompt.raw ?? prompt.id) : prompt)
  if (text === undefined) {
    report.lose(at, NO_TEXT, prompt)
    return undefined
  }
  if (OTHER_FILE.test(text.trim()) && !text.includes('\n')) {
    report.lose(at, `${toTitle(text).slice(0, 100)} is another file: its text is not in this one`, prompt)
    return undefined
  }
  const conversation = conversationOf(text, { at: isFields(prompt) ? within(at, 'raw') : at, report })
  if (conversation === undefined) {
    report.lose(at, NO_TEXT, prompt)
    return undefined
  }
  const { raw: _, label, config, ...others } = fields
  const { id, ...beside } = others
  reportOthers(fields.raw === undefined ? beside : { ...beside, id }, { at, report, known: [] })
  if (!isEmpty(label) && textOf(label) === undefined)
    report.lose(within(at, 'label'), 'It is not text, so it is kept as a note', label)
  return {
    conversation,
    label: textOf(label),
    settings: readConfig(config, { at: within(at, 'config'), report }),
  }
}

function conversationOf(
  text: string,
  { at, report }: { at: string; report: Report },
): Conversation | undefined {
  const chat = chatOf(text)
  const reading = { at, report, names: createNames(textsIn(chat ?? text)), syntax: SYNTAXES.promptfoo }
  if (chat !== undefined) return toConversation(chat, reading)
  return { systemPrompt: undefined, messages: [], content: convertReferences(text, reading) }
}

function chatOf(text: string): unknown[] | undefined {
  if (!text.trimStart().startsWith('[')) return undefined
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) && list.every((each) => isFields(each) && 'role' in each) ? list : undefined
  } catch {
    return undefined
  }
}
