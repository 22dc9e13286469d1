import type { LabelConflict, LabelMove, MovedLabels, RecordKind, VersionLabels } from '@catenary/contracts'
import { expect } from 'vitest'
import type { TestUser } from './harness.ts'
import { type Library, promptBody } from './library.ts'

interface Moved {
  label?: string
  version: number
  expectedVersion?: number | null
  reason?: string
  override?: boolean
  as?: TestUser | undefined
}

/** Short ways to the labels of one kind of record. */
export function labelsOf(library: Library, kind: RecordKind) {
  const { owner, request } = library
  const url = (id: number, rest = 'labels') => `/api/${kind}s/${id}/${rest}`

  /** Saves it under another name: another version. */
  async function save(id: number, fields: object = {}): Promise<{ version: number; slug: string }> {
    const name = `Name ${Math.random()}`
    const reply =
      kind === 'chain'
        ? await request({ method: 'PATCH', url: `/api/chains/${id}`, body: { name, ...fields }, as: owner })
        : await request({
            ...{ method: 'PUT', url: `/api/prompts/${id}`, as: owner },
            body: { ...promptBody(library), title: name, ...fields },
          })
    expect(reply.status, reply.text).toBe(200)
    return reply.body as { version: number; slug: string }
  }

  const move = (id: number, { label = 'production', as = owner, expectedVersion = null, ...body }: Moved) =>
    request({ method: 'PUT', url: url(id, `labels/${label}`), body: { expectedVersion, ...body }, as })

  return {
    save,
    move,
    url,

    /** With as many versions. */
    create: async (versions = 1, fields: object = {}): Promise<number> => {
      const { id } =
        kind === 'chain'
          ? await library.createChain(owner, fields)
          : await library.createPrompt(owner, fields)
      for (let made = 1; made < versions; made += 1) await save(id)
      return id
    },

    /** The reply to a move that is not refused. */
    moved: async (id: number, wanted: Moved): Promise<MovedLabels> => {
      const reply = await move(id, wanted)
      expect(reply.status, reply.text).toBe(200)
      return reply.body as MovedLabels
    },

    remove: (id: number, expectedVersion: number, { label = 'production', as = owner } = {}) =>
      request({ method: 'DELETE', url: url(id, `labels/${label}?expectedVersion=${expectedVersion}`), as }),

    undo: (id: number, moveId: number | null, { body, as = owner }: { body?: unknown; as?: TestUser } = {}) =>
      request({ method: 'POST', url: url(id, `label-moves/${moveId}/undo`), body, as }),

    read: async (id: number, as: TestUser | undefined = owner): Promise<VersionLabels> => {
      const reply = await request({ url: url(id), as })
      expect(reply.status, reply.text).toBe(200)
      return reply.body as VersionLabels
    },

    /** Label → version, as the record itself says. */
    shown: async (id: number) => {
      const { body } = await request({ url: `/api/${kind}s/${id}`, as: owner })
      const { labels } = body as { labels: { label: string; version: number }[] }
      return Object.fromEntries(labels.map(({ label, version }) => [label, version]))
    },

    moves: async (id: number, query = ''): Promise<LabelMove[]> => {
      const reply = await request({ url: url(id, `label-moves${query}`), as: owner })
      expect(reply.status, reply.text).toBe(200)
      return reply.body as LabelMove[]
    },
  }
}

/** Protects a label, on every record of the instance. */
export async function protect(
  { request, admin }: Library,
  label: string,
  rule: { whoMayMove?: 'editors' | 'owners' | 'admins'; needsSuite?: boolean } = {},
): Promise<void> {
  const body = { whoMayMove: 'editors', needsSuite: false, ...rule }
  const reply = await request({
    ...{ method: 'PUT', url: `/api/admin/protected-labels/${label}`, body },
    as: admin,
  })
  expect(reply.status, reply.text).toBe(200)
}

/** Why a call was refused with 409. */
export function conflictOf({ status, body, text }: { status: number; body: unknown; text: string }) {
  expect(status, text).toBe(409)
  return (body as { details: LabelConflict }).details
}
