import type { FailingSuite } from '@catenary/contracts'
import type { SqlContext } from '../../platform/context.ts'
import type { GateVerdict, ReleaseGate } from '../records/records.ts'
import { listSuitesToRun, type SuiteToRun } from '../test-suites/test-suites.ts'
import type { TestedRecord } from './evaluations.sql.ts'
import { hashOf } from './frozen-cases.ts'
import { listCandidates, listCellsOfVersion } from './release-gate.sql.ts'

const CELLS_NAMED = 20

interface Judged {
  record: TestedRecord
  viewerId: number
  version: number
}

/** Whether a version passed each suite of its record, on the cases that the suites have now (D47). */
export const releaseGate: ReleaseGate = {
  async judge(tx, { kind, id, version, user }): Promise<GateVerdict> {
    const ctx = { db: tx }
    const record = { kind, id }
    const suites = await listSuitesToRun(ctx, record)
    const verdicts = []
    for (const suite of suites)
      verdicts.push(await judgeSuite(ctx, { record, version, suite, viewerId: user.id }))
    const failing = verdicts.filter((verdict) => 'failing' in verdict)
    const passedBy = verdicts.flatMap((verdict) => ('passedBy' in verdict ? verdict.passedBy : []))
    // A record without a suite has passed none.
    if (failing.length > 0 || suites.length === 0) return { passed: false, suites: failing }
    return { passed: true, evaluationId: Math.max(...passedBy) }
  },
}

async function judgeSuite(
  { db }: SqlContext,
  { suite, record, version, viewerId }: Judged & { suite: SuiteToRun },
): Promise<{ passedBy: number } | FailingSuite> {
  const { id: suiteId, name } = suite
  const missing = { suiteId, name, evaluationId: null, failing: [] }
  if (suite.cases.length === 0) return missing
  const casesHash = hashOf(suite.cases)
  const candidates = await listCandidates(db, { suiteId, casesHash, record, version })
  let newest: FailingSuite | undefined
  for (const candidate of candidates) {
    const cells = await listCellsOfVersion(db, { evaluation: candidate, version, viewerId })
    const failing = cells.filter(({ status }) => status !== 'passed')
    if (failing.length === 0) return { passedBy: candidate.id }
    const open = failing.filter(({ isOpen }) => isOpen)
    newest ??= {
      ...missing,
      evaluationId: candidate.id,
      failing: open.slice(0, CELLS_NAMED).map(({ casePosition, model, reason }) => ({
        caseName: suite.cases[casePosition]?.name ?? '',
        target: model === null ? `v${version}` : `v${version} · ${model}`,
        reason: reason ?? 'It did not pass',
      })),
    }
  }
  return newest ?? missing
}
