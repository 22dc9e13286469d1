import { StartError } from '../../errors.ts'
import type { DatabaseClient } from '../client.ts'
import { readMarks, reopenMoved } from './move-marks.ts'

const PLACES = { embedded: 'an embedded database', server: 'a PostgreSQL' }

/** Throws a StartError for a database whose rows were moved to another one; with `reopen` it takes them up again. */
export async function requireNotMoved(
  database: DatabaseClient,
  { reopen }: { reopen: boolean },
): Promise<void> {
  const { moved } = await readMarks(database.pool)
  if (moved === undefined) return
  if (reopen) return database.withoutLimit(reopenMoved)
  const whole =
    'or take up what is here again, without what was written there since, with "catenary start --reopen".'
  throw new StartError(
    moved.isOver
      ? `This database was moved to ${PLACES[moved.to]} on ${moved.at}. Start Catenary with that one, ${whole}`
      : `A move of this database was cut short. Run "catenary move" again, ${whole}`,
  )
}
