import { randomUUID } from 'node:crypto'
import type { Transaction } from '../../database/statements/executor.ts'
import type { Context } from '../../platform/context.ts'
import { recordObject, tellEvent } from '../webhooks/webhooks.ts'
import { GateClosedError } from './label-errors.ts'
import type { RecordKey } from './record-kinds.sql.ts'

interface ToldMove extends RecordKey {
  moveId: number
  label: string
  userId: number
  fromVersion: number | null
  toVersion: number | null
}

/** In the move's transaction. The reason is a person's own words, and is not sent. */
export function notifyMove(ctx: Context<Transaction>, move: ToldMove): Promise<void> {
  const { kind, id, moveId, label, fromVersion, toVersion, userId: movedBy } = move
  return tellEvent(ctx, {
    type: 'label.moved',
    key: `label:${kind}:${moveId}`,
    object: recordObject({ kind, id }),
    audience: { kind, id },
    data: { record: { kind, id }, moveId, label, fromVersion, toVersion, movedBy },
  })
}

/** A closed gate leaves no row: it is told once the move's transaction is rolled back. */
export async function withGateTold<Moved>(
  ctx: Context,
  { kind, id }: RecordKey,
  moving: Promise<Moved>,
): Promise<Moved> {
  try {
    return await moving
  } catch (error) {
    if (error instanceof GateClosedError) {
      const { label, version, suites } = error
      const failed = suites.map(({ suiteId, evaluationId }) => ({ suiteId, evaluationId }))
      await tellEvent(ctx, {
        type: 'gate.failed',
        key: `gate:${randomUUID()}`,
        object: recordObject({ kind, id }),
        audience: { kind, id },
        data: { record: { kind, id }, label, version, suites: failed },
      })
    }
    throw error
  }
}
