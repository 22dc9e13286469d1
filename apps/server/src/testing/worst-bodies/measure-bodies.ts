import { setTimeout } from 'node:timers/promises'
import {
  type Caller,
  type CreatedChainToken,
  type CreatedFolderToken,
  type CreatedMcpToken,
  type CreatedOwnToken,
  type Endpoint,
  listEndpoints,
} from '@catenary/contracts'
import { startApp, type TestUser } from '../harness.ts'
import { type JsonSchema, placesOf } from './json-schema.ts'
import { median, parsingMs, slowness, startCosting } from './thread-cost.ts'
import { type Bounds, bodiesAt, bodiesForAnyone, type WorstBody } from './worst-bodies.ts'

const MB = 1024 ** 2
/** What a route takes where it says nothing else. */
const USUAL_BYTES = 1.5 * MB
const USUAL_VALUES = 20_000
/** Of so many bytes on a body is also measured against its parsing. */
const RATIO_BYTES = 256 * 1024
/** What a body costs in time is its cheapest try: a collection of garbage, or a neighbour on the machine, only adds. */
const TRIES = 9
/** Neighbours that are busy are often busy for a while. */
const BETWEEN_TRIES_MS = 200

export interface Operation {
  method: string
  path: string
  token?: string
  /** Where the path says who calls. */
  strangersPath?: string
  /** What is bad for any operation, and for what this one takes. */
  anything: WorstBody[]
  own: WorstBody[]
}

interface OpenApi {
  paths: Record<string, Record<string, { requestBody?: { content: Record<string, { schema: JsonSchema }> } }>>
}

export type Sender = 'guest' | 'user'

export interface Row {
  operation: string
  who: Sender
  body: string
  bytes: number
  status: number
  ms: number
  /** What is held when it is answered, beyond its size. */
  megabytes: number
  /** What its parsing alone costs; of large bodies. */
  parsingMs: number | undefined
  /** Of the machine meanwhile, at least 1; measured where it decides. */
  slowness: number
}

/** Which bodies are tried of those for any operation, and of those for its schema. */
export type Pick = (bodies: WorstBody[], of: 'anything' | 'schema') => WorstBody[]

/** Until the handler runs: of this thread, and in memory beyond the body's size (row 15 of docs/trust.md). */
const MOST = { guest: { ms: 50, megabytes: 20 }, user: { ms: 250, megabytes: 100 } }
/** A large body costs so many times its parsing, beyond what any call may. */
const TIMES_PARSED = 4
const ANY_CALL_MS = 20

/** Why a row is over what its sender may cost; undefined where it is not. */
export function excessOf({ who, ms, megabytes, parsingMs, slowness }: Row): string | undefined {
  const most = MOST[who]
  if (ms > most.ms * slowness) return `${ms.toFixed(0)} ms of ${(most.ms * slowness).toFixed(0)}`
  if (megabytes > most.megabytes) return `${megabytes.toFixed(0)} MB of ${most.megabytes}`
  if (parsingMs === undefined || ms <= ANY_CALL_MS * slowness + TIMES_PARSED * parsingMs) return undefined
  return `${ms.toFixed(0)} ms, and parsing it takes ${parsingMs.toFixed(1)}`
}

/** Has the worst bodies of each operation sent, and says what each costs this thread. */
export async function startMeasuring(pick: Pick) {
  const app = await startApp({ settings: { trustProxy: 1, runsPerMinute: 1_000_000 } })
  const costing = startCosting(await app.http.listen({ host: '127.0.0.1', port: 0 }))
  const user = await app.registerUser({ role: 'admin' })
  const doors = await doorsOf(app, user)
  const operations = [
    ...(await describedOperations({ app, user, doors, pick })),
    ...otherOperations(doors, pick),
  ]
  let calls = 0

  async function measure(operation: Operation, body: WorstBody, who: Sender): Promise<Row> {
    const { method, token } = operation
    const path = (who === 'guest' && operation.strangersPath) || operation.path
    const bytes = Buffer.from(body.make())
    const asUser = token === undefined ? user.headers : { authorization: `Bearer ${token}` }
    const send = () => {
      calls += 1
      // An address of its own each, so that limits of addresses are not met.
      const from = `10.${(calls >> 16) & 255}.${(calls >> 8) & 255}.${calls & 255}`
      const headers = { 'x-forwarded-for': from, 'content-type': 'application/json' }
      return costing.cost({ method, path, bytes, headers: { ...headers, ...(who === 'user' && asUser) } })
    }
    const isLarge = bytes.length >= RATIO_BYTES
    // Side by side: a machine that is slow for one is slow for the other.
    const once = async () => ({ ...(await send()), parsing: isLarge ? parsingMs(bytes) : 0 })
    const tries = [await once()]
    const speeds: number[] = []
    const toRow = (): Row => ({
      ...{ operation: `${method} ${path}`, who, body: body.name, bytes: bytes.length },
      status: tries[0]?.status ?? 0,
      ms: Math.min(...tries.map(({ ms }) => ms)),
      megabytes: median(tries.map(({ megabytes }) => megabytes)) - bytes.length / MB,
      parsingMs: isLarge ? median(tries.map(({ parsing }) => parsing)) : undefined,
      // Of several, the least: noise in what says how slow the machine is excuses nothing.
      slowness: speeds.length === 0 ? 1 : Math.min(...speeds),
    })
    while (excessOf(toRow()) !== undefined && tries.length < TRIES) {
      await setTimeout(BETWEEN_TRIES_MS)
      tries.push(await once())
      speeds.push(slowness())
    }
    return toRow()
  }

  return {
    /** Each body by each sender, one after the other. */
    async measureAll(bodiesOf: (operation: Operation, who: Sender) => WorstBody[]): Promise<Row[]> {
      const rows: Row[] = []
      for (const operation of operations) {
        for (const who of ['guest', 'user'] as const) {
          for (const body of bodiesOf(operation, who)) rows.push(await measure(operation, body, who))
        }
      }
      return rows
    },
    close: async () => {
      await costing.close()
      await app.close()
    },
  }
}

type App = Awaited<ReturnType<typeof startApp>>

/** A token for programs, and what is bad there for what takes a body that the API document leaves to others. */
interface Door {
  token: string
  bodiesOf?: (bounds: Bounds) => WorstBody[]
}
type Doors = Partial<Record<Caller, Door>>

async function doorsOf(app: App, user: TestUser): Promise<Doors> {
  const chain = await made<{ id: number }>(app, user, '/api/chains', { name: 'Echo' })
  const step = { content: '{{input}}', model: 'claude', outputVariableName: 'out' }
  await made(app, user, `/api/chains/${chain.id}/steps`, step)
  const helpdesk = { name: 'Helpdesk', chainId: chain.id }
  const { token } = await made<CreatedChainToken>(app, user, '/api/tokens', helpdesk)
  const laptop = { name: 'Laptop', allPrompts: true }
  const agents = await made<CreatedMcpToken>(app, user, '/api/mcp-tokens', laptop)
  const ci = { name: 'CI', mayWrite: true }
  const own = { name: 'GitHub', scopes: [`chain:${chain.id}`, 'hook'] }
  const hook = await made<CreatedOwnToken>(app, user, '/api/own-tokens', own)
  const folder = await made<CreatedFolderToken>(app, user, '/api/folder-tokens', ci)
  return {
    'chain token': { token, bodiesOf: (bounds) => talksOf(`chain-${chain.id}`, bounds) },
    'agents token': { token: agents.token, bodiesOf: messagesOf },
    'folder token': { token: folder.token },
    'hook token': { token: hook.token, bodiesOf: () => [] },
  }
}

const boundsOf = ({ bodyBytes = USUAL_BYTES, bodyValues = USUAL_VALUES }: Partial<Endpoint>): Bounds => ({
  bytes: bodyBytes,
  values: bodyValues,
})

async function describedOperations({
  app,
  user,
  doors,
  pick,
}: {
  app: App
  user: TestUser
  doors: Doors
  pick: Pick
}): Promise<Operation[]> {
  const { body } = await app.request({ url: '/api/openapi.json', as: user })
  const { paths } = body as OpenApi
  const resolve = (ref: string) =>
    ref
      .slice(2)
      .split('/')
      .reduce<unknown>((at, key) => Object(at)[key], body) as JsonSchema
  return listEndpoints().flatMap(([key, endpoint]) => {
    const [method = '', path = ''] = key.split(' ')
    const { requestBody } = paths[path]?.[method.toLowerCase()] ?? {}
    const schema = requestBody?.content['application/json']?.schema
    if (schema === undefined) return []
    const bounds = boundsOf(endpoint)
    const own = placesOf(schema, resolve).flatMap((place) => bodiesAt(place, bounds))
    const door = doors[endpoint.who]
    return [
      {
        ...{ method, path: path.replaceAll(/\{\w+\}/g, '1') },
        anything: pick(bodiesForAnyone(bounds), 'anything'),
        own: pick(own, 'schema'),
        ...(door && { token: door.token }),
      },
    ]
  })
}

/** What the document leaves to the vendors' and the protocol's own. */
function otherOperations(doors: Doors, pick: Pick): Operation[] {
  return listEndpoints().flatMap(([key, endpoint]) => {
    const [method = '', path = ''] = key.split(' ')
    const isAddress = endpoint.who === 'hook token'
    if (!(endpoint.hidden || isAddress) || method !== 'POST') return []
    const { token, bodiesOf } = doors[endpoint.who] ?? {}
    if (token === undefined || bodiesOf === undefined)
      throw new Error(`Which bodies are bad for ${key}? Say it in testing/worst-bodies/measure-bodies.ts`)
    const bounds = boundsOf(endpoint)
    const anything = pick(bodiesForAnyone(bounds), 'anything')
    // Who calls is said by the path.
    const called = isAddress ? path.replace('{token}', token) : path
    const strangers = isAddress && { strangersPath: path.replace('{token}', 'none') }
    return [{ method, path: called, ...strangers, token, anything, own: pick(bodiesOf(bounds), 'schema') }]
  })
}

async function made<T>(app: App, user: TestUser, url: string, fields: object): Promise<T> {
  const reply = await app.request({ method: 'POST', url, as: user, body: fields })
  if (reply.status !== 201) throw new Error(`${url}: ${reply.status} ${reply.text}`)
  return reply.body as T
}

const listOf = (count: number, item: unknown) => Array.from({ length: Math.floor(count) }, () => item)
const toBody = (name: string, contentOf: () => unknown): WorstBody => ({
  name,
  make: () => JSON.stringify(contentOf()),
})

/** Conversations that are wrong at their end, or in each part. */
function talksOf(model: string, { values }: Bounds): WorstBody[] {
  const of = (name: string, fieldsOf: () => object) =>
    toBody(name, () => ({ model, max_tokens: 10, ...fieldsOf() }))
  const user = (content: unknown) => ({ role: 'user', content })
  const many = values - 50
  const parts = [{}, 'x', { type: 'text' }, { type: 'text', text: 7 }, { type: 'image_url', image_url: {} }]
  return [
    ...parts.map((part, index) =>
      of(`messages of parts ${index}`, () => ({
        messages: [
          user([...listOf(many / (1 + Object.keys(Object(part)).length * 2) - 1, part), { type: 7 }]),
        ],
      })),
    ),
    of('messages of {}', () => ({ messages: listOf(many, {}) })),
    of('input of {}', () => ({ input: listOf(many, {}) })),
    of('tools of {}', () => ({ messages: [user('Hi')], input: 'Hi', tools: listOf(many, {}) })),
    of('short messages, the last one wrong', () => ({
      messages: [...listOf(many / 3 - 1, user('Hi')), { role: 'nobody', content: 'Hi' }],
    })),
    of('16 MB of text, the last message wrong', () => ({
      messages: [...listOf(15, user('a'.repeat(MB))), { role: 'nobody', content: 'Hi' }],
      input: [{ role: 'nobody', content: 'Hi' }],
    })),
    of('a record of metadata', () => ({ messages: [user('Hi')], input: 'Hi', metadata: recordOf(many) })),
    of('a schema', () => ({
      ...{ messages: [user('Hi')], input: 'Hi' },
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'x', schema: { properties: recordOf(many - 50) } },
      },
    })),
  ]
}

/** Messages of the protocol that are wrong in each part. */
function messagesOf({ values }: Bounds): WorstBody[] {
  const message = (method: string, params: unknown) => ({ jsonrpc: '2.0', id: 1, method, params })
  const many = values - 50
  return [
    toBody('a batch of {}', () => listOf(many, {})),
    toBody('no message', () => recordOf(many)),
    toBody('a call with a record', () =>
      message('tools/call', { name: 'search_prompts', arguments: recordOf(many) }),
    ),
    toBody('a call with lists', () =>
      message('tools/call', { name: 'search_prompts', arguments: { query: listOf(many, {}) } }),
    ),
    toBody('a call of a long name', () =>
      message('tools/call', { name: 'a'.repeat(USUAL_BYTES - 1_000), arguments: {} }),
    ),
    toBody('a search of a long text', () =>
      message('tools/call', {
        name: 'search_prompts',
        arguments: { query: 'a '.repeat(USUAL_BYTES / 2 - 1_000) },
      }),
    ),
    toBody('a prompt with a record', () => message('prompts/get', { name: 'x', arguments: recordOf(many) })),
    toBody('capabilities', () =>
      message('initialize', { protocolVersion: 'x', capabilities: recordOf(many), clientInfo: {} }),
    ),
  ]
}

const recordOf = (count: number): Record<string, unknown> =>
  Object.fromEntries(Array.from({ length: Math.floor(count) }, (_, index) => [`k${index}`, {}]))

/** The dearest first. */
export function tableOf(rows: Row[], most: number): string {
  const dearest = rows.toSorted((a, b) => b.ms - a.ms).slice(0, most)
  return dearest
    .map(({ operation, who, body, bytes, status, ms, megabytes, parsingMs: parsing }) =>
      [
        `${ms.toFixed(1).padStart(6)} ms`,
        `${megabytes.toFixed(1).padStart(6)} MB`,
        parsing === undefined ? '' : `parsed in ${parsing.toFixed(1)} ms`,
        `${who}, ${status}, ${operation}, ${body}, ${(bytes / 1024).toFixed(0)} kB`,
      ].join('  '),
    )
    .join('\n')
}
