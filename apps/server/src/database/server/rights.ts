import { StartError } from '../../errors.ts'
import { OWN_TABLES } from '../schema/table-records.ts'
import type { Queryable } from '../statements/queryable.ts'

export interface TableRights {
  role: string
  tables: number
  closed: string[]
}

const NAMES = [...OWN_TABLES].map((name) => `'${name}'`).join(', ')
const OWN_CLASSES = `
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p') and ((n.nspname = 'public' and c.relname in (${NAMES}))
    or (n.nspname = 'drizzle' and c.relname = '__drizzle_migrations'))`

export async function readTableRights(client: Queryable): Promise<TableRights> {
  const { rows } = await client.query(`
    with own as (select c.relname as name, has_schema_privilege(n.oid, 'usage')
        and has_table_privilege(c.oid, 'select') and has_table_privilege(c.oid, 'insert')
        and has_table_privilege(c.oid, 'update') and has_table_privilege(c.oid, 'delete') as open ${OWN_CLASSES})
    select current_user as role, (select count(*)::int from own) as tables,
      coalesce((select json_agg(name order by name) from own where not open), '[]') as closed`)
  return rows[0]
}

export async function requireRightsToMigrate(client: Queryable): Promise<void> {
  const { rows } = await client.query(`
    select current_user as role, current_database() as database, (select count(*)::int ${OWN_CLASSES}) as tables,
      coalesce((select bool_and(pg_has_role(c.relowner, 'usage')) ${OWN_CLASSES}), true) as owns,
      has_database_privilege(current_database(), 'create') as "createsSchemas",
      coalesce(has_schema_privilege(to_regnamespace('public')::oid, 'create'), false) as "createsTables"`)
  const { role, database, tables, owns, createsSchemas, createsTables } = rows[0]
  if (!owns) {
    throw new StartError(
      `The tables belong to a different role from ${role}, which may not change them for this version. ` +
        `Use their owner in DATABASE_URL, or ask an administrator to run: REASSIGN OWNED BY <their owner> TO "${role}".`,
    )
  }
  if ((tables > 0 || createsSchemas) && createsTables) return
  throw new StartError(
    `The role ${role} may not create tables in this database. Ask an administrator to run: GRANT CREATE ON DATABASE "${database}" TO "${role}"; ` +
      `GRANT CREATE ON SCHEMA public TO "${role}".`,
  )
}
