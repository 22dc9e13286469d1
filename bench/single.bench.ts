import { fastify } from './lib/fastify.ts'
import { agent, type Call, get, time } from './lib/http-get.ts'
import { type BenchDatabase, fillLibrary, openBenchDatabase, PROMPTS } from './lib/library.ts'
import { interleave, median, print } from './lib/measure.ts'
import { startCatenary } from './lib/start-catenary.ts'

const SINGLES = { warmup: 10, rounds: 40 }
/** One contender's turn when single prompts are read: this many callers, each as many requests one after the other. */
const CALLERS = 8
const REQUESTS = 25

const COLUMNS = `p.id, p.title, p.content, c.name as category, p.category_id as "categoryId",
  p.is_active as "isActive", p.is_public as "isPublic", u.display_username as owner, p.version, p.revision,
  p.created_at as "createdAt", p.updated_at as "updatedAt"`
const JOINS = 'prompts p join categories c on c.id = p.category_id join users u on u.id = p.owner_id'
const TAG = `json_agg(json_build_object('id', t.id, 'name', t.name) order by lower(t.name))`
const TAGS = 'prompt_tags pt join tags t on t.id = pt.tag_id'
const SINGLE = `select ${COLUMNS}, coalesce((select ${TAG} from ${TAGS} where pt.prompt_id = p.id), '[]') as tags
  from ${JOINS} where p.id = $1`

/** The same replies by the shortest way: a prepared statement, JSON, no session. */
async function startFloor({ database }: BenchDatabase) {
  const app = fastify()
  app.get('/api/prompts/:id', async ({ params }) => {
    const values = [params.id]
    const { rows } = await database.pool.query({ name: 'floor_single', text: SINGLE, values })
    return rows[0]
  })
  return { url: await app.listen({ host: '127.0.0.1', port: 0 }), close: () => app.close() }
}

/** Concurrent callers, each reading one prompt after the other. */
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

await compare('embedded')
await compare('server')
agent.destroy()
// The embedded server's watcher would hold the process.
process.exit(0)
