import type { HandOver, OwnedKind, RecordOwner } from '@catenary/contracts'
import type { DatabaseClient } from '../../../database/open/client.ts'
import type { TestUser } from '../../../testing/harness.ts'
import { startLibrary } from '../../../testing/library.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export type HandOverLibrary = Awaited<ReturnType<typeof startHandOvers>>

/** A library of Olga’s, with Rita, who is to own what is in it, and the others who may or may not see it. */
export async function startHandOvers(kind: DatabaseClient['kind']) {
  const library = await startLibrary(kind)
  const { owner, other: outsider, admin } = library
  const recipient = await library.registerUser({ username: 'Rita' })
  const viewer = await library.registerUser({ username: 'Vera' })
  const editor = await library.registerUser({ username: 'Edda' })
  const ended = await library.registerUser({ username: 'Dora' })
  const people: Record<string, TestUser | undefined> = {
    ...{ owner, recipient, editor, viewer, admin, outsider },
    ...{ guest: undefined, 'ended account': ended },
  }

  const send = (
    method: Method,
    url: string,
    { as, body }: { as?: TestUser | undefined; body?: object } = {},
  ) => library.request({ method, url, as, body })
  const disable = ({ user }: TestUser, disabled = true) =>
    send('PATCH', `/api/admin/users/${user.id}`, { as: admin, body: { disabled } })
  await disable(ended)

  let made = 0
  const make = (
    kind: OwnedKind,
    fields: object = {},
    as = owner,
  ): Promise<{ id: number; revision: number }> => {
    made += 1
    if (kind === 'prompt') return library.createPrompt(as, { title: `Letter ${made}`, ...fields })
    if (kind === 'chain') return library.createChain(as, { name: `Letter ${made}`, ...fields })
    return library.createVariable(as, { name: `letter_${made}`, ...fields })
  }
  const pathOf = (kind: OwnedKind, id: number) => `/api/${kind}s/${id}/owner`

  return {
    ...library,
    people,
    ...{ recipient, viewer, editor },
    send,
    disable,
    make,
    /** Seen by an editor and a viewer; of a variable, by everyone. */
    makeSeen: async (kind: OwnedKind) => {
      const seen = { prompt: {}, chain: { sharedLevel: 'shared' }, variable: { isPublic: true } }
      const record = await make(kind, seen[kind])
      if (kind === 'variable') return record
      const body = [
        { username: 'Vera', role: 'viewer' },
        { username: 'Edda', role: 'editor' },
      ]
      await send('PUT', `/api/${kind}s/${record.id}/shares`, { as: owner, body })
      return record
    },
    pathOf,
    read: (kind: OwnedKind, id: number, as: TestUser | undefined) =>
      send('GET', `/api/${kind}s/${id}`, { as }),
    offer: (
      kind: OwnedKind,
      id: number,
      { as = owner, ...body }: { as?: TestUser | undefined; username?: string; keep?: string } = {},
    ) => send('POST', pathOf(kind, id), { as, body: { username: 'Rita', keep: 'nothing', ...body } }),
    offerAs: (as: TestUser | undefined, kind: OwnedKind, id: number, username: string) =>
      send('POST', pathOf(kind, id), { as, body: { username, keep: 'nothing' } }),
    acceptAs: (as: TestUser | undefined, kind: OwnedKind, id: number) =>
      send('POST', `${pathOf(kind, id)}/accept`, { as }),
    accept: (kind: OwnedKind, id: number) => send('POST', `${pathOf(kind, id)}/accept`, { as: recipient }),
    end: (kind: OwnedKind, id: number, as: TestUser | undefined) => send('DELETE', pathOf(kind, id), { as }),
    ownerOf: async (kind: OwnedKind, id: number, as: TestUser) =>
      (await send('GET', pathOf(kind, id), { as })).body as RecordOwner,
    waiting: async (as: TestUser) => (await send('GET', '/api/hand-overs', { as })).body as HandOver[],
    waits: async (as: TestUser, kind: OwnedKind, id: number) =>
      ((await send('GET', '/api/hand-overs', { as })).body as HandOver[]).some(
        (one) => one.kind === kind && one.id === id,
      ),
  }
}
