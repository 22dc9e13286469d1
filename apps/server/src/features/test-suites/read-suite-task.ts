import {
  flattenAssertions,
  type ImportReport,
  type NotRunItem,
  TEST_CASE_BYTES_MAX,
  TEST_SUITE_BYTES_MAX,
} from '@catenary/contracts'
import {
  type CaseDraft,
  ImportError,
  importCsv,
  importPromptfoo,
  type SuiteDraft,
} from '@catenary/domain/promptfoo'
import { bytesOf } from './case-size.ts'

const LINES_MAX = 200

interface SuiteFile {
  format: 'promptfoo' | 'csv'
  text: string
  name: string | undefined
  isWanted: boolean
}

type ReadSuite = { report: Omit<ImportReport, 'suite'>; draft: SuiteDraft | undefined } | { problem: string }

export default function work({ isWanted, ...file }: SuiteFile): ReadSuite {
  try {
    const draft = readDraft(file)
    return { report: toReport(draft), draft: isWanted ? draft : undefined }
  } catch (error) {
    if (error instanceof ImportError) return { problem: error.message }
    throw error
  }
}

function readDraft({ format, text, name }: Omit<SuiteFile, 'isWanted'>): SuiteDraft {
  const draft = format === 'csv' ? importCsv(text) : importPromptfoo(text)
  const bytes = draft.cases.map(bytesOf)
  if (bytes.reduce((sum, each) => sum + each, 0) > TEST_SUITE_BYTES_MAX) {
    throw new ImportError(`Its cases are larger than ${TEST_SUITE_BYTES_MAX / 1_000_000} MB`)
  }
  const large = draft.cases.find((_, index) => (bytes[index] ?? 0) > TEST_CASE_BYTES_MAX)
  if (large) throw new ImportError(`“${large.name}”: a case can be at most ${TEST_CASE_BYTES_MAX / 1000} kB`)
  return { ...draft, name: name ?? draft.name }
}

function toReport({ name, defaults, cases, imported }: SuiteDraft): Omit<ImportReport, 'suite'> {
  const lines = [
    ...linesOf('', imported),
    ...linesOf('defaultTest', defaults.notRun),
    ...cases.flatMap(linesOfCase),
  ]
  const all = [defaults, ...cases].flatMap(({ assertions }) => flattenAssertions(assertions))
  return {
    name,
    caseCount: cases.length,
    assertionCount: all.length,
    notRun: lines.slice(0, LINES_MAX),
    notRunCount: lines.length,
  }
}

function linesOfCase({ name, notRun }: CaseDraft) {
  return linesOf(name, notRun)
}

function linesOf(within: string, items: readonly NotRunItem[]): ImportReport['notRun'] {
  return items.flatMap(({ path, reason }) => {
    const at = [within, path.join('.')].filter((part) => part !== '').join(': ')
    return reason === null ? [] : [{ at, reason }]
  })
}
