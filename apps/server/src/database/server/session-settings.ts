import pg from 'pg'

/**
 * What a session must say and read for this program to understand it, where the server, the database or the role may say
 * otherwise: times as ISO, numbers with all their digits, bytes in hex, backslashes as they stand.
 */
export const SESSION_SETTINGS = {
  DateStyle: 'ISO, YMD',
  IntervalStyle: 'postgres',
  extra_float_digits: '1',
  bytea_output: 'hex',
  standard_conforming_strings: 'on',
  array_nulls: 'on',
} as const
export type SessionSetting = keyof typeof SESSION_SETTINGS

const ALSO: Partial<Record<SessionSetting, RegExp>> = {
  // The order concerns what is read, and what the program writes is ISO.
  DateStyle: /^ISO\b/,
  extra_float_digits: /^[123]$/,
}
const NAMES = Object.keys(SESSION_SETTINGS) as SessionSetting[]

export async function listOtherSettings(client: Pick<pg.ClientBase, 'query'>): Promise<SessionSetting[]> {
  const { rows } = await client.query<{ name: SessionSetting; setting: string }>(
    'select name, setting from pg_settings where name = any ($1) order by name',
    [NAMES],
  )
  return rows
    .filter(({ name, setting }) => setting !== SESSION_SETTINGS[name] && ALSO[name]?.test(setting) !== true)
    .map(({ name }) => name)
}

/** For a session that nobody else is lent. */
export const SET_IN_SESSION = NAMES.map((name) => `set ${name} = '${SESSION_SETTINGS[name]}'`).join('; ')

export const setForRole = (
  names: SessionSetting[],
  { role, database }: { role: string; database: string },
): string =>
  names
    .map(
      (name) =>
        `ALTER ROLE ${pg.escapeIdentifier(role)} IN DATABASE ${pg.escapeIdentifier(database)} SET ${name} = '${SESSION_SETTINGS[name]}'`,
    )
    .join('; ')
