import type pg from 'pg'
import { LISTENER_NAME } from '../signals/listener.ts'

/** Ids of the keys that a process has: never the keys. */
export interface HeldKeys {
  seals: string
  opens: string[]
}

const NAME = `${LISTENER_NAME} with keys`

/** The name of a process's listening connection, which the server shows as long as it is there. */
export const nameHeldKeys = ({ seals, opens }: HeldKeys): string =>
  [NAME, seals, ...opens.filter((id) => id !== seals)].join(' ')

export async function listHeldKeys(pool: pg.Pool): Promise<HeldKeys[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select application_name as name from pg_stat_activity
      where datname = current_database() and application_name like '${NAME} %'`,
  )
  return rows.map(({ name }) => {
    const opens = name.slice(NAME.length + 1).split(' ')
    return { seals: opens[0] ?? '', opens }
  })
}
