import type { StepTool } from '@catenary/contracts'
import { type CallingStep, isSameCall, type SealedPlace, sealedPartsOf } from '@catenary/domain'
import type { Executor } from '../../../database/statements/executor.ts'
import type { SecretBox } from '../../../platform/secrets/secret-box.ts'
import { contextOf, findSealedStep } from './step-secrets.sql.ts'

interface Sealing {
  db: Executor
  secrets: SecretBox
}

interface WantedStep extends CallingStep {
  id: number
  tool: StepTool
}

export interface OpenedParts {
  /** By part. */
  values: ReadonlyMap<string, string>
  /** The first that has none: for this origin, by this method, and set by whoever owns the chain now. */
  missing: SealedPlace | undefined
  /** The call is not as the owner last wrote or allowed it. */
  rests: boolean
  owner: string
  /** Who set each, and when. */
  setBy: ReadonlyMap<string, string>
}

/** What a step’s call takes that nobody reads, as it is at this moment. */
export async function openSealedParts({ db, secrets }: Sealing, step: WantedStep): Promise<OpenedParts> {
  const { origin, method, parts } = sealedPartsOf(step.tool)
  const found = await findSealedStep(db, step.id)
  const values = new Map<string, string>()
  const setBy = new Map<string, string>()
  for (const secret of found?.secrets ?? []) {
    const isHere = secret.origin === origin && secret.method === method
    if (!isHere || secret.setBy === null || secret.setBy !== found?.ownerId) continue
    const value = secrets.openOptional({ sealed: secret.sealed, context: contextOf(secret) })
    if (value === undefined) continue
    values.set(secret.part, value)
    setBy.set(secret.part, `${found.owner}#${secret.setBy} ${new Date(secret.setAt).toISOString()}`)
  }
  const allowed = found?.allowed ?? null
  return {
    values,
    setBy,
    missing: parts.find(({ part }) => !values.has(part)),
    rests: allowed === null || !isSameCall(allowed, step),
    owner: found?.owner ?? '',
  }
}
