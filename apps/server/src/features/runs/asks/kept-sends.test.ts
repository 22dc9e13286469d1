import type {
  AskedSend,
  BestToken,
  Chain,
  ChainOffer,
  CreatedBestToken,
  KeptSend,
  RunDetails,
  ScheduledRun,
  StartedRun,
  StepAsk,
} from '@catenary/contracts'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { makeStepAsk } from '../../../testing/asks.ts'
import { type SharedChains, startSharingChains } from '../../../testing/chain-library.ts'
import { routeDatabaseKinds } from '../../../testing/database.ts'
import { type Gateway, startGateway } from '../../../testing/gateway.ts'
import type { TestUser } from '../../../testing/harness.ts'

const askOf = (fields: Partial<StepAsk> = {}) => makeStepAsk({ people: ['Edda'], text: '{{a}}', ...fields })
const steps = () => [
  'Write to $<secret>.',
  { ...{ kind: 'ask', title: 'Approve', content: '' }, ask: askOf() },
]
const HOUR_MS = 3_600_000

describe.each(routeDatabaseKinds)(
  'where tokens, schedules and acceptances let private values go, on %s',
  (kind) => {
    let library: Gateway
    let share: SharedChains['share']
    let viewer: TestUser
    beforeAll(async () => {
      library = await startGateway(kind)
      ;({ share, viewer } = await startSharingChains(library))
      await library.createVariable(viewer, { name: 'secret', content: 'Lovelace' })
    })
    afterAll(() => library.close())
    beforeEach(() => {
      library.fake.reset()
      library.fake.replyByDefault({ text: 'Dear Lovelace' })
    })

    const send = async <T>(
      method: 'GET' | 'POST' | 'PATCH' | 'PUT',
      url: string,
      body?: object,
      as = viewer,
    ) => {
      const reply = await library.request({ method, url, body, as })
      expect(reply.status, reply.text).toBeLessThan(300)
      return reply.body as T
    }
    const destinationOf = async ({ id }: Chain) => {
      const [found] = await send<AskedSend[]>('GET', `/api/chains/${id}/sends`)
      return found?.destination ?? ''
    }
    const allowing = async (chain: Chain): Promise<KeptSend> => ({
      chainId: chain.id,
      destination: await destinationOf(chain),
    })
    const askElse = (chain: Chain, people: string[]) => {
      const step = `/api/chains/${chain.id}/steps/${chain.steps[1]?.id}`
      return send('PATCH', step, { ask: askOf({ people }) }, library.owner)
    }

    const schedule = (chain: Chain, fields: object = {}) =>
      send<ScheduledRun>('POST', `/api/chains/${chain.id}/schedule`, {
        ...{ scheduledTime: new Date(Date.now() + HOUR_MS).toISOString(), timeZone: 'UTC' },
        fills: [{ kind: 'chain', id: chain.id, name: 'secret' }],
        ...fields,
      })
    const scheduled = ({ id }: ScheduledRun, as = viewer) =>
      send<ScheduledRun>('GET', `/api/scheduled-runs/${id}`, undefined, as)
    /** The run of a schedule, once it waits or has ended. */
    const runNow = async (made: ScheduledRun): Promise<RunDetails> => {
      const { id } = await send<StartedRun>('POST', `/api/scheduled-runs/${made.id}/execute`)
      return vi.waitFor(async () => {
        const run = await library.find(id, viewer)
        expect(run.status !== 'running' || run.waitingFor !== undefined).toBe(true)
        return run
      })
    }
    const waits = { status: 'running', waitingFor: { askId: expect.any(Number) } }
    const stopped = { status: 'failed', errorCode: 'value_would_leave' }

    const createToken = (fields: object) =>
      send<CreatedBestToken>('POST', '/api/best-tokens', { name: 'Front desk', ...fields })
    const call = async ({ token }: { token: string }, chain: Chain) => {
      const messages = [{ role: 'user', content: 'Go' }]
      const reply = await library.post('/v1/chat/completions', token, {
        model: `chain-${chain.id}`,
        messages,
      })
      const { error } = (await reply.json()) as { error?: { code: string } }
      return { code: error?.code, run: reply.headers.get('x-catenary-execution') ?? '' }
    }
    const codeOf = async (token: { token: string }, chain: Chain) => (await call(token, chain)).code

    test('A schedule takes private values to the people of an ask only where its creator allowed it, and shows what it does not (D89).', async () => {
      const chain = await share(steps())
      const made = await schedule(chain)
      const destination = await destinationOf(chain)
      expect(made).toMatchObject({
        sends: [],
        asksToSend: [{ destination, chainId: chain.id, people: ['Edda'] }],
      })
      expect(await runNow(made)).toMatchObject({ ...stopped, wouldLeave: [destination] })
      const sends = [{ chainId: chain.id, destination }]
      const allowed = await send<ScheduledRun>('PATCH', `/api/scheduled-runs/${made.id}`, { sends })
      expect(allowed).toMatchObject({ sends, asksToSend: [] })
      expect(await scheduled(made, library.owner)).toMatchObject({ sends: [], asksToSend: [], isMine: false })
      expect(await runNow(made)).toMatchObject(waits)
      expect(await schedule(chain, { sends })).toMatchObject({ sends, asksToSend: [] })
    })

    test('Whom a step asks anew is shown beside the schedule, and its run stops before it asks them.', async () => {
      const chain = await share(steps())
      const made = await schedule(chain, { sends: [await allowing(chain)] })
      expect(made.asksToSend).toEqual([])
      await askElse(chain, ['Edda', library.other.user.username])
      const { asksToSend } = await scheduled(made)
      expect(asksToSend).toMatchObject([{ destination: await destinationOf(chain) }])
      const [listed] = await send<ScheduledRun[]>('GET', `/api/chains/${chain.id}/scheduled-runs`)
      expect(listed?.asksToSend).toEqual(asksToSend)
      expect(await runNow(made)).toMatchObject(stopped)
    })

    test('A token takes private values to the people of an ask only where its creator allowed it for that chain.', async () => {
      const [chain, other] = [await share(steps()), await share(steps())]
      const allowed = await allowing(chain)
      expect(allowed.destination).toBe(await destinationOf(other))
      const ids = [chain.id, other.id]
      const fills = ids.map((id) => ({ kind: 'chain', id, name: 'secret' }))
      const made = await createToken({ includedChainIds: ids, fills, sends: [allowed] })
      expect(made).toMatchObject({ sends: [allowed], asksToSend: [{ chainId: other.id }] })
      expect(await codeOf(made, chain)).toBe('run_waiting')
      const { code, run } = await call(made, other)
      expect(code).not.toBe('run_waiting')
      expect(await library.find(Number(run), viewer)).toMatchObject(stopped)

      const both = [allowed, await allowing(other)]
      const url = `/api/api-tokens/${made.id}`
      expect(await send<BestToken>('PATCH', url, { sends: both })).toMatchObject({
        sends: both,
        asksToSend: [],
      })
      expect(await codeOf(made, other)).toBe('run_waiting')
      expect((await send<BestToken>('PATCH', url, { name: 'Back office' })).sends).toEqual(both)
    })

    test('A call that goes on with its run takes along what the token allows by now.', async () => {
      const chain = await share(steps())
      const fills = [{ kind: 'chain', id: chain.id, name: 'secret' }]
      const made = await createToken({ includedChainIds: [chain.id], fills })
      const { run } = await call(made, chain)
      await send('PATCH', `/api/api-tokens/${made.id}`, { sends: [await allowing(chain)] })
      const messages = [{ role: 'user', content: 'Go' }]
      const body = { model: `chain-${chain.id}`, messages }
      const reply = await library.post('/v1/chat/completions', made.token, body, { 'x-catenary-resume': run })
      expect(await reply.json()).toMatchObject({ error: { code: 'run_waiting' } })
      expect(library.sent()).toEqual(['Write to Lovelace.'])
    })

    test('An acceptance of another’s chain keeps where private values may go in runs of it by tokens for all chains.', async () => {
      const chain = await share(steps())
      const made = await createToken({})
      const offered = async () =>
        (await send<ChainOffer[]>('GET', '/api/chain-offers')).find(({ chainId }) => chainId === chain.id)
      const accept = (fields: object = {}) =>
        send('POST', '/api/chain-acceptances', { chainIds: [chain.id], ...fields })
      const allowed = await allowing(chain)
      expect(await offered()).toMatchObject({
        sends: null,
        asksToSend: [{ destination: allowed.destination }],
      })
      await accept()
      expect(await offered()).toMatchObject({ sends: [], asksToSend: [{ destination: allowed.destination }] })
      expect(await codeOf(made, chain)).not.toBe('run_waiting')
      await accept({ sends: [allowed] })
      expect(await offered()).toMatchObject({ sends: [allowed], asksToSend: [] })
      expect(await codeOf(made, chain)).toBe('run_waiting')
      await accept()
      expect((await offered())?.sends).toEqual([allowed])
    })

    test('A chain that becomes another person’s is taken off these lists.', async () => {
      const chain = await share(steps())
      const sends = [await allowing(chain)]
      const made = await schedule(chain, { sends })
      const token = await createToken({ includedChainIds: [chain.id], sends })
      await send('POST', '/api/chain-acceptances', { chainIds: [chain.id], sends })
      const { user } = library.other
      const offer = { username: user.username, keep: 'nothing' }
      await send('POST', `/api/chains/${chain.id}/owner`, offer, library.owner)
      await send('POST', `/api/chains/${chain.id}/owner/accept`, {}, library.other)
      expect((await scheduled(made)).sends).toEqual([])
      expect(
        (await send<BestToken[]>('GET', '/api/best-tokens')).find(({ id }) => id === token.id)?.sends,
      ).toEqual([])
      const offers = await send<ChainOffer[]>('GET', '/api/chain-offers')
      expect(offers.find(({ chainId }) => chainId === chain.id)?.sends ?? []).toEqual([])
    })

    test('Nothing is asked about a chain that its creator alone has written.', async () => {
      const chain = await library.buildChain(steps(), { as: viewer })
      const made = await schedule(chain)
      expect(made).toMatchObject({ sends: [], asksToSend: [] })
      expect((await createToken({})).asksToSend.filter(({ chainId }) => chainId === chain.id)).toEqual([])
    })
  },
)
