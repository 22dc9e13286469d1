import { IMPORT_ITEMS_MAX, type ImportFormat } from '@catenary/contracts'
import type { FolderRecord } from '../folder/folder-records.ts'
import { isFolderFile, readRecord } from '../folder/read-record.ts'
import { ImportError, isFields } from '../promptfoo/draft.ts'
import { readFile } from '../promptfoo/read-file.ts'
import { readHead } from '../promptfoo/read-table.ts'
import { LOSSES_MAX } from './bounds.ts'
import { createReport, type ForeignPrompt, type ReadFile, type Report, type SourceFile } from './draft.ts'
import { findOpenAi } from './openai-entries.ts'
import { findLangfuse, readLangfuse } from './read-langfuse.ts'
import { isMarkdown, readMarkdown } from './read-markdown.ts'
import { findOpenWebUi, readOpenWebUi } from './read-open-webui.ts'
import { readOpenAi, reportCode } from './read-openai.ts'
import { findPromptfoo, readPromptfoo } from './read-promptfoo.ts'
import { isPromptsChat, readPromptsChat } from './read-prompts-chat.ts'
import { createCleaner, tidy, toLimits } from './tidy.ts'

const NOT_KNOWN =
  'Its format is not supported: choose a Catenary folder, OpenAI’s prompts, Langfuse, Markdown with front matter, Open WebUI, prompts.chat or promptfoo'

export function readFiles(files: readonly SourceFile[]): ReadFile[] {
  const read = files.map(readOne)
  const items = read.reduce((sum, { prompts, records }) => sum + prompts.length + records.length, 0)
  if (items > IMPORT_ITEMS_MAX) {
    const noun = read.some(({ records }) => records.length > 0) ? 'records' : 'prompts'
    throw new ImportError(
      `There are ${items.toLocaleString('en')} ${noun}. Import at most ${IMPORT_ITEMS_MAX.toLocaleString('en')} at once`,
    )
  }
  if (read.reduce((sum, file) => sum + file.losses.length, 0) > LOSSES_MAX) {
    throw new ImportError(
      `More than ${LOSSES_MAX.toLocaleString('en')} things would not be imported. Import fewer files at once`,
    )
  }
  return read
}

function readOne(file: SourceFile): ReadFile {
  const report = createReport()
  const { clean, replaced } = createCleaner()
  const text = clean(file.text)
  const found: { format: ImportFormat | null } = { format: null }
  try {
    if (isFolderFile(text)) {
      found.format = 'catenary'
      return { ...ownFile(file.name, readRecord({ ...file, text }, clean)), losses: report.losses }
    }
    const read = readAs({ ...file, text }, { report, clean, found })
    if (found.format === null) return unread(null, NOT_KNOWN)
    if (replaced() > 0) report.lose('', 'Characters that can’t be stored were replaced')
    const prompts = read.flatMap((prompt) => toLimits(prompt, report) ?? [])
    return { format: found.format, records: [], prompts, losses: report.end(), problem: null }
  } catch (error) {
    if (error instanceof ImportError) return unread(found.format, error.message)
    throw error
  }
}

function unread(format: ImportFormat | null, problem: string): ReadFile {
  const reason = `Nothing is imported from this file. ${problem}`
  return { format, prompts: [], records: [], losses: [{ at: '', reason }], problem }
}

function ownFile(name: string, record: FolderRecord): Omit<ReadFile, 'losses'> {
  const file = { format: 'catenary', problem: null } as const
  if (record.kind !== 'prompt') return { ...file, prompts: [], records: [record] }
  const { kind: _, slug, ...prompt } = record
  const note = `From ${name.slice(-150).toWellFormed()}`
  const own = { at: '', note, ...prompt, isOfFolder: true as const, ...(slug && { slug }) }
  return { ...file, prompts: [own], records: [] }
}

interface Reading {
  report: Report
  clean: (text: string) => string
  found: { format: ImportFormat | null }
}

function readAs(file: SourceFile, reading: Reading): ForeignPrompt[] {
  const { report, clean, found } = reading
  const { name, text } = file
  if (isMarkdown(file)) {
    found.format = 'markdown'
    return readMarkdown(file, { report, clean })
  }
  const columns = readHead(text)
  if (isPromptsChat(columns)) {
    found.format = 'prompts-chat'
    return readPromptsChat(text, report)
  }
  const start = text.replace(/^\ufeff/, '').trimStart()[0]
  if (start === '{' || start === '[') {
    const root = parseJson(text)
    if (root !== undefined) return readTree(tidy(root.value, clean), { ...reading, file })
  }
  if (columns.some((column) => column.startsWith('__expected'))) {
    found.format = 'promptfoo'
    report.lose('', 'It is a table of tests. Import it on the Tests page of a prompt', text)
    return []
  }
  if (/\.ya?ml$/i.test(name) || /^(prompts|providers|targets|tests):/m.test(text)) {
    return readTree(tidy(readFile(text), clean), { ...reading, file })
  }
  if (start === '{' || start === '[') throw jsonError(text)
  if (reportCode(text, report)) found.format = 'openai'
  return []
}

function readTree(root: unknown, { report, found, file }: Reading & { file: SourceFile }): ForeignPrompt[] {
  const openWebUi = findOpenWebUi(root)
  if (openWebUi !== undefined) {
    found.format = 'open-webui'
    return readOpenWebUi(openWebUi, report)
  }
  const langfuse = findLangfuse(root)
  if (langfuse !== undefined) {
    found.format = 'langfuse'
    return readLangfuse(langfuse, report)
  }
  const promptfoo = findPromptfoo(root)
  if (promptfoo !== undefined) {
    found.format = 'promptfoo'
    return readPromptfoo(promptfoo, { file, report })
  }
  const openAi = findOpenAi(root)
  if (openAi === undefined) return []
  found.format = 'openai'
  return readOpenAi(openAi, { fileName: file.name, report })
}

function parseJson(text: string): { value: unknown } | undefined {
  const plain = text.replace(/^\ufeff/, '')
  try {
    return { value: JSON.parse(plain) }
  } catch {
    const lines = plain.split('\n').filter((line) => line.trim() !== '')
    if (lines.length < 2) return undefined
    try {
      return { value: lines.map((line) => JSON.parse(line)) }
    } catch {
      return undefined
    }
  }
}

function jsonError(text: string): ImportError {
  const lines = text.replace(/^\ufeff/, '').split('\n')
  const isEachItsOwn = isJson(lines[0] ?? '')
  if (isEachItsOwn) {
    const line = lines.findIndex((each) => each.trim() !== '' && !isJson(each))
    return new ImportError(`Line ${line + 1} is not JSON`)
  }
  try {
    JSON.parse(text)
    return new ImportError('It is not JSON')
  } catch (error) {
    const { message } = error as Error
    const position = /position (\d+)/.exec(message)?.[1]
    const line = position === undefined ? lines.length : text.slice(0, Number(position)).split('\n').length
    return new ImportError(`Line ${line}: it is not readable JSON`)
  }
}

function isJson(text: string): boolean {
  try {
    return isFields(JSON.parse(text))
  } catch {
    return false
  }
}
