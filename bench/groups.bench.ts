import type { Prompt } from '@catenary/contracts'
import { openDatabase } from '../apps/server/src/database/open/client.ts'
import { startFakeProvider } from '../apps/server/src/testing/fake-providers/fake-provider.ts'
import { baselineProgram } from './lib/baseline.ts'
import { agent, timeOne } from './lib/http-get.ts'
import { call } from './lib/load.ts'
import { interleave, median, milliseconds, print } from './lib/measure.ts'
import { DATABASES, runsOf, startProgram } from './lib/start-program.ts'

const PEOPLE = 10_000
const GROUPS = 200
const PROMPTS = 1_000
const ROUNDS = { warmup: 30, rounds: 200 }
const ANSWER = ['piece 0 ', 'piece 1']

// A person sees the same thousand prompts of somebody else: here by five of 200 groups, and before there were groups by
// name. Everybody is in five groups.
const FILL = `
  insert into users (name, email, username, display_username)
    select 'p' || i, 'p' || i || '@example.org', 'p' || i, 'p' || i from generate_series(1, ${PEOPLE}) i;
  insert into prompts (owner_id, category_id, title, content, updated_at)
    select (select id from users where username = 'p1'), 1, 'Prompt number ' || i, 'Say something about bridges.',
      now() - i * interval '1 minute'
    from generate_series(1, ${PROMPTS}) i`

const SHARED_BY_NAME = `
  insert into prompt_shares (prompt_id, user_id, role)
    select prompts.id, users.id, 'viewer' from prompts, users where title like 'Prompt number %' and username = 'bench'`

const SHARED_WITH_GROUPS = `
  insert into groups (name, name_key) select 'group ' || i, 'group ' || i from generate_series(1, ${GROUPS}) i;
  insert into group_members (group_id, user_id)
    select 2 + (users.id * 7 + k * 40) % ${GROUPS}, users.id from users, generate_series(0, 4) k;
  insert into prompt_group_shares (prompt_id, group_id, role)
    select prompts.id, own.group_id, 'viewer'
    from (select row_number() over (order by id) as place, id from prompts where title like 'Prompt number %') as prompts
    join (
      select row_number() over (order by group_id) as place, group_id from group_members
      where user_id = (select id from users where username = 'bench')
    ) as own on own.place = 1 + prompts.place % 5`

const provider = await startFakeProvider({ vendor: 'anthropic' })
provider.replyByDefault({ text: ANSWER })

async function start({
  shares,
  ...started
}: { shares: string } & Omit<Parameters<typeof startProgram>[0], 'provider'>) {
  const benched = await startProgram({ ...started, provider })
  const { server, databaseUrl, signUp, close } = benched
  // The first account is an administrator's, which sees more.
  await signUp('first')
  const { api, cookie } = await signUp('bench')
  await server.stop()
  const database = await openDatabase({
    databaseUrl,
    dataDir: server.dataDir,
    fsync: true,
    statementLimitMs: 600_000,
  })
  await database.pool.query(FILL)
  await database.pool.query(shares)
  await database.pool.query('vacuum analyze')
  const { rows } = await database.pool.query<{ id: number }>(
    `select id from prompts where title = 'Prompt number 500'`,
  )
  await database.close()
  await server.restart()
  const seen = await api.get<Prompt>(`/api/prompts/${rows[0]?.id}`)
  if (seen.title !== 'Prompt number 500') throw new Error('The prompt is not shared')
  const run = runsOf(benched, { cookie, promptId: seen.id, variables: {} })
  return {
    list: () => timeOne({ url: `${server.url}/api/prompts?limit=100`, headers: { cookie } }),
    run: async () => (await call(run, { mark: 'piece 0', last: 'piece 1' })).whole,
    close: async () => {
      run.agent.destroy()
      await close()
    },
  }
}

const program = baselineProgram()
for (const kind of ['embedded', 'server'] as const) {
  const now = await start({ kind, shares: SHARED_WITH_GROUPS })
  const before = await start({ kind, program, shares: SHARED_BY_NAME })
  for (const [what, of] of [
    ['a page of 100 of 1,000 prompts that are shared', 'list'],
    ['a run of one of them', 'run'],
  ] as const) {
    const times = await interleave({ ...ROUNDS, contenders: { now: now[of], before: before[of] } })
    const [value, base] = [median(times.now), median(times.before)]
    print({
      figure: `${what}, with ${GROUPS} groups of ${PEOPLE.toLocaleString('en')} people, ${DATABASES[kind]}`,
      value: milliseconds(value),
      floor: `${milliseconds(base)} by name${program === undefined ? '' : ` (commit ${process.env.BENCH_BASELINE})`}`,
      ratio: (base / value).toFixed(2),
      target: '≥ 0.95 × by name',
    })
  }
  await now.close()
  await before.close()
}
await provider.close()
agent.destroy()
// The embedded server's watcher would hold the process.
process.exit(0)
