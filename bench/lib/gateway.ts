import type { User } from '@catenary/contracts'
import { buildApp } from '../../apps/server/src/app.ts'
import { hashOf, mintTokenValue } from '../../apps/server/src/features/tokens/token-value.ts'
import { createLog } from '../../apps/server/src/platform/log/log.ts'
import { createModels } from '../../apps/server/src/platform/models/models.ts'
import { readSettings } from '../../apps/server/src/platform/settings/settings.ts'
import { openBenchDatabase } from './library.ts'

// A process that serves the compatible API with a chain of one step and a token for it, which it prints with its
// address. `gateway.ts embedded|server`, the provider in OPENAI_BASE_URL.
const kind = process.argv[2] === 'server' ? 'server' : 'embedded'
const bench = await openBenchDatabase(kind)
const { database } = bench
const settings = { ...readSettings(), secretKey: 'a-key-for-benches-of-more-than-32-characters' }
const log = createLog({ level: 'silent' })
const models = createModels({ settings: settings.models, log })
const app = await buildApp({ settings, database, models, log })
await app.start()

const {
  rows: [user],
} = await database.pool.query<User>(`
  insert into users (name, email, username, display_username) values ('b', 'b@example.org', 'b', 'b')
  returning id, username, email, role`)
const {
  rows: [chain],
} = await database.pool.query<{ id: number }>(
  `with chain as (insert into chains (owner_id, name) values ($1, 'Bench') returning id)
   insert into chain_steps (chain_id, position, content, model, output_variable_name)
   select id, 0, '{{input}}', 'openai', 'answer' from chain returning chain_id as id`,
  [user?.id],
)
const token = mintTokenValue('chain')
await database.pool.query(
  `insert into api_tokens (kind, created_by, chain_id, scopes, name, prefix, sha256)
    values ('chain', $1, $2, array['chain:' || $2::integer, 'run'], 'b', 'b', $3)`,
  [user?.id, chain?.id, hashOf(token)],
)
const url = await app.http.listen({ host: '127.0.0.1', port: 0 })
console.log(JSON.stringify({ url, token }))

process.once('SIGTERM', async () => {
  await app.close()
  await models.close()
  await bench.close()
  process.exit(0)
})
