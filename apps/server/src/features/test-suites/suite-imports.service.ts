import type { ImportReport, ImportTestSuiteRequest, User } from '@catenary/contracts'
import type { Database } from '../../db/executor.ts'
import { AppError } from '../../errors.ts'
import type { BoundedWork } from '../../platform/bounded/bounded-work.ts'
import { WorkRefused } from '../../platform/bounded/work-refused.ts'
import type { RecordKey, RecordPorts } from '../records/records.ts'
import { createSuiteAccess } from './suite-access.service.ts'
import { READ_SUITE } from './suite-files.ts'
import { createCases } from './test-cases.repository.ts'
import { createSuite } from './test-suites.repository.ts'
import { requireRoom } from './test-suites.service.ts'

export type SuiteImportsService = ReturnType<typeof createSuiteImports>

interface SuiteImportsDeps {
  db: Database
  records: RecordPorts
  bounded: BoundedWork
}

interface Import extends RecordKey {
  user: User
  request: ImportTestSuiteRequest
  /** Aborts when the caller leaves. */
  signal: AbortSignal
}

/** Suites from files: first what would come of one, then the suite. */
export function createSuiteImports({ db, records, bounded }: SuiteImportsDeps) {
  const access = createSuiteAccess({ records })

  async function read({ user, request, signal }: Pick<Import, 'user' | 'request' | 'signal'>) {
    const { format, text, name, dryRun } = request
    const reading = bounded.open({ owner: user.id, signal })
    const read = await reading
      .run(READ_SUITE, { format, text, name, isWanted: dryRun !== true })
      .catch((error: unknown) => {
        if (error instanceof WorkRefused && error.why !== 'left') return { problem: error.message }
        throw error
      })
    if (!('problem' in read)) return read
    const { problem: message } = read
    throw new AppError('invalid', message, { details: [{ path: 'text', message }] })
  }

  return {
    /** Throws `invalid` for a file that can't be read. A dry run makes nothing. */
    async import({ user, request, signal, ...record }: Import): Promise<ImportReport> {
      await access.requireChangeable(db, { ...record, user })
      const { report, draft } = await read({ user, request, signal })
      if (draft === undefined) return { ...report, suite: null }
      return db.transaction(async (tx) => {
        const { ownerId } = await access.requireChangeable(tx, { ...record, user })
        await requireRoom(tx, record)
        const { values, assertions, threshold, notRun } = draft.defaults
        const id = await createSuite(tx, {
          ...record,
          ownerId,
          name: draft.name,
          imported: draft.imported,
          defaultValues: values,
          defaultAssertions: assertions,
          defaultThreshold: threshold,
          defaultNotRun: notRun,
        })
        await createCases(tx, { suiteId: id, ownerId, position: 0, cases: draft.cases })
        return { ...report, suite: await access.show(tx, { id, user }) }
      })
    },
  }
}
