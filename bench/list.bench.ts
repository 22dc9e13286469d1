import { Agent, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { type BenchDatabase, fillLibrary, openBenchDatabase, PROMPTS } from './lib/library.ts'
import { interleave, median, milliseconds, print } from './lib/measure.ts'
import { startCatenary } from './lib/start-catenary.ts'

const LISTS = { warmup: 3, rounds: 21 }
const SINGLES = { warmup: 10, rounds: 40 }
/** One contender's turn when single prompts are read: this many callers, each as many requests one after the other. */
const CALLERS = 8
const REQUESTS = 25

// Fastify belongs to the server's packages; the floor is the same library without anything of ours.
const { fastify } = createRequire(new URL('../apps/server/package.json', import.meta.url))('fastify') as {
  fastify: () => Floor
}
interface Floor {
  get(path: string, handler: (request: { params: { id: string } }, reply: FloorReply) => unknown): void
  listen(options: { host: string; port: number }): Promise<string>
  close(): Promise<void>
}
interface FloorReply {
  header(name: string, value: string): FloorReply
  send(body: unknown): FloorReply
}

const COLUMNS = `p.id, p.title, p.content, c.name as category, p.category_id as "categoryId",
  p.is_active as "isActive", p.is_public as "isPublic", u.display_username as owner, p.version, p.revision,
  p.created_at as "createdAt", p.updated_at as "updatedAt"`
const JOINS = 'prompts p join categories c on c.id = p.category_id join users u on u.id = p.owner_id'
const TAG = `json_agg(json_build_object('id', t.id, 'name', t.name) order by lower(t.name))`
const TAGS = 'prompt_tags pt join tags t on t.id = pt.tag_id'
const LIST = `select ${COLUMNS}, coalesce(g.tags, '[]') as tags from ${JOINS}
  left join (select pt.prompt_id, ${TAG} as tags from ${TAGS} group by pt.prompt_id) g on g.prompt_id = p.id
  where p.is_public or p.owner_id = $1 order by p.updated_at desc, p.id desc`
const SINGLE = `select ${COLUMNS}, coalesce((select ${TAG} from ${TAGS} where pt.prompt_id = p.id), '[]') as tags
  from ${JOINS} where p.id = $1`

const brotli = promisify(brotliCompress)

/** The same replies by the shortest way: a prepared statement each, JSON, the same compression, no session. */
async function startFloor({ database }: BenchDatabase) {
  const app = fastify()
  app.get('/api/prompts', async (_request, reply) => {
    const { rows } = await database.pool.query({ name: 'floor_list', text: LIST, values: [1] })
    const params = { [constants.BROTLI_PARAM_QUALITY]: 1 }
    const body = await brotli(JSON.stringify(rows), { params })
    return reply.header('content-type', 'application/json').header('content-encoding', 'br').send(body)
  })
  app.get('/api/prompts/:id', async ({ params }) => {
    const values = [params.id]
    const { rows } = await database.pool.query({ name: 'floor_single', text: SINGLE, values })
    return rows[0]
  })
  return { url: await app.listen({ host: '127.0.0.1', port: 0 }), close: () => app.close() }
}

const agent = new Agent({ keepAlive: true })

interface Call {
  url: string
  headers?: OutgoingHttpHeaders
}

/** Reads the whole reply as it comes over the wire. */
function get({ url, headers = {} }: Call): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const accept = { 'accept-encoding': 'gzip, br' }
    request(url, { agent, headers: { ...accept, ...headers } }, (reply) => {
      reply.on('end', () => resolve(reply)).on('error', reject)
      reply.resume()
    })
      .on('error', reject)
      .end()
  })
}

async function time({ calls, status }: { calls: () => Promise<IncomingMessage[]>; status: number }) {
  const start = performance.now()
  for (const reply of await calls()) {
    if (reply.statusCode !== status) throw new Error(`expected ${status}, got ${reply.statusCode}`)
  }
  return performance.now() - start
}

const timeOne = ({ status = 200, ...call }: Call & { status?: number }) =>
  time({ calls: async () => [await get(call)], status })

/** As many callers at once, each reading one prompt after the other. */
const timeMany =
  ({ nextId, ...call }: Call & { nextId: () => number }) =>
  () =>
    time({
      status: 200,
      calls: async () => {
        const callers = Array.from({ length: CALLERS }, async () => {
          const replies = []
          for (let turn = 0; turn < REQUESTS; turn += 1) {
            replies.push(await get({ ...call, url: `${call.url}/api/prompts/${nextId()}` }))
          }
          return replies
        })
        return (await Promise.all(callers)).flat()
      },
    })

/** From one up, and again from one after that many. */
function countTo(most: number): () => number {
  let count = 0
  return () => {
    count = (count % most) + 1
    return count
  }
}

async function compare(kind: 'embedded' | 'server'): Promise<void> {
  const bench = await openBenchDatabase(kind)
  const [floor, catenary] = [await startFloor(bench), await startCatenary(bench)]
  const name = kind === 'server' ? 'PostgreSQL' : 'embedded'
  const headers = { cookie: catenary.cookie }
  await fillLibrary(bench)

  const url = `${catenary.url}/api/prompts`
  const { etag } = (await get({ url, headers })).headers
  const lists = await interleave({
    ...LISTS,
    contenders: {
      floor: () => timeOne({ url: `${floor.url}/api/prompts` }),
      whole: () => timeOne({ url, headers }),
      unchanged: () => timeOne({ url, headers: { ...headers, 'if-none-match': etag }, status: 304 }),
    },
  })
  const [base, whole, unchanged] = [lists.floor, lists.whole, lists.unchanged].map(median) as Triple
  print({
    figure: `whole list of ${PROMPTS} prompts, ${name}`,
    value: milliseconds(whole),
    floor: milliseconds(base),
    ratio: (whole / base).toFixed(2),
    target: '≤ 1.4 × floor',
  })
  print({
    figure: `the list unchanged (304), ${name}`,
    value: milliseconds(unchanged),
    floor: `${milliseconds(whole)} whole`,
    ratio: (unchanged / whole).toFixed(3),
    target: '≤ 0.1 × whole',
  })

  const few = CALLERS * REQUESTS
  const singles = await interleave({
    ...SINGLES,
    contenders: {
      floor: timeMany({ url: floor.url, nextId: countTo(few) }),
      again: timeMany({ url: catenary.url, headers, nextId: countTo(few) }),
      floorOfAll: timeMany({ url: floor.url, nextId: countTo(PROMPTS) }),
      // All turns together read each prompt once.
      first: timeMany({ url: catenary.url, headers, nextId: countTo(PROMPTS) }),
    },
  })
  const rate = (times: number[]) => (CALLERS * REQUESTS * 1000) / median(times)
  const compareSingles = (figure: string, value: number, base: number, target?: string) =>
    print({
      figure: `${figure}, signed in, ${CALLERS} callers, ${name}`,
      value: `${value.toFixed(0)}/s`,
      floor: `${base.toFixed(0)}/s`,
      ratio: (value / base).toFixed(2),
      ...(target === undefined ? {} : { target }),
    })
  compareSingles('one prompt by id', rate(singles.again), rate(singles.floor), '≥ 0.9 × floor')
  compareSingles('one prompt by id, read for the first time', rate(singles.first), rate(singles.floorOfAll))
  await floor.close()
  await catenary.close()
  await bench.close()
}

type Triple = [number, number, number]

await compare('embedded')
await compare('server')
agent.destroy()
// The embedded server's watcher would hold the process.
process.exit(0)
