import { randomUUID } from 'node:crypto'
import pg from 'pg'

/** A new role that is no administrator, with rights such as `grant select on users to`; the address for it. */
export async function createRole(databaseUrl: string, ...grants: string[]): Promise<string> {
  const name = `role_${randomUUID().replaceAll('-', '')}`
  const admin = new pg.Client({ connectionString: databaseUrl })
  await admin.connect()
  try {
    await admin.query(`create role ${name} login password 'password'`)
    for (const grant of grants) await admin.query(`${grant} ${name}`)
  } finally {
    await admin.end()
  }
  const url = new URL(databaseUrl)
  url.username = name
  url.password = 'password'
  return url.href
}
