import {
  flattenAssertions,
  type ImportReport,
  type ImportTestSuiteRequest,
  type NotRunItem,
  TEST_CASE_BYTES_MAX,
  TEST_SUITE_BYTES_MAX,
  type User,
} from '@catenary/contracts'
import {
  type CaseDraft,
  ImportError,
  importCsv,
  importPromptfoo,
  type SuiteDraft,
} from '@catenary/domain/promptfoo'
import type { Database } from '../../db/executor.ts'
import { AppError } from '../../errors.ts'
import { createSuiteAccess } from './suite-access.service.ts'
import { bytesOf, createCases } from './test-cases.repository.ts'
import { createSuite } from './test-suites.repository.ts'
import { requireRoom } from './test-suites.service.ts'
import type { RecordId, TestedRecords } from './tested-records.service.ts'

const LINES_MAX = 200

export type SuiteImportsService = ReturnType<typeof createSuiteImports>

type Import = RecordId & { user: User; request: ImportTestSuiteRequest }

/** Suites from files: first what would come of one, then the suite. */
export function createSuiteImports({ db, records }: { db: Database; records: TestedRecords }) {
  const access = createSuiteAccess({ records })

  return {
    /** Throws `invalid` for a file that can't be read. A dry run makes nothing. */
    import({ user, request, ...record }: Import): Promise<ImportReport> {
      return db.transaction(async (tx) => {
        const { ownerId } = await access.requireChangeable(tx, { ...record, user })
        const draft = readDraft(request)
        const report = toReport(draft)
        if (request.dryRun) return report
        await requireRoom(tx, record)
        const { values, assertions, threshold, notRun } = draft.defaults
        const id = await createSuite(tx, {
          ...{ ...record, ownerId, name: draft.name, imported: draft.imported },
          ...{
            defaultValues: values,
            defaultAssertions: assertions,
            defaultThreshold: threshold,
            defaultNotRun: notRun,
          },
        })
        await createCases(tx, { suiteId: id, ownerId, position: 0, cases: draft.cases })
        return { ...report, suite: await access.show(tx, { id, user }) }
      })
    },
  }
}

function readDraft({ format, text, name }: ImportTestSuiteRequest): SuiteDraft {
  try {
    const draft = format === 'csv' ? importCsv(text) : importPromptfoo(text)
    const bytes = draft.cases.map(bytesOf)
    if (bytes.reduce((sum, each) => sum + each, 0) > TEST_SUITE_BYTES_MAX) {
      throw new ImportError(`Its cases take more than ${TEST_SUITE_BYTES_MAX / 1_000_000} MB`)
    }
    const large = draft.cases.find((_, index) => (bytes[index] ?? 0) > TEST_CASE_BYTES_MAX)
    if (large) throw new ImportError(`“${large.name}”: a case takes at most ${TEST_CASE_BYTES_MAX / 1000} kB`)
    return { ...draft, name: name ?? draft.name }
  } catch (error) {
    if (!(error instanceof ImportError)) throw error
    const { message } = error
    throw new AppError('invalid', message, { details: [{ path: 'text', message }] })
  }
}

function toReport({ name, defaults, cases, imported }: SuiteDraft): ImportReport {
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
    suite: null,
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
