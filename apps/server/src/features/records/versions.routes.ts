import {
  chain,
  chainVersion,
  chainVersionParams,
  idParams,
  LABELLED_KINDS,
  type LabelledKind,
  listedChainVersion,
  listedPromptVersion,
  listQuery,
  noContent,
  prompt,
  promptVersion,
  promptVersionParams,
  restoreVersionRequest,
  versionNoteRequest,
} from '@catenary/contracts'
import type * as z from 'zod'
import { defineDeleteRoute } from '../../platform/http/delete-route.ts'
import { defineListRoute } from '../../platform/http/list-route.ts'
import type { HttpApp, Routes } from '../../platform/http/routes.ts'
import { requireUser } from '../../platform/http/session.ts'
import {
  deleteVersion,
  findVersion,
  listVersions,
  restoreVersion,
  saveVersionNote,
} from './operations/versions.ts'
import type { RecordsDeps } from './records-deps.ts'

/** What versions of a kind hold, and what is said of them. */
interface VersionsOf {
  record: z.ZodType
  version: z.ZodType
  listed: z.ZodType
  params: typeof promptVersionParams
  /** Beside the title, as in 'title and content'. */
  fields: string
  whole: string
  listing: string
  holders: string
}

const VERSIONS: Record<LabelledKind, VersionsOf> = {
  chain: {
    record: chain,
    version: chainVersion,
    listed: listedChainVersion,
    params: chainVersionParams,
    fields: 'steps and settings',
    whole: 'its steps',
    listing:
      ' One for each save that changed something; the oldest end at last, unless a label points to them.',
    holders: 'a label points to',
  },
  prompt: {
    record: prompt,
    version: promptVersion,
    listed: listedPromptVersion,
    params: promptVersionParams,
    fields: 'title and content',
    whole: 'its whole content',
    listing: '',
    holders: 'a label or a step of a chain holds',
  },
}

export function versionsRoutes(deps: RecordsDeps): Routes {
  return (app) => {
    for (const kind of LABELLED_KINDS) {
      readRoutes(app, deps, kind)
      writeRoutes(app, deps, kind)
    }
  }
}

const changersOf = (kind: LabelledKind) => `For people who may change the ${kind}.`

function readRoutes(app: HttpApp, deps: RecordsDeps, kind: LabelledKind): void {
  const tags = [`${kind}s`]
  const path = `/api/${kind}s/:id/versions` as const
  const { fields, listed, listing, params, version, whole } = VERSIONS[kind]
  defineListRoute(app, path, {
    tags,
    summary: `The versions of ${fields}, newest first`,
    description: changersOf(kind) + listing,
    params: idParams,
    querystring: listQuery,
    item: listed,
    read: async (call) => {
      const user = await requireUser(call)
      return listVersions(deps, { kind, id: call.params.id, user, query: call.query })
    },
  })

  app.get(
    `${path}/:number` as const,
    {
      schema: {
        tags,
        summary: `One version with ${whole}`,
        description: changersOf(kind),
        params,
        response: { 200: version },
      },
    },
    async (request) => findVersion(deps, { kind, ...request.params, user: await requireUser(request) }),
  )
}

function writeRoutes(app: HttpApp, deps: RecordsDeps, kind: LabelledKind): void {
  const tags = [`${kind}s`]
  const path = `/api/${kind}s/:id/versions/:number` as const
  const { fields, holders, params, record } = VERSIONS[kind]
  app.post(
    `${path}/restore` as const,
    {
      schema: {
        tags,
        summary: `Save an older version's ${fields} as a new version`,
        description: `409 with the current ${kind} as details when the revision is stale.`,
        params,
        body: restoreVersionRequest,
        response: { 200: record },
      },
    },
    async (request) => {
      const user = await requireUser(request)
      return restoreVersion(deps, { kind, ...request.params, user, revision: request.body?.revision })
    },
  )

  defineDeleteRoute(app, path, {
    tags,
    summary: 'Delete a version',
    description: `${changersOf(kind)} 409 for the current one, and for one that ${holders}.`,
    params,
    remove: async (call) => deleteVersion(deps, { kind, ...call.params, user: await requireUser(call) }),
  })

  app.patch(
    path,
    {
      schema: {
        tags,
        summary: 'Say anew what a version is about',
        description: 'For people who may change the record. Nothing else of a version ever changes.',
        params: promptVersionParams,
        body: versionNoteRequest,
        response: { 204: noContent },
      },
    },
    async (request, reply) => {
      const user = await requireUser(request)
      await saveVersionNote(deps, { kind, ...request.params, ...request.body, user })
      return reply.code(204).send()
    },
  )
}
