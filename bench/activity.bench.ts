import type { Prompt } from '@catenary/contracts'
import type { Api } from '../e2e/harness/api.ts'
import { baselineProgram } from './lib/baseline.ts'
import { fastify } from './lib/fastify.ts'
import { agent, timeOne } from './lib/http-get.ts'
import { type BenchDatabase, openBenchDatabase } from './lib/library.ts'
import { interleave, median, milliseconds, print } from './lib/measure.ts'
import { startCatenary } from './lib/start-catenary.ts'
import { DATABASES, type DatabaseKind, startProgram } from './lib/start-program.ts'

const ROWS = 1_000_000
const FILTERED = { warmup: 3, rounds: 15 }
const SAVED = { warmup: 50, rounds: 400 }
const COUNTED_MAX = 3_001

/** Half a minute apart, of 50 people; one in 200 was refused, one in 10,000 is of prompt 7. All have their links. */
const FILL = `
  insert into activity (at, person_id, kind, object_type, object_id, owner_id, door, address)
    select now() - (${ROWS} - i) * interval '30 seconds', 1 + i % 50,
      case when i % 200 = 0 then 'account.signed_in_refused' when i % 3 = 0 then 'prompt.changed' else 'chain.changed' end,
      case when i % 200 = 0 then 'account' when i % 3 = 0 then 'prompt' else 'chain' end,
      case when i % 10000 = 9999 then 7 else 10 + i % 5000 end, 1 + i % 50,
      case when i % 7 = 0 then 'token' else 'page' end, '192.0.2.' || i % 250
    from generate_series(1, ${ROWS}) as i`

const LINK = `
  insert into activity_links (number, activity_id, day, hash)
    select row_number() over (order by id), id, to_char(at at time zone 'UTC', 'YYYY-MM-DD'), md5(id::text) || md5(kind)
    from activity;
  insert into settings (key, value)
    select 'activity-chain', jsonb_build_object('number', count(*), 'hash', '', 'day', to_char(now() at time zone 'UTC', 'YYYY-MM-DD'),
      'at', to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'linkedAt', to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'keptFrom', null,
      'lookedThroughOn', to_char(now() at time zone 'UTC', 'YYYY-MM-DD'))
    from activity
  on conflict (key) do update set value = excluded.value`

const FILTERS = {
  'one kind': { query: 'kind=prompt.changed', where: `a.kind = 'prompt.changed'` },
  'one person': { query: 'person=12', where: 'a.person_id = 12' },
  'one person and door': { query: 'person=12&door=token', where: `a.person_id = 12 and a.door = 'token'` },
  'one object': { query: 'object=prompt:7', where: `a.object_type = 'prompt' and a.object_id = 7` },
  refused: { query: 'refused=only', where: `a.kind like '%\\_refused'` },
  'no filter': { query: '', where: 'true' },
}

/** What rows don't hold, and a page shows. */
const NAMES_OF = {
  account: 'select id, display_username from users',
  prompt: 'select id, title from prompts',
  chain: 'select id, name from chains',
}

/** The same statements by the shortest way: a page, its count and its names, as JSON, no session. */
async function startFloor({ database }: BenchDatabase) {
  const app = fastify()
  const wheres = Object.values(FILTERS).map(({ where }) => where)
  app.get('/filter/:id', async ({ params: { id } }, reply) => {
    const where = wheres[Number(id)]
    const page = await database.pool.query({
      name: `floor_page_${id}`,
      text: `select a.*, u.display_username, l.number, l.hash from activity a
        left join users u on u.id = a.person_id left join activity_links l on l.activity_id = a.id
        where ${where} order by a.id desc limit 101`,
    })
    const counted = await database.pool.query({
      name: `floor_count_${id}`,
      text: `select count(*) from (select from activity a where ${where} limit ${COUNTED_MAX}) as counted`,
    })
    const names = await Promise.all(
      Object.entries(NAMES_OF).map(([type, select]) => {
        const ids = page.rows.flatMap((row) => (row.object_type === type ? [row.object_id] : []))
        return database.pool.query({
          name: `floor_${type}`,
          text: `${select} where id = any($1)`,
          values: [ids],
        })
      }),
    )
    const body = JSON.stringify({
      rows: page.rows,
      count: counted.rows,
      names: names.map(({ rows }) => rows),
    })
    return reply.header('content-type', 'application/json').send(body)
  })
  return { url: await app.listen({ host: '127.0.0.1', port: 0 }), close: () => app.close() }
}

async function timeFilters(kind: DatabaseKind): Promise<void> {
  const bench = await openBenchDatabase(kind)
  await bench.database.pool.query(FILL)
  await bench.database.pool.query(LINK)
  await bench.database.pool.query('vacuum analyze')
  const [floor, catenary] = [await startFloor(bench), await startCatenary(bench)]
  const headers = { cookie: catenary.cookie, origin: catenary.url }
  for (const [index, [name, { query }]] of Object.entries(FILTERS).entries()) {
    const times = await interleave({
      ...FILTERED,
      contenders: {
        floor: () => timeOne({ url: `${floor.url}/filter/${index}` }),
        page: () => timeOne({ url: `${catenary.url}/api/admin/activity?limit=100&${query}`, headers }),
      },
    })
    const [base, page] = [median(times.floor), median(times.page)]
    print({
      figure: `the activity of ${name}, of ${ROWS.toLocaleString('en')} rows, ${DATABASES[kind]}`,
      value: milliseconds(page),
      floor: milliseconds(base),
      ratio: (page / base).toFixed(2),
      target: '≤ 1.4 × floor',
    })
  }
  await floor.close()
  await catenary.close()
  await bench.close()
}

async function startSaver(started: { kind: DatabaseKind; program?: string }) {
  const { signUp, close } = await startProgram(started)
  const { api } = await signUp('bench')
  const draft = { title: 'Bench', content: 'Say something about bridges.', categoryId: 1 }
  const { id } = await api.post<Prompt>('/api/prompts', draft)
  let saves = 0
  return {
    save: () => {
      saves += 1
      return timeSave(api, { url: `/api/prompts/${id}`, body: { ...draft, content: `Save ${saves}` } })
    },
    close,
  }
}

async function timeSave(api: Api, { url, body }: { url: string; body: object }): Promise<number> {
  const start = performance.now()
  const { status } = await api.call('PUT', url, body)
  if (status !== 200) throw new Error(`expected 200, got ${status}`)
  return performance.now() - start
}

/** Beside the program of BENCH_BASELINE, such as the commit before there was an activity. */
async function timeSaves(kind: DatabaseKind, program: string | undefined): Promise<void> {
  const now = await startSaver({ kind })
  const before = program === undefined ? undefined : await startSaver({ kind, program })
  const times = await interleave({
    ...SAVED,
    contenders: { now: now.save, before: before?.save ?? (async () => Number.NaN) },
  })
  const [value, base] = [median(times.now), median(times.before)]
  print({
    figure: `a save of a prompt, ${DATABASES[kind]}`,
    value: milliseconds(value),
    ...(before && {
      floor: `${milliseconds(base)} before`,
      ratio: (base / value).toFixed(2),
      target: '≥ 0.95 × before',
    }),
  })
  await now.close()
  await before?.close()
}

const program = baselineProgram()
for (const kind of ['embedded', 'server'] as const) {
  await timeSaves(kind, program)
  await timeFilters(kind)
}
agent.destroy()
// The embedded server's watcher would hold the process.
process.exit(0)
