import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { fastify } from './lib/fastify.ts'
import { agent, type Call, get, time, timeOne } from './lib/http-get.ts'
import { type BenchDatabase, fillLibrary, openBenchDatabase } from './lib/library.ts'
import { interleave, median, milliseconds, print } from './lib/measure.ts'
import { fillRuns } from './lib/runs.ts'
import { startCatenary } from './lib/start-catenary.ts'

const FEW = 10_000
const MANY = 100_000
/** Runs beside the library: as many as a year of one person's makes, or a thousand people's. */
const RUNS = { embedded: 100_000, server: 1_000_000 }
const PAGES = { warmup: 5, rounds: 25 }
const WALKS = { warmup: 1, rounds: 3 }
const SEARCHES = { warmup: 1, rounds: 5 }
const brotli = promisify(brotliCompress)
const fast = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }

const LISTED = `p.id, p.title, left(p.content, 500) as content, p.content_length as "contentLength", c.name as category,
  p.category_id as "categoryId", p.is_active as "isActive", p.is_public as "isPublic", u.display_username as owner,
  p.version, p.revision, p.created_at as "createdAt", p.updated_at as "updatedAt", coalesce((
    select json_agg(json_build_object('id', t.id, 'name', t.name) order by lower(t.name))
    from prompt_tags pt join tags t on t.id = pt.tag_id where pt.prompt_id = p.id), '[]') as tags`
const JOINS = 'join categories c on c.id = p.category_id join users u on u.id = p.owner_id'
const NEWEST = 'order by p.updated_at desc, p.id desc'
const PAGE = `select ${LISTED} from prompts p ${JOINS} where p.is_public ${NEWEST} limit 1000`
const AFTER = `select ${LISTED} from prompts p ${JOINS}
  where p.is_public and (p.updated_at, p.id) < ($1, $2) ${NEWEST} limit 1000`
const READ = 'coalesce(search_text, searched collate "C")'
const FOUND = `with found as materialized (
    select id from prompts where is_public and ${READ} like lower($1) and ${READ} like lower($2) limit 3001
  ) select ${LISTED} from found join prompts p using (id) ${JOINS} ${NEWEST} limit 100`

/** Half of them in one prompt or a few, a third in some hundred, the others in most. */
const WORDS = [
  ...Array.from({ length: 20 }, (_, n) => (n * 104_729 + 0xabcdef).toString(16).slice(0, 6)),
  ...Array.from({ length: 12 }, (_, n) => `number ${11 + n * 7}`),
  ...['bridge', 'ANSWER', 'letter', 'results', 'explain', 'write', '$<customer>', 'question'],
]

/** The same replies by the shortest way: a prepared statement each, JSON, the same compression, no session. */
async function startFloor({ database }: BenchDatabase) {
  const app = fastify()
  const query = async (name: string, text: string, values: unknown[] = []) =>
    (await database.pool.query({ name, text, values })).rows
  app.get('/page', async (_request, reply) => {
    const body = await brotli(JSON.stringify(await query('floor_page', PAGE)), fast)
    return reply.header('content-type', 'application/json').header('content-encoding', 'br').send(body)
  })
  app.get('/after/:id', async ({ params: { id } }, reply) => {
    const [at, last] = id.split('_')
    const body = await brotli(JSON.stringify(await query('floor_after', AFTER, [at, last])), fast)
    return reply.header('content-type', 'application/json').header('content-encoding', 'br').send(body)
  })
  // Planned for each word, as how common it is decides the way.
  app.get('/search/:id', async ({ params: { id } }, reply) => {
    const words = decodeURIComponent(id).split(' ')
    const { rows } = await database.pool.query(FOUND, [`%${words[0]}%`, `%${words.at(-1)}%`])
    return reply.header('content-type', 'application/json').send(JSON.stringify(rows))
  })
  return { url: await app.listen({ host: '127.0.0.1', port: 0 }), close: () => app.close() }
}

/** Reads page after page; the milliseconds of all. */
async function walk({ url, headers }: Call): Promise<number> {
  const start = performance.now()
  let cursor: unknown = ''
  while (cursor !== undefined) {
    const page = await get({ url: cursor === '' ? url : `${url}?cursor=${cursor}`, headers })
    cursor = page.headers['x-next-cursor']
  }
  return performance.now() - start
}

/** The same by plain statements, which know where each page begins. */
async function walkFloor({ url, places }: { url: string; places: string[] }): Promise<number> {
  return time({
    status: 200,
    calls: async () => {
      const replies = [await get({ url: `${url}/page` })]
      for (const place of places) replies.push(await get({ url: `${url}/after/${place}` }))
      return replies
    },
  })
}

interface Ratio {
  figure: string
  value: number
  floor: number
  target: string
}

function compare({ figure, value, floor, target }: Ratio): void {
  const ratio = (value / floor).toFixed(2)
  print({ figure, value: milliseconds(value), floor: milliseconds(floor), ratio, target })
}

async function measurePages({ count, name, ...sides }: Sides & { count: number; name: string }) {
  const { floor, list, headers, database } = sides
  const { etag } = (await get({ url: list, headers })).headers
  const page = await interleave({
    ...PAGES,
    contenders: {
      floor: () => timeOne({ url: `${floor}/page` }),
      page: () => timeOne({ url: list, headers }),
      unchanged: () => timeOne({ url: list, headers: { ...headers, 'if-none-match': etag }, status: 304 }),
    },
  })
  const of = `of ${count}, ${name}`
  const [base, whole, unchanged] = [page.floor, page.page, page.unchanged].map(median) as Triple
  compare({ figure: `a page of 1,000 prompts ${of}`, value: whole, floor: base, target: '≤ 1.4 × floor' })
  compare({
    figure: `the page unchanged (304) ${of}`,
    value: unchanged,
    floor: whole,
    target: '≤ 0.1 × page',
  })
  const { rows } = await database.pool.query(`
    select to_char(updated_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '_' || id as place from (
      select updated_at, id, row_number() over (order by updated_at desc, id desc) from prompts
    ) numbered where row_number % 1000 = 0 and row_number < ${count} order by row_number`)
  const places = rows.map(({ place }) => String(place))
  const walks = await interleave({
    ...WALKS,
    contenders: { floor: () => walkFloor({ url: floor, places }), walk: () => walk({ url: list, headers }) },
  })
  compare({
    figure: `all ${count} prompts by cursor, ${name}`,
    value: median(walks.walk),
    floor: median(walks.floor),
    target: '≤ 1.4 × floor',
  })
  return whole
}

async function measureSearch({ name, floor, list, headers }: Sides & { name: string }): Promise<void> {
  const times = { floor: [] as number[], search: [] as number[] }
  for (let round = 0; round < SEARCHES.warmup + SEARCHES.rounds; round += 1) {
    for (const word of WORDS) {
      const text = encodeURIComponent(word)
      const plain = await timeOne({ url: `${floor}/search/${text}` })
      const ours = await timeOne({ url: `${list}?limit=100&search=${text}`, headers })
      if (round < SEARCHES.warmup) continue
      times.floor.push(plain)
      times.search.push(ours)
    }
  }
  compare({
    figure: `search in ${MANY} prompts, p95, ${name}`,
    value: p95(times.search),
    floor: p95(times.floor),
    target: '≤ 1.4 × floor',
  })
  compare({
    figure: `search in ${MANY} prompts, median, ${name}`,
    value: median(times.search),
    floor: median(times.floor),
    target: '',
  })
}

interface Sides {
  floor: string
  list: string
  headers: { cookie: string }
  database: BenchDatabase['database']
}
type Triple = [number, number, number]

function p95(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN
}

async function withSides(kind: 'embedded' | 'server', run: (sides: Sides) => Promise<void>): Promise<void> {
  const bench = await openBenchDatabase(kind)
  const [floor, catenary] = [await startFloor(bench), await startCatenary(bench)]
  const headers = { cookie: catenary.cookie }
  await run({ floor: floor.url, list: `${catenary.url}/api/prompts`, headers, database: bench.database })
  await floor.close()
  await catenary.close()
  await bench.close()
}

for (const kind of ['embedded', 'server'] as const) {
  const name = kind === 'server' ? 'PostgreSQL' : 'embedded'
  let ofFew = Number.NaN
  await withSides(kind, async (sides) => {
    await fillLibrary(sides, FEW)
    ofFew = await measurePages({ ...sides, count: FEW, name })
  })
  await withSides(kind, async (sides) => {
    const { database, list, headers } = sides
    await fillLibrary(sides, MANY)
    const ofMany = await measurePages({ ...sides, count: MANY, name })
    const figure = `a page of 1,000 prompts, of ${MANY} over of ${FEW}, ${name}`
    compare({ figure, value: ofMany, floor: ofFew, target: '≤ 1 × of few' })
    await measureSearch({ ...sides, name })
    // The history of prompt 1 is short, that of prompt 2 has them all.
    await fillRuns({ database, promptId: 1, count: 50 })
    await fillRuns({ database, promptId: 2, count: RUNS[kind] })
    await database.pool.query('vacuum analyze')
    const beside = await interleave({
      ...PAGES,
      contenders: {
        page: () => timeOne({ url: list, headers }),
        short: () => timeOne({ url: `${list}/1/executions?limit=50`, headers }),
        long: () => timeOne({ url: `${list}/2/executions?limit=50`, headers }),
      },
    })
    const runs = `${RUNS[kind]} runs, ${name}`
    compare({
      figure: `a page of 1,000 prompts beside ${runs}`,
      value: median(beside.page),
      floor: ofMany,
      target: '≤ 1 × without',
    })
    compare({
      figure: `a page of the history of ${runs}`,
      value: median(beside.long),
      floor: median(beside.short),
      target: '≤ 1 × of 50 runs',
    })
  })
}
agent.destroy()
// The embedded server's watcher would hold the process.
process.exit(0)
