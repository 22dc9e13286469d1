import { TEST_CASE_BYTES_MAX, TEST_SUITE_BYTES_MAX } from '@catenary/contracts'
import { type Fields, ImportError, isFields } from '../promptfoo/draft.ts'
import { importPromptfooValue, type SuiteDraft } from '../promptfoo/index.ts'
import {
  baseName,
  type ForeignPrompt,
  isEmpty,
  listOf,
  type Report,
  type SourceFile,
  textOf,
  titleFromText,
  toTitle,
  within,
} from './draft.ts'
import { convertReferences } from './references.ts'
import { readSettings, reportOthers, SETTING_NAMES } from './settings.ts'
import { toConversation } from './turns.ts'

/*
 * promptfoo's configuration: `prompts` are texts, chats as JSON, files or {raw, label}; `providers` are
 * `vendor:kind:model` or {id, config}; the tests become a suite of each prompt, by ADR 023.
 */
const PARTS = ['prompts', 'providers', 'targets']

/** The configuration; undefined for what is none. */
export function findPromptfoo(root: unknown): Fields | undefined {
  if (!isFields(root)) return undefined
  const hasTests = ['tests', 'defaultTest', 'scenarios'].some((name) => name in root)
  const hasPrompts = 'prompts' in root && ('providers' in root || 'targets' in root)
  return hasTests || hasPrompts ? root : undefined
}

export function readPromptfoo(
  root: Fields,
  { file, report }: { file: SourceFile; report: Report },
): ForeignPrompt[] {
  const suite = readSuite(root, report)
  const settings = readProvider(root, report)
  const given = typeof root.prompts === 'string' ? [root.prompts] : listOf(root.prompts)
  const prompts = given.flatMap((prompt, index) => {
    const at = typeof root.prompts === 'string' ? 'prompts' : `prompts[${index}]`
    const read = readPrompt(prompt, { at, report })
    if (read === undefined) return []
    const { content, systemPrompt, messages } = read.conversation
    const title = read.label ?? (given.length === 1 ? textOf(root.description) : undefined)
    return [
      {
        at,
        title: toTitle(title ?? titleFromText(content)),
        content,
        settings: {
          ...settings,
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
    report.lose(
      'tests',
      `${suite.cases.length} tests have no prompt in the file: import them at a prompt’s own tests`,
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
    throw new ImportError(`tests[${large}]: a case takes at most ${TEST_CASE_BYTES_MAX / 2000} kB`)
  if (bytes.reduce((sum, each) => sum + each, 0) > TEST_SUITE_BYTES_MAX / 10) {
    throw new ImportError(`Its tests take more than ${TEST_SUITE_BYTES_MAX / 10_000_000} MB`)
  }
  const { imported, defaults, cases } = suite
  for (const { path, reason, value } of imported)
    if (reason !== null) report.lose(path.join('.'), reason, value)
  for (const { path, reason, value } of defaults.notRun) {
    if (reason !== null) report.lose(`defaultTest.${path.join('.')}`, reason, value)
  }
  for (const { name, notRun } of cases) {
    for (const { path, reason, value } of notRun) {
      if (reason !== null) report.lose(`${toTitle(name).slice(0, 80)}: ${path.join('.')}`, reason, value)
    }
  }
  return cases.length > 0 ? suite : undefined
}

function readProvider(root: Fields, report: Report) {
  const name = 'providers' in root ? 'providers' : 'targets'
  const given = root[name]
  const list = Array.isArray(given) ? given : isEmpty(given) ? [] : [given]
  const [first, ...others] = list
  if (others.length > 0) {
    report.lose(
      name,
      'The first provider is the prompt’s model; the others are chosen when an evaluation starts',
      others,
    )
  }
  if (first === undefined) return {}
  const at = Array.isArray(given) ? `${name}[0]` : name
  if (typeof first === 'string') return { model: modelOf(first) }
  if (!isFields(first)) {
    report.lose(at, 'It is kept as a note', first)
    return {}
  }
  const id = textOf(first.id) ?? Object.keys(first)[0]
  const config = isFields(first.config) ? first.config : {}
  const { apiKey: _, apiBaseUrl: _url, headers: _headers, ...asked } = config
  reportOthers(asked, { at: within(at, 'config'), report, known: SETTING_NAMES })
  return {
    ...readSettings(asked, { at: within(at, 'config'), report }),
    ...(id !== undefined && { model: modelOf(id) }),
  }
}

/** `openai:chat:gpt-4o` is gpt-4o. */
function modelOf(id: string): string {
  return id.split(':').at(-1) || id
}

function readPrompt(prompt: unknown, { at, report }: { at: string; report: Report }) {
  const raw = isFields(prompt) ? (prompt.raw ?? prompt.id) : prompt
  const label = isFields(prompt) ? textOf(prompt.label) : undefined
  const text = textOf(raw)
  if (text === undefined) {
    report.lose(at, 'It has no text of a prompt', prompt)
    return undefined
  }
  if (
    /^(file|exec|python|https?):|\.(txt|md|json|ya?ml|js|cjs|mjs|ts|py|j2|csv)$/.test(text.trim()) &&
    !text.includes('\n')
  ) {
    report.lose(at, `${toTitle(text).slice(0, 100)} is another file: its text is not in this one`, prompt)
    return undefined
  }
  const chat = chatOf(text)
  const conversation =
    chat === undefined
      ? { systemPrompt: undefined, messages: [], content: convertReferences(text, { at, report }) }
      : toConversation(chat, { at, report })
  if (conversation === undefined) {
    report.lose(at, 'It has no text of a prompt', prompt)
    return undefined
  }
  return { conversation, label }
}

/** A chat is written as JSON within the text. */
function chatOf(text: string): unknown[] | undefined {
  if (!text.trimStart().startsWith('[')) return undefined
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) && list.every((each) => isFields(each) && 'role' in each) ? list : undefined
  } catch {
    return undefined
  }
}
