import type { DatabaseClient } from '../../database/open/client.ts'
import { type MovedMark, readMarks, reopenMoved } from '../../database/open/move-marks.ts'
import { StartError } from '../../errors.ts'

const PLACES = { embedded: 'an embedded database', server: 'a PostgreSQL' }

export async function requireNotMoved(
  database: DatabaseClient,
  { reopen }: { reopen: boolean },
): Promise<void> {
  const { moved } = await readMarks(database.pool)
  if (moved === undefined) return
  if (reopen) return database.withoutLimit(reopenMoved)
  const { what, todo } = explainMoved(moved)
  throw new StartError(`${what}. ${todo}`)
}

export function explainMoved({ isOver, to, at }: MovedMark): { what: string; todo: string } {
  const whole =
    'or reopen the old database, without anything written in the new one since, with "catenary start --reopen".'
  return isOver
    ? {
        what: `This database was moved to ${PLACES[to]} on ${at}`,
        todo: `Start Catenary with that one, ${whole}`,
      }
    : {
        what: 'A move of this database was cut short',
        todo: `Run "catenary move" again, ${whole}`,
      }
}
