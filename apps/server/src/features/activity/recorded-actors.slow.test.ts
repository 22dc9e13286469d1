import { TOKEN_TYPES } from '@catenary/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databaseKinds } from '../../testing/database.ts'
import { type EvaluationLab, prices, startEvaluationLab } from '../../testing/evaluations.ts'
import { ACTORS, makeReach, makeToken, openersOf } from './testing/actors.ts'
import { AGENT_CALLS, GATEWAY_BODIES } from './testing/door-calls.ts'
import {
  callOnce,
  callRefused,
  changing,
  lastRow,
  makeCall,
  readRowsAfter,
  recorded,
} from './testing/make-call.ts'
import { CALLS } from './testing/recorded-calls.ts'
import { newPerson, type Sent } from './testing/recorded-objects.ts'

const made = recorded.filter(({ key }) => key in CALLS)

describe.each(databaseKinds)('each actor on the %s database', (kind) => {
  let lab: EvaluationLab
  let address: string
  beforeAll(async () => {
    lab = await startEvaluationLab(kind, { prices })
    address = await lab.http.listen({ host: '127.0.0.1', port: 0 })
  })
  afterAll(() => lab.close())

  test.each(Object.entries(ACTORS))(
    'What the table of endpoints refuses leaves one row where somebody or a token is meant, and none otherwise. (%s)',
    async (name, start) => callRefused(lab, name, await start(lab)),
  )

  test('A refused sign-in names the account, also of a disabled one, and never who typed it.', async () => {
    const { user, password } = await newPerson(lab)
    const body = { username: user.username, password }
    await lab.send('PATCH', `/api/admin/users/${user.id}`, { body: { disabled: true }, as: lab.admin })
    const { reply, rows } = await makeCall(lab, 'POST /api/login', { body })
    expect(reply.status).toBe(403)
    expect(rows).toMatchObject([
      { kind: 'account.signed_in_refused', personId: null, objectId: user.id, door: 'page', after: null },
    ])
  })

  /** Seen by everyone, so that who may not change it is told so. */
  const publish = (noun: string, { params: { id } = {} }: Sent) =>
    noun === 'prompt'
      ? lab.send('PATCH', `/api/prompts/${id}/share`, { body: { sharedLevel: 'public' } })
      : lab.send('PATCH', `/api/chains/${id}`, { body: { sharedLevel: 'public' } })

  const refusals: string[] = []
  test.each(made.filter(({ who, key }) => who === 'user' && key.includes('{id}')))(
    '$key by somebody who may not leaves a refusal where they see it, and nothing where they don’t',
    async ({ key, kind: kinds, object }) => {
      const sent = await CALLS[key](lab)
      const [, noun] = /^\w+ \/api\/(prompt|chain)s\/\{id\}/.exec(key) ?? []
      if (noun !== undefined) await publish(noun, sent)
      const as = lab.other
      const { reply, rows } = await makeCall(lab, key, { ...sent, as })
      const own = { personId: as.user.id, door: 'page' }
      if (reply.status < 300) {
        expect(rows).toEqual([expect.objectContaining({ ...own, kind: [kinds].flat()[0] })])
        return
      }
      expect([403, 404, 409], reply.text).toContain(reply.status)
      if (reply.status !== 403) {
        expect(rows).toEqual([])
        return
      }
      refusals.push(key)
      const objects: readonly (string | undefined)[] = [object].flat()
      // What would have been made there has no id yet.
      const isMadeThere = noun !== undefined && !objects.includes(noun)
      expect(rows).toEqual([
        expect.objectContaining({
          ...own,
          kind: `${kinds}_refused`,
          objectType: isMadeThere ? objects[0] : (noun ?? objects[0]),
          objectId: isMadeThere ? null : sent.params?.id,
        }),
      ])
    },
  )

  test('rights were missing where somebody sees what is another’s', () => {
    expect(refusals.length).toBeGreaterThan(20)
  })

  describe('what they may', () => {
    test.each(made.filter(({ who }) => who === 'guest'))(
      '$key leaves its row also where somebody else is signed in',
      async (entry) => {
        const sent = await CALLS[entry.key](lab)
        await callOnce(lab, entry, { ...sent, as: sent.as ?? (await newPerson(lab)) })
      },
    )

    test.each(made.flatMap((entry) => openersOf(entry.key, entry).map((opener) => ({ opener, ...entry }))))(
      '$key leaves its row by each kind of token that may: $opener',
      async ({ opener, ...entry }) => {
        const { holder = lab.owner, ...sent } = await CALLS[entry.key](lab)
        const { token } = await makeToken(lab, { kind: opener, as: holder })
        await callOnce(lab, entry, { ...sent, holder, token })
      },
    )

    test.each(
      changing.flatMap(([key, endpoint]) =>
        key.includes(' /v1/') ? openersOf(key, endpoint).map((opener) => ({ key, opener })) : [],
      ),
    )('$key leaves nothing: what it began is kept elsewhere ($opener)', async ({ key, opener }) => {
      lab.fake.replyByDefault({ text: 'done' })
      const as = await newPerson(lab)
      const reach = await makeReach(lab, as)
      const { token } = await makeToken(lab, { kind: opener, as, reach })
      const [method, path = ''] = key.split(' ')
      // What is named by an id was begun by the same token, and has ended.
      const begun = path.includes('{id}')
        ? await begin(token, GATEWAY_BODIES['POST /v1/responses']?.(reach, opener))
        : ''
      const last = await lastRow(lab)
      const reply = await send(
        path.replace('{id}', begun),
        token,
        GATEWAY_BODIES[key]?.(reach, opener),
        method,
      )
      expect(reply.status, await reply.text()).toBe(200)
      expect(await readRowsAfter(lab, last)).toEqual([])
    })

    test.each(openersOf('POST /mcp', { who: 'agents token' }))(
      'Each tool that an agent is offered, and each method, leaves nothing: its runs and fetches are kept. (%s)',
      async (opener) => {
        lab.fake.replyByDefault({ text: 'done' })
        const as = await newPerson(lab)
        const reach = await makeReach(lab, as)
        const { token } = await makeToken(lab, { kind: opener, as, reach })
        const last = await lastRow(lab)
        const ask = async (method: string, params: object) => {
          const reply = await send('/mcp', token, { jsonrpc: '2.0', id: 1, method, params })
          const text = await reply.text()
          expect([reply.status, text], method).toEqual([200, expect.stringContaining('"result"')])
          expect(text).not.toContain('"isError":true')
          return text
        }
        const offered = [...(await ask('tools/list', {})).matchAll(/"name":"([^"]+)"/g)].map(
          ([, name]) => name,
        )
        const chain = offered.find((name) => name?.startsWith('chain_')) ?? ''
        const { tools, methods } = AGENT_CALLS
        expect(offered.toSorted()).toEqual([chain, ...Object.keys(tools)].toSorted())
        const run = await ask('tools/call', { name: chain, arguments: { input: 'Hi' } })
        const runId = Number(/run_id: (\d+)/.exec(run)?.[1])
        for (const [name, argumentsOf] of Object.entries(tools)) {
          await ask('tools/call', { name, arguments: argumentsOf({ ...reach, runId }) })
        }
        for (const [method, paramsOf] of Object.entries(methods)) await ask(method, paramsOf(reach))
        expect(await readRowsAfter(lab, last)).toEqual([])
      },
    )

    const begin = async (token: string, body: object = {}): Promise<string> => {
      const reply = await send('/v1/responses', token, { ...body, background: true })
      const { id } = (await reply.json()) as { id: string }
      await send(`/v1/responses/${id}/cancel`, token, {})
      return id
    }
    const send = (path: string, token: string, body: unknown, method = 'POST') =>
      fetch(`${address}${path}`, {
        method,
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          authorization: `Bearer ${token}`,
        },
        body: JSON.stringify(body),
      })

    test('the kinds of tokens are all that there are', () => {
      const kinds = new Set(changing.flatMap(([key, endpoint]) => openersOf(key, endpoint)))
      expect([...kinds].toSorted()).toEqual([...TOKEN_TYPES].toSorted())
    })

    describe('an administrator', () => {
      beforeAll(async () => {
        const body = { role: 'admin' }
        await lab.send('PATCH', `/api/admin/users/${lab.owner.user.id}`, { body, as: lab.admin })
      })

      test.each(made.filter(({ who }) => who === 'user'))(
        '$key leaves its row with them, of what is their own',
        async (entry) => {
          const admins: EvaluationLab = {
            ...lab,
            registerUser: (account) => lab.registerUser({ role: 'admin', ...account }),
          }
          await callOnce(lab, entry, await CALLS[entry.key](admins))
        },
      )
    })
  })
})
