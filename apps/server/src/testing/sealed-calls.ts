import type { Chain, ChainStep, RunDetails, SealedStep } from '@catenary/contracts'
import { expect } from 'vitest'
import { startSharingChains } from './chain-library.ts'
import { startFakeService, toolStep } from './fake-service.ts'
import { startGateway } from './gateway.ts'
import { labelsOf } from './version-labels.ts'

export const SEALED_KEY = 'sk-canary-71b2c9'
export const AUTH = { name: 'Authorization', sealed: true }
const SET = { ...AUTH, value: `Bearer ${SEALED_KEY}` }

export type SealedCalls = Awaited<ReturnType<typeof startSealedCalls>>

/** A gateway with two services, chains that an editor and a viewer share, and short ways to change and run them. */
export async function startSealedCalls(kind: Parameters<typeof startGateway>[0]) {
  const shop = await startFakeService()
  const thief = await startFakeService()
  const library = await startGateway(kind, {}, { toolHosts: [shop.host, thief.host] })
  const { share, viewer, editor } = await startSharingChains(library)
  const { owner } = library

  const call = (tool: object = {}, fields: object = {}) =>
    toolStep(
      {
        url: `${shop.url}/mails`,
        headers: [SET],
        body: { type: 'json', content: '{"x": {{input}}}' },
        ...tool,
      },
      fields,
    )
  /** As it is read and written back. */
  const kept = (tool: object = {}) => call({ headers: [AUTH], ...tool }).tool
  const send = (method: 'POST' | 'PATCH' | 'PUT' | 'DELETE', url: string, body: object = {}, as = owner) =>
    library.request({ method, url, body, as })
  const stepUrl = (chain: Chain, position = 0) => `/api/chains/${chain.id}/steps/${chain.steps[position]?.id}`
  const change = async (chain: Chain, body: object, as = editor, position = 0) => {
    const reply = await send('PATCH', stepUrl(chain, position), body, as)
    expect(reply.status, reply.text).toBe(200)
    return reply.body as ChainStep
  }
  const run = async (chain: Pick<Chain, 'id'>, as = owner, body: object = { input: 'Hi' }) => {
    const reply = await send('POST', `/api/chains/${chain.id}/execute`, body, as)
    expect(reply.status, reply.text).toBe(201)
    return library.ended((reply.body as { id: number }).id, as)
  }
  const failure = ({ status, errorCode, error }: RunDetails) => ({ status, errorCode, error })
  const sealedOf = async (chain: Chain, as = owner, position = 0) =>
    (await library.request({ url: `${stepUrl(chain, position)}/sealed`, as })).body as SealedStep
  const read = async (chain: Pick<Chain, 'id'>, as = owner) =>
    (await library.request({ url: `/api/chains/${chain.id}`, as })).body as Chain
  const allow = async (chain: Chain, as = owner) => {
    const { revision } = await read(chain)
    return send('POST', `${stepUrl(chain)}/allow`, { revision }, as)
  }
  const nothingLeft = () => expect([...shop.calls, ...thief.calls]).toEqual([])
  const MISSING = {
    ...{ status: 'failed', errorCode: 'value_missing' },
    error: expect.stringMatching(/^The header Authorization of step 1 has no value/),
  }
  const RESTS = {
    ...{ status: 'failed', errorCode: 'tool_failed' },
    error: expect.stringMatching(/^Step 1 is not as \w+ last allowed it, and waits for \w+ to allow it/),
  }
  const expectGone = async (chain: Pick<Chain, 'id'>, as = owner) => {
    shop.reset()
    thief.reset()
    expect(failure(await run(chain, as))).toMatchObject(MISSING)
    nothingLeft()
  }

  /** A run of the version that the label names, by a token. */
  const runOld = async (chain: Chain, version: number) => {
    await labelsOf(library, 'chain').moved(chain.id, { label: 'production', version })
    const { token } = await library.createToken(chain.id, { chainLabel: 'production' })
    const messages = [{ role: 'user', content: 'Hi' }]
    await library.post('/v1/chat/completions', token, { model: 'any', messages })
    return library.lastRun(chain.id)
  }

  return {
    ...{ shop, thief, library, share, viewer, editor, owner },
    call,
    kept,
    send,
    stepUrl,
    change,
    run,
    failure,
    sealedOf,
    read,
    allow,
    nothingLeft,
    MISSING,
    RESTS,
    expectGone,
    runOld,
    reset: () => {
      library.fake.reset()
      library.fake.replyByDefault(() => ({ text: 'a\nb' }))
      shop.reset()
      thief.reset()
    },
    close: async () => {
      await library.close()
      await shop.close()
      await thief.close()
    },
  }
}
